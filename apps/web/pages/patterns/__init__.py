"""What rises and falls over months and quarters, of a target and of a group."""
