"""The pattern report of a target and of a group, as page and file."""

import csv
import io
from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import BOOT, Story, instance, prepare
from apps.inventory.models import Group, Target
from apps.profiles.period_patterns import LEAST_DAYS, successive_periods
from apps.web.tests.scenes import NASTY, WAVE

pytestmark = pytest.mark.django_db

LAST = datetime.now(UTC).date() - timedelta(days=2)
SPAN = 70  # days: at least two whole months


def record_months(name: str, group: Group | None = None) -> Target:
    """Redo that grows by the day, hits that fall, DATA that stays, an event of the last month alone."""
    days = [LAST - timedelta(days=back) for back in range(SPAN, -1, -1)]
    prepare(*days)
    target = instance(name, registered_at=BOOT, group=group)
    story = Story(target)
    begins = [month.first for month in successive_periods(LAST, 3, "month") if len(month) >= LEAST_DAYS][-1]
    for number, on in enumerate(days):
        wave = WAVE[number % 7]
        waits = {"log file sync": (1000.0, 8 + wave)} | ({NASTY: (1000.0, 2.0)} if on >= begins else {})
        story.day(
            on, redo=40 + number / 2 + wave, hits=97 - number / 10, used={"DATA": 100 + wave}, waits=waits
        )
    slot = timetable_of(target).last_slot(datetime.combine(LAST + timedelta(days=2), time(), UTC))
    CollectionRun.objects.create(
        target=target, slot=slot, began_at=slot, ended_at=slot, state="complete", series=9
    )
    return target


def rows(client: Client, address: str) -> dict[tuple[str, str, str], dict[str, str]]:
    lines = csv.DictReader(io.StringIO(client.get(f"{address}&format=csv").text))
    return {(row["target"], row["statistic"], row["component"]): row for row in lines}


def test_COL8_the_pattern_report_of_a_target(reader):
    target = record_months("DWPRD")
    address = f"{reverse('target_pattern', args=[target.pk])}?by=month&count=3"

    page = reader.get(address).text
    lines = rows(reader, f"{address}&pattern=all")

    assert lines["DWPRD", "redo", ""]["pattern"] == "rising"
    assert lines["DWPRD", "redo", ""]["for the worse"] == "yes"
    assert lines["DWPRD", "hits", ""]["pattern"] == "falling"
    assert lines["DWPRD", "used", "DATA"]["pattern"] == "flat"
    assert lines["DWPRD", "average wait", "log file sync"]["pattern"] == "flat"
    assert lines["DWPRD", "average wait", NASTY]["pattern"] == "appeared"
    assert "rising, worse" in page
    assert NASTY not in page
    assert "statistics of DWPRD, <strong>" in page
    assert reverse("target_compare", args=[target.pk]) in page


def test_the_pattern_report_of_a_group_has_what_the_profiles_show(reader):
    group = Group.objects.create(name="Warehouse & Co")
    record_months("DWPRD", group)
    record_months("OTHER")
    address = f"{reverse('patterns')}?count=3"

    mine = rows(reader, f"{address}&group=Warehouse+%26+Co&pattern=all")
    all_of_them = rows(reader, f"{address}&pattern=all")
    page = reader.get(f"{address}&group=Warehouse+%26+Co").text

    assert {target for target, _, _ in mine} == {"DWPRD"}
    assert {target for target, _, _ in all_of_them} == {"DWPRD", "OTHER"}
    assert mine["DWPRD", "redo", ""]["pattern"] == "rising"
    assert ("DWPRD", "redo per call", "") not in mine
    assert "statistics of Warehouse &amp; Co, <strong>" in page


def test_filters_are_in_the_address(reader):
    target = record_months("DWPRD")
    address = f"{reverse('target_pattern', args=[target.pk])}?count=3"

    assert {row["pattern"] for row in rows(reader, f"{address}&pattern=rising").values()} == {"rising"}
    assert {row["section"] for row in rows(reader, f"{address}&pattern=all&section=Space").values()} == {
        "Space"
    }
    assert {row["for the worse"] for row in rows(reader, f"{address}&pattern=worse").values()} == {"yes"}


def test_a_target_that_is_too_young_says_when(reader):
    empty = instance("EMPTY", registered_at=BOOT)

    for address in (reverse("target_pattern", args=[empty.pk]), f"{reverse('patterns')}"):
        page = reader.get(address)

        assert page.status_code == 200
        assert "Come back when" in page.text


QUESTIONS = (
    "by=year", "by=quarter", "by=quarter&count=8", "count=-1", "count=9999999999999", "count=٣", "pattern=%00", "section=%00",
    "on=1970-01-01", "on=2999-12-31", "group=%00", f"group={NASTY}", f"section={NASTY}&pattern={NASTY}",
)  # fmt: skip


def test_whatever_is_asked_is_answered(reader):
    target = record_months("DWPRD")

    for query in QUESTIONS:
        for address in (reverse("target_pattern", args=[target.pk]), reverse("patterns")):
            response = reader.get(f"{address}?{query}")

            assert response.status_code == 200, query
            assert NASTY not in response.text, query
