"""
How it behaves: today beside 7, 30 and 90 days ago.

models.py    Baseline: a steady period when users were satisfied; Note: what happened on a day
compare.py   compare(), top_components()   today against earlier days       (arithmetic)
correlation.py   correlate()               Spearman's ρ of changes, at lags, what chance explains  (arithmetic)
related_statistics.py  find_related()      what moves with a statistic, on the target and its host
neighbours.py  read_neighbours()          what the method reads with a statistic
student.py   two_sided()                   Student's distribution                  (arithmetic)
significance.py  spread(), welch(), beyond_noise()  whether days differ by more than noise     (arithmetic)
periods.py   Period, judge()               better, worse, same, appeared, gone        (arithmetic)
valid_days.py  valid_days()               the figures of some days that count
differences.py  compare_periods()          two periods of a target, or of two targets
period_patterns.py  read_patterns()         every statistic over successive months or quarters
rhythm.py    by_weekday(), by_hour()       medians with their spread  (arithmetic)
pattern.py   pattern_of()                  rising, falling, flat, appeared, gone  (arithmetic)
build.py     build_profile()               the statistics and wait events worth a decision
"""
