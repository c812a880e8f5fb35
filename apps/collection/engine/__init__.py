"""
When to read, and whether there is room; pure: no Django, no database.

slots.py       which moments a target is due at; what has closed
disk.py        the room on the disk of the data folder, and for how long it lasts
"""
