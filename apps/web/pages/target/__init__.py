"""One target: its profile, violations, collection, sessions, and what is to be confirmed of it."""
