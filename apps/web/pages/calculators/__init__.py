"""Calculators: their list, and each with its inputs beside its answer."""
