"""How the collection went."""
