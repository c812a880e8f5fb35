"""One small app for each step of the method, stacked in one direction."""
