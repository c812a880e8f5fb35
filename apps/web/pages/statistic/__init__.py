"""One statistic of a target: its chart and workings, what moves with it, its weekly patterns."""
