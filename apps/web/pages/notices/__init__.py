"""Who gets which message, and what became of each."""
