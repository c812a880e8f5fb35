"""
When to read, and whether there is room; pure: no Django, no database.

csv_text.py    what every CSV that is given shares: its text, its lines, its numbers
user_days.py   read_user_days(): values of what users were promised
slots.py       which moments a target is due at; what has closed
tally.py       counters of what comes and goes, added up by what it belongs to
disk.py        the room on the disk of the data folder, and for how long it lasts
"""
