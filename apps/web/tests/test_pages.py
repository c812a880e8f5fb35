"""Every page opens for those who may see it, and holds whatever is typed into an address."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from django_celery_beat.models import PeriodicTask

from apps.advisors.models import (
    Action,
    Attachment,
    Benchmark,
    ChangeStudy,
    Finding,
    PlanTemplate,
    StudyFigure,
)
from apps.charts.figures import SPACE, short_day
from apps.collection.history.figure_files import give_file
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import instance
from apps.forecasting.models import Driver, PlannedChange, Scenario, TrendChange
from apps.inventory.models import Credential, Target
from apps.notices.models import RecipientList, Subscriber
from apps.people.models import User
from apps.platforms.registration import all_registrations
from apps.profiles.models import Note
from apps.reports.models import WeeklyReport
from apps.review.nightly import review_targets
from apps.snapshots.models import Coverage
from apps.thresholds.calendars import Calendar
from apps.thresholds.models import Threshold, Violation
from apps.web.tests.addresses import FILES, OF_A_TEST, POSTS, SIGNED_OUT
from apps.web.tests.scenes import FORMULA, NASTY, signed_in
from apps.web.urls import urlpatterns

pytestmark = pytest.mark.django_db

ONES_OWN = {"sign_out", "target_pin", "host_push", "driver_push", "run_push", "experience_push"}
ADMINISTRATORS = {"people", "person_add", "person"}
PLANNERS = {
    "connection_test",
    "targets_import",
    "target_add:instance",
    "target_add:host",
    "target_add:host-by-node-exporter",
    "target_add:host-by-files",
    "target_files",
    "target_history",
    "figure_files",
    "figure_file",
    "target_edit",
    "target_baseline",
    "target_address",
    "target_host",
    "target_database",
    "target_password",
    "target_retire",
    "threshold_add",
    "study_add",
    "benchmark_add",
    "threshold",
    "note_add",
    "note",
    "calendar_add",
    "pack",
    "calendar",
    "recipient_list_add",
    "recipient_list",
    "subscriber_add",
    "subscriber",
    "attachment_remove",
    "scenario_remove",
    "change_remove",
    "driver",
    "driver_add",
    "driver_remove",
    "plan_template",
    "plan_template_add",
}


@pytest.fixture
def planner(measured: Target) -> Client:
    return signed_in(is_planner=True)


@pytest.fixture
def reader(measured: Target) -> Client:
    return signed_in(is_planner=False)


KEYS = {"report": "processor_trends", "calculator": "log-buffer", "rule": "HP_MISSING"}


def addresses(target: Target) -> Iterator[tuple[str, str]]:
    """The name and address of every page."""
    violation = Violation.objects.filter(target=target).first()
    threshold = Threshold.objects.first()
    action = Action.objects.first()
    assert violation is not None
    assert threshold is not None
    assert action is not None
    pk_of = {"violation": violation.pk, "threshold": threshold.pk, "threshold_withdraw": threshold.pk}
    pk_of |= {"calendar": Calendar.objects.get().pk}
    attachment = Attachment.objects.get()
    of_violation = [name for name in POSTS if name.startswith(("violation_", "study_"))]
    pk_of |= dict.fromkeys([*of_violation, "violation_calendar", "action_add"], violation.pk)
    pk_of |= dict.fromkeys(("attachment", "attachment_add", "attachment_remove"), attachment.violation_id)
    pk_of |= {"plan_template": PlanTemplate.objects.get().pk}
    pk_of |= {"person_calendar": User.objects.get(username="owner").pk}
    pk_of |= dict.fromkeys(("scenario", "scenario_remove"), Scenario.objects.get().pk)
    pk_of |= dict.fromkeys(("change_step", "change_remove"), PlannedChange.objects.get().pk)
    pk_of["trend_change"] = TrendChange.objects.get().pk
    pk_of["note"] = Note.objects.get().pk
    pk_of |= dict.fromkeys(("driver", "driver_remove"), Driver.objects.get().pk)
    today = datetime.now(UTC).date()
    days = {"opened_on": today, "seen_on": today, "reviewed_on": today, "weight": "warning"}
    finding, _ = Finding.objects.get_or_create(target=target, rule="TS_PCT", defaults=days)
    pk_of["finding_dismiss"] = finding.pk
    windows = dict.fromkeys(("before_from", "before_to", "after_from", "after_to"), today)
    change, _ = ChangeStudy.objects.get_or_create(
        target=target, question=NASTY, change=NASTY, defaults={**windows, "made_at": datetime.now(UTC)}
    )
    pk_of |= dict.fromkeys(("study", "study_paper"), change.pk)
    runs = [{"parameters": [NASTY], "figures": {NASTY: [number, 2]}} for number in (1, 3)]
    runs[1]["parameters"] = ["b"]
    columns = {"target": target, "parameters": [NASTY], "figures": [NASTY], "runs": runs}
    series, _ = Benchmark.objects.get_or_create(
        name=NASTY, defaults={**columns, "made_at": datetime.now(UTC)}
    )
    pk_of["benchmark"] = series.pk
    pk_of["figure_file"] = give_file(NASTY, b"day,value\n2026-02-01,1\n", None, None, datetime.now(UTC)).pk
    pk_of |= {"recipient_list": RecipientList.objects.get().pk}
    pk_of |= dict.fromkeys(("subscriber", "subscriber_test"), Subscriber.objects.get().pk)
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        assert pattern.name is not None
        arguments: dict[str, object] = {}
        for name in pattern.pattern.converters:
            keys = {"metric": "x_used", "action": action.pk, "attachment": attachment.pk, "form": "pdf"}
            keys |= {"report": "space", "figure": StudyFigure.objects.get().pk}
            arguments[name] = keys.get(name, pk_of.get(pattern.name, target.pk))
        if pattern.name in ("action", "action_order", "study_figure_remove"):
            arguments["pk"] = action.plan.violation_id
        if pattern.name in KEYS:
            arguments["key"] = KEYS[pattern.name]
        if pattern.name == "target_add":
            for registration in all_registrations():
                yield f"target_add:{registration.key}", reverse("target_add", args=[registration.key])
            continue
        yield pattern.name, reverse(pattern.name, kwargs=arguments)


def pages(target: Target) -> list[tuple[str, str]]:
    return [(name, address) for name, address in addresses(target) if name not in POSTS | OF_A_TEST]


def test_every_page_opens_for_a_planner_and_shows_no_password(planner, measured):
    password = Credential.objects.get().password.token.encode()
    for name, address in pages(measured):
        response = planner.get(address)

        expected = 302 if name == "sign_in" else 403 if name in ADMINISTRATORS else 200
        assert response.status_code == expected, name
        assert "no-store" in response["Cache-Control"], name  # S14: nothing stays in a cache
        assert "camera=()" in response["Permissions-Policy"], name
        assert b"tiger" not in response.content, name
        assert password not in response.content, name


def test_every_page_sends_those_who_are_not_signed_in_to_the_sign_in(client, measured):
    for name, address in addresses(measured):
        for response in (client.get(address), client.post(address)):
            if name not in SIGNED_OUT:
                assert response.status_code == 302, name
                assert response["Location"].startswith(reverse("sign_in")), name


def test_a_reader_sees_everything_and_changes_nothing(reader, measured):
    before = [
        list(model.objects.order_by("pk").values_list("pk", flat=True))
        for model in (Target, Threshold, Violation, Action)
    ]
    for name, address in addresses(measured):
        if name in ("sign_in", "sign_out", "account"):
            continue
        expected = 405 if name in POSTS else 403 if name in PLANNERS | ADMINISTRATORS else 200
        assert reader.get(address).status_code == expected, name

    for name, address in addresses(measured):
        if name in PLANNERS | (ADMINISTRATORS - {"people"}) | (POSTS - ONES_OWN) | {"demo", "weekly_report"}:
            assert reader.post(address, {"to": "acknowledged", "text": "x"}).status_code == 403, name
    job = PeriodicTask.objects.get(task="worker.tasks.compose_report")
    fields = {"job": job.pk, "hour": 9, "minute": 0, "weekday": "1", "zone": "UTC", "enabled": "on"}
    assert reader.post(reverse("schedules"), fields).status_code == 403

    after = [
        list(model.objects.order_by("pk").values_list("pk", flat=True))
        for model in (Target, Threshold, Violation, Action)
    ]
    assert after == before
    assert not Target.objects.filter(is_paused=True).exists()
    assert Violation.objects.filter(state="open").count() == Violation.objects.count()


def test_a_target_that_was_never_read_has_pages(planner):
    empty = instance("EMPTY", registered_at=datetime.now(UTC))
    for name in (
        "target",
        "target_csv",
        "target_violations",
        "target_collection",
        "target_all",
        "target_edit",
    ):
        assert planner.get(reverse(name, args=[empty.pk])).status_code == 200, name
    assert planner.get(reverse("statistic", args=[empty.pk, "x_used"])).status_code == 200


# ── what is typed ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_no_name_becomes_markup(planner, measured):
    scripts = 0
    for name, address in pages(measured):
        if name in FILES:
            continue
        html = (
            planner.get(f"{address}?component={NASTY}&q={NASTY}&week=").content.decode()
            if name != "weekly_report"
            else planner.get(address).content.decode()
        )
        assert "<script>alert" not in html, name
        scripts += html.count("&lt;script&gt;alert")
    assert scripts > 10


def test_a_spreadsheet_takes_no_cell_for_a_formula(planner, measured):
    address = reverse("target_csv", args=[measured.pk])

    response = planner.get(address)

    rows = list(csv.reader(io.StringIO(response.content.decode())))
    cells = [cell for row in rows for cell in row]
    assert f"'{FORMULA}" in cells
    assert not [cell for cell in cells if cell[:1] in "=+@\t\r" and cell]
    assert not [cell for cell in cells if cell.startswith("-") and not re.fullmatch(r"-[\d.e+-]+", cell)]
    assert "<" not in response["Content-Disposition"]
    assert response["Content-Type"].startswith("text/csv")


@pytest.mark.parametrize("name", ["target", "target_csv"])
def test_O7_the_file_of_a_profile_says_how_long_its_figures_were_measured(planner, measured, name):
    day = Coverage.objects.filter(target=measured).latest("day")
    day.categories["921"] |= {"hours": 72.0, "spans": 3}
    day.save()

    response = planner.get(reverse(name, args=[measured.pk]), {"on": day.day.isoformat(), "format": "csv"})

    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    (redo,) = (row for row in rows if row["statistic"] == "x_redo")
    assert (redo["hours"], redo["spans_days"]) == ("72", "3")
    assert redo["measured over"] == f"{short_day(day.day)}: spans 3 days, quoted per day".replace(SPACE, " ")


IMPOSSIBLE = [
    "on=2026-02-30",
    "on=yesterday",
    "on=0001-01-01",
    "on=9999-12-31",
    "on=1900-01-01",
    "on=",
    "on=%00",
    "days=-5",
    "days=1e9",
    "component=%00",
    "q=%00",
    "component=nothing",
]


def test_an_impossible_question_is_answered_by_a_page(planner, measured):
    for query in IMPOSSIBLE:
        for name in ("target", "target_csv", "target_violations", "target_all", "target_collection"):
            assert planner.get(f"{reverse(name, args=[measured.pk])}?{query}").status_code == 200, name
        for name in ("statistic", "statistic_csv"):
            assert planner.get(f"{reverse(name, args=[measured.pk, 'x_used'])}?{query}").status_code == 200, (
                name
            )


TYPED = ["%00", "-1", "1e99", "x" * 3000, "[", "%F0%9F%92%A9", "..", "<5"]
FIELDS = ("q", "shown", "target", "metric", "component", "state", "group", "sort", "kind", "platform")


@pytest.mark.parametrize("turn", range(len(TYPED)))
def test_whatever_is_typed_into_filters_and_previews_gets_a_page(planner, measured, turn):
    """Into all fields at once, and into each alone by turns."""
    typed = TYPED[turn]
    for name in ("targets", "violations", "thresholds", "collection", "threshold_add"):
        for fields in (FIELDS, *((field,) for field in FIELDS[turn :: len(TYPED)])):
            query = "&".join(f"{field}={typed}" for field in fields)
            assert planner.get(f"{reverse(name)}?{query}").status_code == 200, (name, fields)
    arguments = {
        "target": str(measured.pk),
        "metric": "x_used",
        "component": "DATA",
        "figure": "value",
        "notation": "10",
    }
    for field in arguments:
        query = "&".join(f"{name}={typed if name == field else value}" for name, value in arguments.items())
        for name in ("threshold_preview", "threshold_add"):
            assert planner.get(f"{reverse(name)}?{query}").status_code == 200, (name, field)


@pytest.mark.parametrize("week", ["2026-W99", "0001-W01", "9999-W52", "soon", "%00", ""])
def test_an_impossible_week_is_not_found(planner, week):
    assert planner.get(f"{reverse('weekly_report')}?week={week}").status_code == 404


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("target", [10**9]), ("violation", [10**9]), ("threshold", [10**9]), ("target", [10**30])],
)
def test_what_does_not_exist_is_not_found(planner, name, arguments):
    assert planner.get(reverse(name, args=arguments)).status_code == 404


def test_an_unknown_statistic_is_not_found(planner, measured):
    assert planner.get(reverse("statistic", args=[measured.pk, "x_nothing"])).status_code == 404


# ── what planners do ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_limit_is_set_through_the_form_and_a_wrong_one_gets_a_sentence(planner, measured):
    fields = {"target": measured.pk, "metric": "x_redo", "notation": "1,5", "severity": "critical"}

    refused = planner.post(reverse("threshold_add"), fields)
    saved = planner.post(reverse("threshold_add"), fields | {"notation": "50 GB/day"})

    assert "has a comma; write decimals with a point" in refused.content.decode()
    assert saved.status_code == 302
    made = Threshold.objects.get(metric="x_redo")
    assert (made.notation, made.high, made.unit, made.severity, made.closes_after) == (
        "50 GB/day",
        50,
        "GB/day",
        "critical",
        3,
    )


def test_a_bare_number_asks_which_way_where_lower_is_worse(planner, measured):
    fields = {"target": measured.pk, "metric": "x_hit_pct", "notation": "95"}

    page = planner.post(reverse("threshold_add"), fields)

    assert "Lower is worse here: write &gt;=95 for at least" in page.content.decode()
    assert planner.post(reverse("threshold_add"), fields | {"notation": ">=95"}).status_code == 302


def test_a_withdrawn_limit_is_closed_by_the_next_review(planner, measured):
    threshold = Threshold.objects.get(component=NASTY)

    planner.post(reverse("threshold_withdraw", args=[threshold.pk]))
    review_targets([measured], datetime.now(UTC).date() - timedelta(days=1), datetime.now(UTC))

    closed = Violation.objects.get(component=NASTY)
    assert (closed.state, closed.closed_because) == ("resolved", "No threshold is set on it any more.")


def test_a_new_password_lets_a_target_be_read_again(planner, measured, monkeypatch):
    sent: list[object] = []
    monkeypatch.setattr(
        "worker.tasks.collect.apply_async", lambda *args, **options: sent.append((args, options))
    )
    Target.objects.update(blocked_because="ORA-01017: the password is wrong.")

    planner.post(
        reverse("target_password", args=[measured.pk]), {"username": "HEADROOM", "password": "lion's secret"}
    )

    measured.refresh_from_db()
    assert not measured.is_blocked
    assert len(sent) == 1
    assert "lion" not in str(sent)


def test_pausing_and_retiring_keep_the_history(planner, measured):
    planner.post(reverse("target_pause", args=[measured.pk]))
    assert Target.objects.get(pk=measured.pk).is_paused

    planner.post(reverse("target_retire", args=[measured.pk]))

    assert Target.objects.get(pk=measured.pk).retired_at is not None
    assert planner.get(reverse("target", args=[measured.pk])).status_code == 200
    assert CollectionRun.objects.filter(target=measured).exists()


def test_the_report_of_a_past_week_opens_as_it_was_composed(planner, measured):
    report = WeeklyReport.objects.get()
    Violation.objects.all().delete()

    html = planner.get(f"{reverse('weekly_report')}?week={report.week}").content.decode()

    assert report.week in html


def test_posts_are_refused_without_their_token(measured):
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create(username="p", may_change=True))

    assert client.post(reverse("target_pause", args=[measured.pk])).status_code == 403
    assert not Target.objects.get(pk=measured.pk).is_paused
