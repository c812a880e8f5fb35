"""A steady period of a target, and the limits it suggests."""
