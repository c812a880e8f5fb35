"""
What managers read: one module per report.

models.py   WeeklyReport: each report as it was composed, with its facts
week.py     Week: an ISO week                                     (arithmetic)
weekly.py   compose_weekly_report()
"""
