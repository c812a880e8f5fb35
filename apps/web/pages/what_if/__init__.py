"""Scenarios of planned changes."""
