"""
The words: what can be measured, in which unit, and which way is worse. Arithmetic, no Django.

metric.py     Metric, Kind, Worse: the declaration of one statistic; Origin, Display, Ranking, Judging: its parts
section.py    Section: where statistics stand together
probe.py      probe(): what a formula is made of
window.py     Window: the readings of a stretch of time, as the formulas of ratios see them
units.py      units, their dimensions and conversions (bytes by 1024, time, per second, per day)
declarations.py find_declarations(): what the modules of a package declare
details.py    Detail, Listing, ListingColumn: which statistics stand together on a tab of a target
causes.py     what speaks of the cause of a figure
subjects.py   what the method reads beside a statistic: the subjects in which platforms meet
guests.py     Guests: what instances on one machine take of it, and their sums
storage_levels.py  FileLevel, DiskLevel, DeviceLevel: response of files, of disks and of the devices below them
process_names.py  ProcessName, name_process(): what the processes of a technology are called
trend_statistics.py  what is followed over three months of a machine's processors
splits.py     part_of(): which statistic a limit means by reads, or by writes
not_measurable.py  NotMeasurable: what no reading of a target can give, by the way it is read
experience.py what users experience: the statistics that targets of every platform have
registry.py   add_metrics(), find_metric(), metrics_of(): the catalogue the platforms fill at start-up
"""
