"""The history of a target from before its first reading: what there is, what of it is read, and the way back."""
