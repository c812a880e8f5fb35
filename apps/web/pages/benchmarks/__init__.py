"""Benchmark runs: their list, the form that reads a table of them, and their comparison by a parameter."""
