"""The collection in one line a target."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import instance
from apps.inventory.models import Target

pytestmark = pytest.mark.django_db
SOUND = {"name": "v$sysstat", "category": 1, "seconds": 1.0, "series": 9, "error": ""}
BROKEN = SOUND | {"name": "dba_segments", "error": "SELECT on dba_segments is missing."}


def ran(target: Target, state: str, nights_ago: int = 0, **fields: object) -> CollectionRun:
    slot = timetable_of(target).last_slot(timezone.now()) - timedelta(days=nights_ago)
    values = {"sources": [SOUND], "seconds": 41.0} | fields
    return CollectionRun.objects.create(
        target=target, slot=slot, began_at=slot, ended_at=slot, state=state, **values
    )


def rows_of(client: Client) -> list[dict[str, str]]:
    answer = client.get(f"{reverse('collection')}?format=csv&table=readings")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_a_line_says_last_success_next_slot_how_long_and_what_failed(reader):
    target = instance("PARTLY")
    run = ran(target, "partial", sources=[SOUND, BROKEN])

    (row,) = rows_of(reader)

    assert (row["last reading"], row["sources"], row["took, s"]) == ("partial", "1 of 2", "41")
    assert row["last success"] == run.slot.isoformat()
    assert row["next expected"] == timetable_of(target).next_slot(timezone.now()).isoformat()
    assert (row["what happened"], row["next step"]) == (
        "SELECT on dba_segments is missing.",
        "Look at its runs",
    )


def test_what_waits_for_a_person_is_first_and_what_is_paused_is_not_expected(reader):
    for name, state in (("GOOD", "complete"), ("DOWN", "failed"), ("LOCKED", "failed")):
        ran(instance(name), state, reason="Nothing answers.")
    Target.objects.filter(name="LOCKED").update(blocked_because="The password has expired.")
    instance("PAUSED", is_paused=True)
    instance("NEW")

    rows = rows_of(reader)

    assert [(row["target"], row["last reading"]) for row in rows] == [
        ("LOCKED", "not read"), ("DOWN", "not read"), ("NEW", "not read yet"), ("PAUSED", "paused"), ("GOOD", "complete"),
    ]  # fmt: skip
    assert [bool(row["next expected"]) for row in rows] == [False, True, True, False, True]
    assert [row["next step"] for row in rows] == ["Give a new password", "Look at its runs", "", "", ""]


def test_each_of_the_last_days_is_a_square_and_a_column_of_the_file(reader):
    target = instance("DWPRD")
    ran(target, "complete", 1)
    ran(target, "failed", 0, reason="Nothing answers.")

    page = reader.get(reverse("collection")).content.decode()
    (row,) = rows_of(reader)

    assert re.findall(r'class="night is-(\w+)"', page)[-14:][-2:] == ["complete", "failed"]
    assert [label for head, label in row.items() if re.fullmatch(r"\d{4}-\d\d-\d\d", head)][-2:] == [
        "read in full",
        "not read",
    ]


def test_a_large_estate_shows_its_problems_and_says_how_many_more_there_are(reader):
    for number in range(45):
        ran(instance(f"T{number:02}"), "complete")

    short, whole = (reader.get(reverse("collection") + query).content.decode() for query in ("", "?all=1"))

    assert "5 more targets were read in full." in short
    assert "T44" not in short.partition("</table>")[0]
    assert "T44" in whole.partition("</table>")[0]
    assert len(rows_of(reader)) == 45
