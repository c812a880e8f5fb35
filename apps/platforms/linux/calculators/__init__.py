"""What can be computed of a machine, a subject per file; every calculator in here is found."""
