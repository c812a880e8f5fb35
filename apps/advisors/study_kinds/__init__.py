"""The kinds of studies, a module each: days.py holds whole days against each other, hours.py their peak hours, runs.py two runs of benchmarks."""
