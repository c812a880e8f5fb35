"""
Where comfort ends: limits that people set, and the violations of them.

engine/       the arithmetic, pure: notation, day_notation, proposed_limit, plain_yaml
peak_hours.py targets_of_hours()         limits on clock hours, and the days to make up for
calendars.py  Calendar, read_excluded_days()   maintenance windows and known peaks
models.py     Threshold, Violation, Step
limits.py     limit_text()                 a limit as it is written, in the unit of its row
precedence.py find_applicable()            which threshold of several applies, and why
baseline.py    what “no change” means: inside the 5th to 95th percentile of a steady period
proposals.py  propose_limits()             one for each key statistic of a target
experience.py agree(), receive_values()    what users were promised, and the values of it that people give
satisfaction.py  dissatisfied_days()       on which days users were not satisfied, and the steady period without these
changes.py    ThresholdChange, CalendarChange   the history of limits and calendars: who changed what
register.py   add_threshold(), save_threshold(), withdraw_threshold()
calendar_register.py  save_calendar(), withdraw_calendar()
findings.py   take_findings()              figures, or their changes, as limits meet them: arrays
rule.py       judge(), JudgedSeries        what a limit says of figures; when a violation opens and closes
packs.py      parse_pack(), apply_pack()   limits as a YAML file
judge.py      profile_of()                 rows with their limit and state
series.py     components_of()              which series a review reads, and how far back
limit_reader.py  LimitReader          limits, components, calendars and figures, read once for all steps of a review
check.py      check_thresholds()           violations opened, continued, closed
judging_command.py  JudgingCommand        what the commands share that judge days
last_day.py   judge_last_days()            what limits without a case or forecast say of the last reviewed day
dry_run.py    dry_runs()                   what a limit would have done
case_steps.py take_step(), end_target()    the steps people take: acknowledge, begin, accept, assign; the end of a target
"""
