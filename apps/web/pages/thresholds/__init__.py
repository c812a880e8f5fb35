"""Thresholds: their list, their form with its preview, many at once."""
