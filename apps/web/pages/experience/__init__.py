"""What users of a target were promised: agreed figures with their limits, and the values of days."""
