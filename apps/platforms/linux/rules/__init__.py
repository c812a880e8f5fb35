"""What Headroom notices on hosts, a subject per file; every rule in here is found."""
