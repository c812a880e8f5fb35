"""The method's figures for thresholds, from readings through figures and review to the pages."""

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, Story, host, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.review.nightly import review_targets
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.check import check_thresholds
from apps.thresholds.engine.notation import parse_notation
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.limits import with_unit
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.packs import load_packs
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
MB, SECONDS = 1024**2, 86400


def oracle(name: str = "PAYPRD") -> Target:
    prepare()
    return Target.objects.create(
        name=name, kind="instance", platform="oracle", collector="none", registered_at=BOOT
    )


def a_day(target: Target, per_second: Mapping[str, float], on: date = TODAY) -> None:
    """A day on which these counters of v$sysstat grew so much a second."""
    counted = [get_metric(key) for key in per_second]
    category = counted[0].category
    for days in (0, 1):
        slot = datetime.combine(on + timedelta(days=days), time(0, 5), UTC)
        values = {(metric.key, ""): 1e9 + days * SECONDS * per_second[metric.key] for metric in counted}
        sources = [ReadSource(category=category, values=values)]
        record_snapshot(target, sources, slot=slot, captured_at=slot, started_at=BOOT)
    roll_up_day(target, on, NOW)


def limit(metric: str, notation: str, **rest: object) -> Threshold:
    (made,) = add_threshold(metric, notation, now=BOOT, **rest)  # type: ignore[arg-type]
    return made


def test_THR1_redo_a_day_cannot_exceed_50_GB_with_its_course_of_action_and_owner():
    target, owner = oracle(), User.objects.create(username="dba")
    plan = "Revisit the redo configuration."
    limit("redo_size", "<=50 GB/day", target=target, owner=owner, plan=plan)

    a_day(target, {"redo_size": 9.45 * MB})

    (violation,) = check_thresholds(target, TODAY, NOW).opened
    assert (violation.owner, violation.threshold.plan) == (owner, plan)  # type: ignore[union-attr]
    assert violation.value == pytest.approx(797, abs=0.5)


def test_THR3_nine_and_a_half_MB_a_second_are_797_GB_a_day_sixteen_times_the_limit():
    target = oracle()
    typed = limit("redo_size", "<=0.593 MB/s", target=target)

    a_day(target, {"redo_size": 9.45 * MB})

    (violation,) = check_thresholds(target, TODAY, NOW).opened
    assert typed.unit == "GB/day"
    assert typed.high == pytest.approx(50, abs=0.05)
    assert violation.value is not None
    assert violation.value / 50 == pytest.approx(16, abs=0.1)


def test_THR4_a_ratio_of_two_counters_carries_a_limit():
    target = oracle()
    limit("redo_retries_per_entry", "<0.0002", target=target)

    a_day(target, {"redo_buffer_allocation_retries": 3.8, "redo_entries": 13326})

    (violation,) = check_thresholds(target, TODAY, NOW).opened
    metric: Metric = get_metric("redo_retries_per_entry")
    share = (violation.value or 0) / (100 if metric.is_percent else 1)
    assert share == pytest.approx(0.000285, abs=5e-7)


def test_the_suggestion_for_redo_retries_counts_the_slides_ratio_as_a_share():
    """W9: a ratio of 0.0002 is 0.02 %; the suggestion was off by a hundred and fired on every day."""
    (pack,) = (pack for pack in load_packs() if pack.name == "suggestions")
    warning, critical = [
        parse_notation(limit.notation, "%")[0].high
        for limit in pack.limits
        if limit.statistic == "redo_retries_per_entry"
    ]

    assert warning is not None
    assert critical is not None
    assert 100 * 0.0001 <= warning < 100 * 0.0002 < critical <= 1


@pytest.mark.parametrize(
    ("notation", "printed"), [("<0.01 %", "<0.01 %"), ("1 %..20 %", "1..20 %"), ("<5", "<5 %")]
)
def test_a_unit_is_printed_once(notation, printed):
    """W9: the suggestion read "<0.0001 % %"."""
    assert with_unit(limit("redo_retries_per_entry", notation, target=oracle())) == printed


