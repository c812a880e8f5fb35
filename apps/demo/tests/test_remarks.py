"""The notes of the estate: on the days they are told of, once, and gone with it."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.demo.load import set_up_demo
from apps.demo.remarks import REMARKS, write_remarks
from apps.demo.remove import remove_demo
from apps.profiles.models import Note

NOW = datetime(2026, 2, 18, 3, tzinfo=UTC)


@pytest.mark.django_db
def test_people_of_the_estate_noted_what_happened_and_it_goes_with_them():
    targets = {target.address["member"]: target for target in set_up_demo(120, NOW)}
    last_day = NOW.date() - timedelta(days=1)
    for target in [*targets.values(), targets["DWPRD"]]:
        write_remarks(target, last_day)

    assert Note.objects.count() == len(REMARKS)
    patched = Note.objects.get(text__startswith="Patch 19.24")
    assert (patched.target, patched.first_day) == (targets["DWPRD"], last_day - timedelta(days=37))

    verdicts = Note.objects.verdicts().order_by("first_day")
    assert [(note.target, note.verdict_in_words) for note in verdicts] == [
        (targets["PAYPRD"], "slow, said accounting"),
        (targets["PAYPRD"], "fine, said accounting"),
    ]

    remove_demo()
    assert not Note.objects.exists()


@pytest.mark.django_db
def test_what_lies_before_a_target_was_watched_is_left_out():
    targets = {target.address["member"]: target for target in set_up_demo(20, NOW)}

    write_remarks(targets["DWPRD"], NOW.date() - timedelta(days=1))

    assert [note.text for note in Note.objects.all()] == ["Load test of the new ETL."]
