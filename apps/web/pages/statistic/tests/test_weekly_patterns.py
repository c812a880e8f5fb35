"""The patterns of a statistic as a page: weekdays from daily figures, hours from readings, and why there are none."""

import csv
import io
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import LOAD, WORK, Story, days_before, host, instance, prepare
from apps.inventory.models import Target
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day

pytestmark = pytest.mark.django_db
WEEKS = 5


@pytest.fixture(scope="module")
def last() -> date:
    return timezone.now().date() - timedelta(days=2)


def page(client: Client, target: Target, metric: str, **query: str) -> str:
    address = reverse("statistic_patterns", args=[target.pk, metric], query=query)
    return client.get(address).content.decode()


@pytest.fixture(scope="module")
def daily(module_db: None, last: date) -> Target:
    """Five weeks: on Sundays nothing is added to the tablespace and little redo is written."""
    days = days_before(last, 7 * WEEKS)
    prepare(*days[::7], last)
    target = instance()
    story = Story(target)
    used = 1000.0
    for on in days:
        used += 0.0 if on.weekday() == 6 else 10.0 + on.weekday()
        story.day(on, redo=2 if on.weekday() == 6 else 40 + on.weekday(), used={"DATA": used})
    return target


def rows(client: Client, target: Target, metric: str, **query: str) -> list[dict[str, str]]:
    text = page(client, target, metric, format="csv", **query)
    return list(csv.DictReader(io.StringIO(text)))


def test_the_weekdays_of_a_rate_are_those_of_its_figures(reader, daily):
    html = page(reader, daily, "x_redo")

    assert "Saturdays are highest with 45 GB/day, Sundays lowest with 2." in html
    pattern_rows = rows(reader, daily, "x_redo", table="weekdays")
    assert [(row["when"], float(row["median"])) for row in pattern_rows][4:] == [
        ("Friday", pytest.approx(44)), ("Saturday", pytest.approx(45)), ("Sunday", pytest.approx(2)),
    ]  # fmt: skip
    assert sum(int(row["figures"]) for row in pattern_rows) == 7 * WEEKS


def test_the_weekdays_of_a_size_are_those_of_its_growth(reader, daily):
    html = page(reader, daily, "x_used", component="DATA")

    assert "median growth, MB/day" in html
    assert "Saturdays are highest with 15 MB/day, Sundays lowest with 0." in html


def test_a_target_that_is_read_once_a_day_says_why_its_hours_are_not_known(reader, daily):
    html = page(reader, daily, "x_redo")

    assert "SCRIPT is read once a day, so its hours cannot be told apart." in html


@pytest.fixture(scope="module")
def hourly(module_db: None, last: date) -> Target:
    return sampled(last, name="sampled")


def sampled(last: date, zone: str = "UTC", name: str = "scripthost") -> Target:
    """A host read hourly for four days; busy at three in the morning by its own clock."""
    target = host(name, interval_minutes=60, time_zone=zone)
    prepare(last)
    first = datetime.combine(last - timedelta(days=4), time(0, 0), UTC)
    for number in range(24 * 6):
        slot = first + timedelta(hours=number)
        began = slot - timedelta(hours=1)  # the reading tells of the hour before it
        busy = 80.0 if began.astimezone(target.zone).hour == 3 else 20.0
        source = ReadSource(category=LOAD, values={("x_busy_pct", ""): busy})
        record_snapshot(target, [source], slot=slot, captured_at=slot, started_at=None)
        CollectionRun.objects.create(
            target=target, slot=slot, began_at=slot, ended_at=slot, state="complete", series=1
        )
    for back in range(4):
        roll_up_day(target, last - timedelta(days=back), timezone.now())
    return target


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kolkata"])
def test_the_hours_of_a_target_that_is_read_hourly_are_those_of_its_own_clock(reader, last, zone):
    target = sampled(last, zone)

    html = page(reader, target, "x_busy_pct", on=last.isoformat())

    assert "3–4 h is highest with 80 %" in html
    assert f"hours of {zone}" in html


def test_a_reduction_has_the_hours_of_what_it_reduces(reader, hourly, last):
    pattern_rows = rows(reader, hourly, "x_busy_pct:p95", table="hours", on=last.isoformat())

    assert float(pattern_rows[3]["median"]) == 80
    assert float(pattern_rows[4]["median"]) == 20
    assert len(pattern_rows) == 24


def test_hours_of_a_counter_are_differences_and_a_gap_makes_none(reader, last):
    target = instance("HOURLY", interval_minutes=60)
    prepare(last)
    first = datetime.combine(last - timedelta(days=3), time(0, 0), UTC)
    total = 0.0
    for number in range(24 * 5):
        slot = first + timedelta(hours=number)
        total += 1024.0**3 * (2 if (slot - timedelta(hours=1)).hour == 5 else 1)
        if slot.hour in (11, 12, 13, 14):
            continue  # not read: nothing is told of the hours from ten to three
        source = ReadSource(category=WORK, values={("x_redo", ""): total, ("x_calls", ""): 0.0})
        record_snapshot(target, [source], slot=slot, captured_at=slot, started_at=first)
    for back in range(3):
        roll_up_day(target, last - timedelta(days=back), timezone.now())

    pattern_rows = rows(reader, target, "x_redo", table="hours", on=last.isoformat())

    assert float(pattern_rows[5]["median"]) == pytest.approx(48)  # GB a day
    assert float(pattern_rows[6]["median"]) == pytest.approx(24)
    assert [pattern_rows[hour]["figures"] for hour in (10, 11, 14)] == ["0", "0", "0"]


@pytest.mark.parametrize("query", [{"component": "nothing"}, {"on": "2026-02-30"}, {"on": "1990-01-01"}])
def test_whatever_is_asked_gets_a_page(reader, daily, hourly, query):
    for target in (daily, hourly):
        metric = "x_redo" if target.kind == "instance" else "x_busy_pct"
        address = reverse("statistic_patterns", args=[target.pk, metric], query=query)
        assert reader.get(address).status_code == 200


def test_htmx_gets_the_sections_alone(reader, daily):
    address = reverse("statistic_patterns", args=[daily.pk, "x_redo"])

    html = reader.get(address, headers={"HX-Request": "true"}).content.decode()

    assert "<!DOCTYPE" not in html
    assert html.count("<section") == 1  # hours of a daily reading take no room
