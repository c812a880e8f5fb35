"""Where the pages are."""

from django.urls import path

from apps.web.views import (
    account,
    collection,
    estate,
    reports,
    schedules,
    statistic,
    targets,
    thresholds,
    violations,
)

urlpatterns = [
    path("", estate.estate, name="estate"),
    path("sign-in", account.SignIn.as_view(), name="sign_in"),
    path("sign-out", account.SignOut.as_view(), name="sign_out"),
    path("account", account.ChangePassword.as_view(), name="account"),
    path("targets", targets.target_list, name="targets"),
    path("targets/add/instance", targets.add_instance, name="instance_add"),
    path("targets/add/host", targets.add_host, name="host_add"),
    path("targets/<int:pk>", targets.target, name="target"),
    path("targets/<int:pk>.csv", targets.target_csv, name="target_csv"),
    path("targets/<int:pk>/violations", targets.target_violations, name="target_violations"),
    path("targets/<int:pk>/collection", targets.target_collection, name="target_collection"),
    path("targets/<int:pk>/all", targets.target_all, name="target_all"),
    path("targets/<int:pk>/edit", targets.edit_target, name="target_edit"),
    path("targets/<int:pk>/password", targets.change_password, name="target_password"),
    path("targets/<int:pk>/pause", targets.pause_target, name="target_pause"),
    path("targets/<int:pk>/retire", targets.retire_target, name="target_retire"),
    path("targets/<int:pk>/collect", targets.collect_now, name="target_collect"),
    path("targets/<int:pk>/statistics/<str:metric>", statistic.statistic, name="statistic"),
    path("targets/<int:pk>/statistics/<str:metric>.csv", statistic.statistic_csv, name="statistic_csv"),
    path("thresholds", thresholds.threshold_list, name="thresholds"),
    path("thresholds/add", thresholds.add, name="threshold_add"),
    path("thresholds/preview", thresholds.preview, name="threshold_preview"),
    path("thresholds/<int:pk>", thresholds.edit, name="threshold"),
    path("thresholds/<int:pk>/withdraw", thresholds.withdraw, name="threshold_withdraw"),
    path("violations", violations.violation_list, name="violations"),
    path("violations/<int:pk>", violations.violation, name="violation"),
    path("violations/<int:pk>/actions/<int:action>", violations.move_action, name="action"),
    path("collection", collection.collection, name="collection"),
    path("weekly-report", reports.weekly_report, name="weekly_report"),
    path("schedules", schedules.schedules, name="schedules"),
    path("demo", schedules.demo, name="demo"),
]
