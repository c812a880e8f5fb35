"""The tabs of a target by subject and day, beside its host, and its forecasts."""
