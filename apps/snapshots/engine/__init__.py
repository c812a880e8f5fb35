"""
The arithmetic of readings and figures, pure: no Django, no database, no clock.

rates.py       intervals()                counters → differences, aware of restarts
days.py        which reading ends which day, which day is closed
readings.py    what was read, as tables of successive readings
reading_window.py figure_of()             a figure over a stretch of readings
day_readings.py which readings bound a day; a figure between each two of them
figures.py     day_figures()              all figures of a day, with their reductions
database_figures.py combine_instances()   figures of instances → those of their database
workings.py    workings()                 the arithmetic behind a figure, written out
"""
