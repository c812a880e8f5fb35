"""
How it behaves: today beside 7, 30 and 90 days ago.

models.py    Baseline: a steady period when users were satisfied; Note: what happened on a day, and what users said of it
engine/       the arithmetic, pure: compare, correlation, student, significance, periods, rhythm, pattern
related_statistics.py  find_related()      what moves with a statistic, on the target and its host
neighbours.py  read_neighbours()          what the method reads with a statistic
verdicts.py   hold_against_verdicts()     what users said of days, held against a figure
valid_days.py  valid_days()               the figures of some days that count
differences.py  compare_periods()          two periods of a target, or of two targets
things.py     group_things()             rows by what they are of: an event, a tablespace, a count with its rate
period_patterns.py  read_patterns()         every statistic over successive months or quarters
means_since_start.py  read_means()         what counters say of the time since start-up
build.py     build_profile()               the statistics and wait events worth a decision
"""
