"""The list of targets; registering, importing, testing, changing and retiring them."""
