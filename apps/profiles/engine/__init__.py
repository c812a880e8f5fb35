"""
The arithmetic of behaviour, pure: no Django, no database, no clock.

compare.py   compare(), top_components()   today against earlier days
correlation.py   correlate()               Spearman's ρ of changes, at lags, what chance explains
student.py   two_sided()                   Student's distribution
significance.py  spread(), welch(), beyond_noise()  whether days differ by more than noise
periods.py   Period, judge()               better, worse, same, appeared, gone
growth.py    growth_a_day()                what a size grew
rhythm.py    by_weekday(), by_hour()       medians with their spread
pattern.py   pattern_of()                  rising, falling, flat, appeared, gone
"""
