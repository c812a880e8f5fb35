"""What Headroom advises on the statistics of an instance, a subject per file; every rule in here is found."""
