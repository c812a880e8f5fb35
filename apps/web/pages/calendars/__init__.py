"""Days that are not judged."""
