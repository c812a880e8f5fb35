"""
Who may do what.

models.py    User, with the one right that matters so far: who may change thresholds, targets and schedules
management/  ensure_administrator: the first account
"""
