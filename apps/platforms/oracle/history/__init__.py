"""
What a database remembers of its past, without any licence.

statspack.py     Statspack's snapshots: counters, as a collector would have read them
archived_logs.py redo and switches by the archived logs and the log history
file_sizes.py    sizes of past days by backups: bounds
file_backups.py  read_file_backups()   what the control file and a recovery catalog remember of backups
configuration.py  parameters and patches: facts of past days
shots.py         shot_of()        readings of a moment in the past
session.py       open_history()   all of them, a day at a time
"""
