"""Templates of action plans."""