def test_THR5_host_statistics_have_limits_too():
    prepare()
    target = host(interval_minutes=60)
    limit("x_busy_pct:p95", "<80", target=target)
    limit("x_busy_pct", "<80", target=target)
    for hour in range(25):
        slot = datetime.combine(TODAY, time(), UTC) + timedelta(hours=hour)
        busy = {("x_busy_pct", ""): 95.0 if 9 <= hour < 12 else 30.0}
        record_snapshot(
            target, [ReadSource(category=925, values=busy)], slot=slot, captured_at=slot, started_at=BOOT
        )
    roll_up_day(target, TODAY, NOW)

    checked = check_thresholds(target, TODAY, NOW)

    assert [(violation.metric, violation.value) for violation in checked.opened] == [("x_busy_pct:p95", 95)]
    assert checked.states["x_busy_pct", "", "value"] is FigureState.COMFORTABLE


def test_THR7_the_review_is_daily_and_its_list_of_violations_is_where_people_enter(client: Client):
    prepare()
    target = instance("DAILY")
    limit("x_used", "10", target=target)
    Story(target).day(TODAY, used={"DATA": 11})

    review_targets([target], TODAY, NOW, forecasts=False)

    target.refresh_from_db()
    assert target.reviewed_through == TODAY
    client.force_login(User.objects.create_user("planner", may_change=True))
    page = client.get(reverse("violations")).content.decode()
    assert "One figure is over its limit" in page
    assert Violation.objects.get().get_absolute_url() in page


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_target_that_left_is_judged_no_more_and_its_limits_leave_the_list(client: Client):
    prepare()
    target = instance("GONE")
    limit("x_used", "10", target=target)
    client.force_login(User.objects.create_user("planner", may_change=True))
    assert "GONE" in client.get(reverse("thresholds")).content.decode()

    target.retired_at = NOW
    target.save()

    assert "GONE" not in client.get(reverse("thresholds")).content.decode()


def test_of_overlapping_limits_one_applies_and_one_violation_opens():
    prepare()
    target = instance("TWICE")
    loose, strict = limit("x_used", "20", target=target), limit("x_used", "10", target=target)
    Story(target).day(TODAY, used={"DATA": 25})

    (violation,) = check_thresholds(target, TODAY, NOW).opened

    assert violation.threshold == strict
    (row,) = (row for row in profile_of(target, TODAY).rows if row.row.component == "DATA")
    assert [list(applicable.over) for applicable in row.applying] == [[loose]]


@pytest.mark.parametrize(
    ("days", "notation", "expected"),
    [
        ([5.0] * 6, "10", "......"),
        ([0.0] * 6, "0", "......"),
        ([0.0] * 6, ">=1", "oc" + "c" * 4),
        ([11.0], "10", "o"),
        ([11.0] * 6, "10", "occccc"),
        ([math.nan, 11.0, math.nan, 11.0], "10", ".occ"),
        ([math.nan] * 3, "10", "..."),
    ],
    ids=[
        "constant",
        "zeros",
        "zeros under a lower limit",
        "one point",
        "passed already",
        "not a number",
        "no number at all",
    ],
)
def test_odd_series_are_judged_like_any_other(days, notation, expected):
    prepare()
    target = instance("ODD")
    limit("x_used", notation, target=target)
    story, steps = Story(target), ""
    for back, value in zip(range(len(days) - 1, -1, -1), days, strict=True):
        on = TODAY - timedelta(days=back)
        story.day(on, used={"DATA": value})
        checked = check_thresholds(target, on, NOW)
        steps += "o" if checked.opened else "c" if checked.continued else "."

    assert steps == expected


def test_a_clock_in_the_past_opens_nothing_on_days_that_are_not_there():
    prepare()
    target = instance("PAST")
    limit("x_used", "10", target=target)
    Story(target).day(TODAY, used={"DATA": 11})

    assert not check_thresholds(target, date(1999, 1, 1), NOW).opened
    assert len(check_thresholds(target, TODAY, NOW).opened) == 1
