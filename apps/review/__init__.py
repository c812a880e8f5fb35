"""
The whole method on one screen: what happens to a target once one of its days is closed.

nightly.py   review_targets(): roll up, profile, judge, predict, plan
waiting_days.py  which targets have closed days that were not reviewed yet
management/  the command review
"""
