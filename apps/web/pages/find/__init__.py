"""One box that finds targets, statistics and components."""
