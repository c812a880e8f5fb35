"""Where the pages are."""

from django.urls import path

from apps.web.pages.account import preference_views
from apps.web.pages.account import views as account
from apps.web.pages.baseline import views as baseline
from apps.web.pages.benchmarks import push_views as benchmark_push_views
from apps.web.pages.benchmarks import views as benchmarks
from apps.web.pages.calculators import views as calculators
from apps.web.pages.calendars import views as calendars
from apps.web.pages.case import due_day_views, file_views, plan_views, study_views
from apps.web.pages.case import views as case
from apps.web.pages.collection import views as collection
from apps.web.pages.compare import views as compare
from apps.web.pages.demo import views as demo
from apps.web.pages.detail_reports import views as detail_reports
from apps.web.pages.drivers import push_views as driver_push_views
from apps.web.pages.drivers import views as drivers
from apps.web.pages.estate import views as estate
from apps.web.pages.experience import push_views as experience_push_views
from apps.web.pages.experience import views as experience
from apps.web.pages.figure_files import views as figure_files
from apps.web.pages.find import views as find
from apps.web.pages.findings import views as findings
from apps.web.pages.forecast import views as forecast
from apps.web.pages.history import views as history
from apps.web.pages.host_files import push_views
from apps.web.pages.host_files import views as host_files
from apps.web.pages.notes import views as notes
from apps.web.pages.notices import views as notices
from apps.web.pages.packs import views as packs
from apps.web.pages.patterns import views as patterns
from apps.web.pages.people import views as people
from apps.web.pages.plan_templates import views as plan_templates
from apps.web.pages.promises import views as promises
from apps.web.pages.reads import views as reads
from apps.web.pages.reports import views as reports
from apps.web.pages.risks import views as risks
from apps.web.pages.rules import rule_list
from apps.web.pages.rules import views as rules
from apps.web.pages.schedules import views as schedules
from apps.web.pages.statistic import glance_views, pattern_views, record_views, related_views
from apps.web.pages.statistic import views as statistic
from apps.web.pages.studies import views as studies
from apps.web.pages.target import proposal_views, session_views
from apps.web.pages.target import views as target
from apps.web.pages.targets import (
    address_views,
    connection_test_views,
    editing_views,
    import_views,
    registration_views,
)
from apps.web.pages.targets import views as targets
from apps.web.pages.thresholds import bulk_views, picker_views
from apps.web.pages.thresholds import views as thresholds
from apps.web.pages.violations import views as violations
from apps.web.pages.walk import views as walk
from apps.web.pages.weekly_report import views as weekly_report
from apps.web.pages.what_if import trial_views
from apps.web.pages.what_if import views as what_if

