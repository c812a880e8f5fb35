"""
What to do about it.

engine/       the arithmetic, pure: diagnosis, windows, rules, finding_rules, rule_inputs, walks, outcome, benchmark, scaling, ics
case_figures.py  what was measured of a target, its machine and what runs on it
growers.py     read_growth(): what lies in a space, and what of it grew most
evidence.py    diagnose_violations(): what speaks of the cause of each case of a target
sentences.py   describe_evidence(): a piece of evidence in a sentence
observation.py advise_on(): the same of a target on a day
models.py      ActionPlan, Action, PlanTemplate, Comment, Attachment, StudyFigure
plan.py        plan_actions(), plan_target()
steps.py       what people do with a plan: decide, add, change, move, drop
plan_outlines.py  PlanOutline, add_plan_outlines()   what platforms bring along
templates.py   courses of action kept for later, and apply_template()
finding_models.py  Finding, RuleTrial, Dismissal: what rules said of targets
findings.py    try_rules(): findings opened, continued and closed, entered in a FindingBook (finding_book.py)
rule_readings.py  RuleReadings: what the rules of a target are tried on
rule_figures.py   RuleFigures: their inputs, resolved
rule_setting_models.py  RuleSetting, RuleSettingChange: parameters of rules as people set them
rule_settings.py  RuleSettings.parameters(), save_rule_setting(), withdraw_rule_setting()
rule_dry_run.py  dry_run_rule(): what other parameters would have done
rule_cases.py  cases_of(): the cases that prove a rule
standing_findings.py  read_standing_findings(): what stands, worst first; dismiss()
case_findings.py  find_case_findings(): those that bear on a case; offer_actions(): what they say to do
finding_text.py   write_condition(), write_input(): rules and evidence in words
walk_figures.py  walk_day(): the questions of a walk, answered by the figures of a host and its instances
study_plan.py  study_of(): the study of a plan; windows_of(), choose_windows(), add_figure()
study_figures.py  judge_figure(): one figure of two periods, against what was aimed at
study_models.py  ChangeStudy, StudyAim, StudyAcceptance, StudyCause
study_registry.py  StudyKind, find_kind(): which kinds of study there are, by the modules of study_kinds/
study_comparison.py  compare_study(): both windows of a study, with effects and intervals, as a StudyResult (study_result.py)
study_storage.py  compare_storage(): files and devices in both windows
study_scaling.py  scale_averages(): what they would be at more work
study_deeds.py  make_study(), add_aim(), accept_cost(), add_cause(), close_study(), propose_next_limits()
benchmark_models.py  Benchmark; benchmarks.py  save_benchmark(), receive_runs(): runs that were read by engine/benchmark.py
calculators.py Calculator, add_calculators()   what platforms compute from a handful of figures
calculator_inputs.py  read_input(), measured_inputs()   as they are typed, and as a target has them
attachments.py add_comment(), attach()
calendar_entries.py  due days of a violation, or of a person, as entries of a calendar
"""
