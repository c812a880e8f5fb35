"""
How we measure: one reading of one target, told in full whether it succeeded or not.

collector.py   Collector, Reading, Collected, CollectionError, get_collector()
models.py      CollectionRun: when, how long, how many series, what failed
slots.py       which moments a target is due at; what has closed (arithmetic)
lease.py       at most one collection at a time for a target
moments.py     moments and days as operators type them
command.py     OperatorCommand: what the commands share
collect.py     collect_target()
today.py       which day "today" is, and which is the last that is closed
"""
