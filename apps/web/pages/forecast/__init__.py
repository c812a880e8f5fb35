"""The forecast of one statistic, with scenarios and trend changes."""
