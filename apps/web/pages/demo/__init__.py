"""The demo: how it comes and how it goes."""
