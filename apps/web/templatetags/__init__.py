"""What the templates need beside Django's own tags."""
