"""
What we measured: readings as they were read, and the figures of a day that follow from them.

models.py      Series, Layout, Snapshot (as read), Figure and Coverage (per day), Fact (text, on change), FailedSource, Sample (a view)
vectors.py     float arrays between numpy and PostgreSQL, in binary
dictionary.py  series and layouts by their identity, cached for the life of a process
vector_rows.py VectorTable               rows of vectors, laid out, and the statement that writes them
record.py      record_snapshot()          write one snapshot, in one transaction
engine/       the arithmetic, pure: rates, days, readings, reading_window, day_readings, figures, database_figures, workings
roll_up.py     roll_up_day()              readings → daily figures
write_day.py   prepare_day(), write_day()  the figures of a day, with how much of it was measured
imported_days.py  record_imported_days()   days of a file: figures at once; the better covered way gives a day's
given_days.py  store_given(), forget_given()  finished figures that somebody gave: they fill what nothing else tells
user_figures.py  store_user_figures()     what people give of days beside what is read
samples.py     read_samples()             one figure between each two readings
presence.py    Presence                   whether a figure is there, and if not, which way it is missing
coverage_facts.py  CoverageFacts        what is said of how much of a day was measured
window_coverage.py  WindowCoverage       how much of a window targets were measured over
recent_days.py  read_recent_days()       what the head of a target's pages says of its last days
day_coverage.py  read_coverage()         how much of days was measured, years of them at once
measured.py    Measured                  what was measured, what did not occur, what is missing and why, what counts
cover_flags.py CoverFlags                how days were covered for figures of one kind, as arrays
reasons.py     why_no_data()             why there is no figure, in words
not_measurable.py  reasons_by_statistic()  what a way of reading cannot give on any day, and what would
newest_facts.py  read_facts()            what targets said last of themselves
renames.py     renamed_rows()            what a release renamed
history.py     read_days(), read_trend()  figures as pandas
retention.py   partitions ahead of time, prune()
"""
