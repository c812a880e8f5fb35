"""What kind of answer is behind the name of an address: a page to look at, a file, a deed."""

from apps.web.urls import urlpatterns

SIGNED_OUT = {"sign_in", "host_push", "driver_push", "run_push", "experience_push"}
POSTS = {
    "host_push",
    "driver_push",
    "run_push",
    "experience_push",
    "sign_out",
    "demo_open",
    "target_pin",
    "target_pause",
    "target_collect",
    "targets_change",
    "targets_undo",
    "threshold_withdraw",
    "thresholds_bulk",
    "pack_apply",
    "subscriber_test",
    "violations_acknowledge",
    "violation_step",
    "violation_owner",
    "violation_diagnosis",
    "violation_comment",
    "action",
    "action_add",
    "action_order",
    "attachment_add",
    "violation_template",
    "study_windows",
    "study_figure_add",
    "study_figure_remove",
    "person_password",
    "trend_change",
    "trend_change_add",
    "change_step",
    "finding_dismiss",
    "rule_setting_withdraw",
}
FILES = {
    "thresholds_export",
    "target_csv",
    "statistic_csv",
    "weekly_report_file",
    "study_paper",
    "attachment",
    "violation_calendar",
    "person_calendar",
}
PROPOSALS = {"target_host", "target_database"}  # there only while an instance proposes something
OF_A_TEST = {"connection_test"}  # there for minutes, for whoever asked for it
FRAGMENTS = {"statistic_options"}  # what a field offers while somebody types
WHEN_ASKED = {"unsent", "statistic_glance", "statistic_record"}  # after an interrupted form; within a page
PAGES = sorted(
    {str(pattern.name) for pattern in urlpatterns}
    - POSTS
    - FRAGMENTS
    - PROPOSALS
    - OF_A_TEST
    - SIGNED_OUT
    - FILES
    - WHEN_ASKED
)
