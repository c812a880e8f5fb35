"""
What to do about it.

diagnosis.py   diagnose(): performance problem or capacity constraint?   (arithmetic)
evidence.py    the numbers a diagnosis rests on, read from the figures
models.py      ActionPlan, Action, PlanTemplate, Comment, Attachment, StudyFigure
plan.py        plan_actions()
steps.py       what people do with a plan: decide, add, change, move, drop
templates.py   courses of action kept for later, and apply_template()
outcome.py     what a change made of a figure                            (arithmetic)
study.py       study_of(): before and after of each figure named
kept.py        add_comment(), attach()
ics.py         calendar_file()                                           (arithmetic)
due.py         due days of a violation, or of a person, as entries of a calendar
"""
