"""
Who may do what.

models.py    User
roles.py     reader, planner, administrator; what administrators do with people
management/  ensure_administrator: the first account
"""
