"""Drivers: what people count of their business, and plan of it."""
