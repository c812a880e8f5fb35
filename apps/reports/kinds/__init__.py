"""The reports, a module each."""
