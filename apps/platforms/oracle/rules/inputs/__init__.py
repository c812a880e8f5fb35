"""What the rules of instances ask for: their own figures and texts, those of their host, and of all instances on it."""
