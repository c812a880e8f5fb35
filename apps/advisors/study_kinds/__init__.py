"""The kinds of studies, a module each: days.py holds whole days against each other, hours.py their peak hours."""
