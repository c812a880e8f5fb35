"""
The arithmetic of reports, pure: no Django, no database, no clock.

week.py         Week: an ISO week
"""
