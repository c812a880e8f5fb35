"""Two periods of a target, or of two targets, side by side."""