urlpatterns = [
    path("", estate.estate, name="estate"),
    path("sign-in", account.SignIn.as_view(), name="sign_in"),
    path("sign-out", account.SignOut.as_view(), name="sign_out"),
    path("sign-in/unsent", account.unsent, name="unsent"),
    path("account", account.ChangePassword.as_view(), name="account"),
    path("account/preferences", preference_views.preferences, name="preferences"),
    path("risks", risks.risk_board, name="risks"),
    path("forecasts/account", promises.account, name="forecast_account"),
    path("findings", findings.findings, name="findings"),
    path("findings/<int:pk>/dismiss", findings.finding_dismiss, name="finding_dismiss"),
    path("rules", rule_list.rules, name="rules"),
    path("rules/<str:key>", rules.rule, name="rule"),
    path("rules/settings/<int:pk>/withdraw", rules.rule_setting_withdraw, name="rule_setting_withdraw"),
    path("what-if", what_if.what_if, name="what_if"),
    path("what-if/try", trial_views.try_out, name="what_if_try"),
    path("what-if/<int:pk>", what_if.scenario, name="scenario"),
    path("what-if/<int:pk>/remove", what_if.scenario_remove, name="scenario_remove"),
    path("planned-changes/<int:pk>/remove", what_if.change_remove, name="change_remove"),
    path("planned-changes/<int:pk>", what_if.change_step, name="change_step"),
    path("drivers", drivers.driver_list, name="drivers"),
    path("drivers/add", drivers.edit, name="driver_add"),
    path("drivers/<int:pk>", drivers.edit, name="driver"),
    path("drivers/<int:pk>/remove", drivers.remove, name="driver_remove"),
    path("push/driver", driver_push_views.push_driver, name="driver_push"),
    path("targets", targets.target_list, name="targets"),
    path("targets/change", targets.change, name="targets_change"),
    path("targets/change/undo", targets.take_back, name="targets_undo"),
    path("find", find.find, name="find"),
    path("targets/add/<str:key>", registration_views.add_target, name="target_add"),
    path("connection-tests/<str:token>", connection_test_views.connection_test, name="connection_test"),
    path("targets/import", import_views.import_targets, name="targets_import"),
    path("targets/<int:pk>", target.target, name="target"),
    path("targets/<int:pk>.csv", target.target_csv, name="target_csv"),
    path("targets/<int:pk>/violations", target.target_violations, name="target_violations"),
    path("targets/<int:pk>/walk", walk.walk, name="target_walk"),
    path("targets/<int:pk>/findings", findings.target_findings, name="target_findings"),
    path("targets/<int:pk>/collection", target.target_collection, name="target_collection"),
    path("targets/<int:pk>/all", target.target_all, name="target_all"),
    path("targets/<int:pk>/reports/<str:report>", detail_reports.report, name="target_report"),
    path("targets/<int:pk>/forecast", detail_reports.forecasts, name="target_forecast"),
    path("compare", compare.choose, name="compare"),
    path("targets/<int:pk>/compare", compare.compare, name="target_compare"),
    path("targets/<int:pk>/pattern", patterns.target_pattern, name="target_pattern"),
    path("patterns", patterns.group_pattern, name="patterns"),
    path("targets/<int:pk>/pin", preference_views.pin, name="target_pin"),
    path("targets/<int:pk>/sessions", session_views.sessions, name="target_sessions"),
    path("targets/<int:pk>/host", proposal_views.confirm_host, name="target_host"),
    path("targets/<int:pk>/database", proposal_views.confirm_database, name="target_database"),
    path("targets/<int:pk>/baseline", baseline.baseline, name="target_baseline"),
    path("targets/<int:pk>/promised", experience.experience, name="target_experience"),
    path("push/experience", experience_push_views.push_experience, name="experience_push"),
    path("targets/<int:pk>/files", host_files.target_files, name="target_files"),
    path("targets/<int:pk>/history", history.target_history, name="target_history"),
    path("figure-files", figure_files.figure_files, name="figure_files"),
    path("figure-files/<int:pk>", figure_files.figure_file, name="figure_file"),
    path("push/host", push_views.push_host, name="host_push"),
    path("targets/<int:pk>/edit", editing_views.edit_target, name="target_edit"),
    path("targets/<int:pk>/address", address_views.change_address, name="target_address"),
    path("targets/<int:pk>/password", editing_views.change_password, name="target_password"),
    path("targets/<int:pk>/pause", editing_views.pause_target, name="target_pause"),
    path("targets/<int:pk>/retire", editing_views.retire_target, name="target_retire"),
    path("targets/<int:pk>/collect", editing_views.collect_now, name="target_collect"),
    path("targets/<int:pk>/statistics/<str:metric>.csv", statistic.statistic_csv, name="statistic_csv"),
    path("targets/<int:pk>/statistics/<str:metric>/related", related_views.related, name="statistic_related"),
    path(
        "targets/<int:pk>/statistics/<str:metric>/patterns", pattern_views.patterns, name="statistic_patterns"
    ),
    path("targets/<int:pk>/statistics/<str:metric>/glance", glance_views.glance, name="statistic_glance"),
    path(
        "targets/<int:pk>/statistics/<str:metric>/record", record_views.track_record, name="statistic_record"
    ),
    path("targets/<int:pk>/statistics/<str:metric>/together", related_views.together, name="statistic_pair"),
    path("targets/<int:pk>/statistics/<str:metric>", statistic.statistic, name="statistic"),
    path("targets/<int:pk>/statistics/<str:metric>/forecast", forecast.forecast, name="statistic_forecast"),
    path("targets/<int:pk>/statistics/<str:metric>/trend", forecast.begin_trend, name="trend_change_add"),
    path("trend-changes/<int:pk>", forecast.decide_trend, name="trend_change"),
    path("thresholds", thresholds.threshold_list, name="thresholds"),
    path("statistics/options", picker_views.statistic_options, name="statistic_options"),
    path("thresholds/add", thresholds.add, name="threshold_add"),
    path("thresholds/packs", packs.pack_list, name="packs"),
    path("thresholds/packs/preview", packs.preview, name="pack"),
    path("thresholds/packs/apply", packs.apply, name="pack_apply"),
    path("thresholds/export.yaml", packs.export, name="thresholds_export"),
    path("thresholds/bulk", bulk_views.change_many, name="thresholds_bulk"),
    path("thresholds/preview", thresholds.preview, name="threshold_preview"),
    path("thresholds/<int:pk>", thresholds.edit, name="threshold"),
    path("thresholds/<int:pk>/withdraw", thresholds.withdraw, name="threshold_withdraw"),
    path("calendars", calendars.calendar_list, name="calendars"),
    path("calendars/add", calendars.edit, name="calendar_add"),
    path("calendars/<int:pk>", calendars.edit, name="calendar"),
    path("notes", notes.note_list, name="notes"),
    path("notes/add", notes.edit, name="note_add"),
    path("notes/<int:pk>", notes.edit, name="note"),
    path("violations", violations.violation_list, name="violations"),
    path("violations/acknowledge", violations.acknowledge, name="violations_acknowledge"),
    path("violations/<int:pk>", case.violation, name="violation"),
    path("violations/<int:pk>/step", case.step, name="violation_step"),
    path("violations/<int:pk>/owner", case.assign_to, name="violation_owner"),
    path("violations/<int:pk>/diagnosis", case.diagnosis, name="violation_diagnosis"),
    path("violations/<int:pk>/actions", plan_views.new_action, name="action_add"),
    path("violations/<int:pk>/actions/<int:action>", plan_views.edit_action, name="action"),
    path("violations/<int:pk>/actions/<int:action>/order", plan_views.order_action, name="action_order"),
    path("violations/<int:pk>/comments", case.comment, name="violation_comment"),
    path("violations/<int:pk>/files", file_views.add_attachment, name="attachment_add"),
    path("violations/<int:pk>/files/<int:attachment>", file_views.attachment, name="attachment"),
    path(
        "violations/<int:pk>/files/<int:attachment>/remove",
        file_views.remove_attachment,
        name="attachment_remove",
    ),
    path("violations/<int:pk>/study/windows", study_views.study_windows, name="study_windows"),
    path("violations/<int:pk>/study/figures", study_views.study_figure, name="study_figure_add"),
    path(
        "violations/<int:pk>/study/figures/<int:figure>/remove",
        study_views.remove_figure,
        name="study_figure_remove",
    ),
    path("violations/<int:pk>/template", plan_views.use_template, name="violation_template"),
    path("violations/<int:pk>/due.ics", due_day_views.violation_calendar, name="violation_calendar"),
    path("people/<int:pk>/due.ics", due_day_views.person_calendar, name="person_calendar"),
    path("studies", studies.studies, name="studies"),
    path("studies/add", studies.add, name="study_add"),
    path("studies/<int:pk>", studies.study, name="study"),
    path("studies/<int:pk>/paper", studies.study_paper, name="study_paper"),
    path("benchmarks", benchmarks.benchmarks, name="benchmarks"),
    path("benchmarks/add", benchmarks.add, name="benchmark_add"),
    path("benchmarks/<int:pk>", benchmarks.benchmark, name="benchmark"),
    path("push/run", benchmark_push_views.push_run, name="run_push"),
    path("calculators", calculators.calculators, name="calculators"),
    path("calculators/<str:key>", calculators.calculator, name="calculator"),
    path("plan-templates", plan_templates.template_list, name="plan_templates"),
    path("plan-templates/add", plan_templates.edit, name="plan_template_add"),
    path("plan-templates/<int:pk>", plan_templates.edit, name="plan_template"),
    path("reads", reads.reads, name="reads"),
    path("collection", collection.collection, name="collection"),
    path("reports/<str:key>", reports.report, name="report"),
    path("weekly-report", weekly_report.weekly_report, name="weekly_report"),
    path("weekly-report/<str:form>", weekly_report.weekly_report_file, name="weekly_report_file"),
    path("notices", notices.notices, name="notices"),
    path("notices/recipients/add", notices.edit_list, name="recipient_list_add"),
    path("notices/recipients/<int:pk>", notices.edit_list, name="recipient_list"),
    path("notices/subscribers/add", notices.edit_subscriber, name="subscriber_add"),
    path("notices/subscribers/<int:pk>", notices.edit_subscriber, name="subscriber"),
    path("notices/subscribers/<int:pk>/test", notices.test_subscriber, name="subscriber_test"),
    path("people", people.people, name="people"),
    path("people/add", people.add, name="person_add"),
    path("people/<int:pk>", people.edit, name="person"),
    path("people/<int:pk>/password", people.reset_password, name="person_password"),
    path("schedules", schedules.schedules, name="schedules"),
    path("demo", demo.demo, name="demo"),
    path("demo/open", demo.open_demo, name="demo_open"),
]
