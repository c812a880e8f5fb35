"""The account of forecasts: how promises of the estate, a group or a target fared."""
