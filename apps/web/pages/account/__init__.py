"""Signing in and out, one's own password, and how one reads."""
