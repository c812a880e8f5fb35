"""
What to do about it.

diagnosis.py   performance problem or capacity constraint? what each number speaks for   (arithmetic)
windows.py     which days are compared, and how something grew           (arithmetic)
scene.py       what was measured of a target, its machine and what runs on it
evidence.py    diagnose_violations(): what speaks of the cause of each case of a target
sentences.py   tell(): a piece of evidence in a sentence
rules.py       rule(), advise(): what platforms advise on a statistic    (arithmetic)
observation.py advise_on(): the same of a target on a day
models.py      ActionPlan, Action, PlanTemplate, Comment, Attachment, StudyFigure
plan.py        plan_actions(), plan_target()
steps.py       what people do with a plan: decide, add, change, move, drop
course.py      Course, add_courses()       what platforms bring along
templates.py   courses of action kept for later, and apply_template()
outcome.py     what a change made of a figure                            (arithmetic)
study.py       study_of(): before and after of each figure named
kept.py        add_comment(), attach()
ics.py         calendar_file()                                           (arithmetic)
due.py         due days of a violation, or of a person, as entries of a calendar
"""
