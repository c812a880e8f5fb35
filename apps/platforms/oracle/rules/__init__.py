"""What Headroom notices and advises on instances, a subject per file; every rule in here is found."""
