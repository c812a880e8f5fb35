"""What rules notice: on the estate, on a target, and the rules themselves."""
