"""
What to do about it.

diagnosis.py   diagnose(): performance problem or capacity constraint?   (arithmetic)
evidence.py    the numbers a diagnosis rests on, read from the figures
models.py      ActionPlan, Action
plan.py        plan_actions()
"""
