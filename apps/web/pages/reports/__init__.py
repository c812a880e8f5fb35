"""Reports that have no page of their own."""
