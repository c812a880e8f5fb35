"""The list of violations."""
