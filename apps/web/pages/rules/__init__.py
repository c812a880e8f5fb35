"""The rules: all of them, each with its cases and parameters, and what other parameters would have done."""
