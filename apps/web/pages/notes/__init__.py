"""Notes on days."""
