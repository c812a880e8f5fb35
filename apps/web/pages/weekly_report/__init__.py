"""The weekly report and its files."""
