"""Short of CPU? The questions of the method, answered by the figures of a host and of what runs on it."""
