"""Pages, one module per kind."""
