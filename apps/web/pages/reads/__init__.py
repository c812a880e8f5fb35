"""What Headroom reads of its targets, and the grants it takes."""
