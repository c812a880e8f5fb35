"""The first page: what is over, what is next, by when to act."""
