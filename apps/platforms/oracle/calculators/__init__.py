"""What can be computed of an instance, a subject per file; every calculator in here is found."""
