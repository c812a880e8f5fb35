"""Partitions are made ahead of time and dropped when their time is over; figures can be made again from readings."""

import io
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.collection.tests.scripted import TODAY, Story, committed, days_before, instance, prepare, register
from apps.inventory.models import Target
from apps.snapshots.history import read_days
from apps.snapshots.models import Coverage, Figure, Snapshot
from apps.snapshots.retention import ensure_ahead, ensure_partitions, first_of_month, partitions, prune


@pytest.mark.parametrize(
    ("on", "months", "expected"),
    [
        (date(2026, 6, 30), 0, date(2026, 6, 1)),
        (date(2026, 11, 5), 3, date(2027, 2, 1)),
        (date(2026, 1, 31), -1, date(2025, 12, 1)),
    ],
)
def test_months_are_counted_from_their_first_day(on, months, expected):
    assert first_of_month(on, months) == expected


@pytest.mark.django_db
def test_partitions_are_there_for_last_month_this_one_and_the_next_three():
    ensure_ahead(date(2031, 11, 15))

    months = {date(2031, 10, 1), date(2031, 11, 1), date(2031, 12, 1), date(2032, 1, 1), date(2032, 2, 1)}
    assert months <= set(partitions("snapshot"))
    assert months <= set(partitions("figure"))


@pytest.mark.django_db
def test_partitions_that_are_there_are_left_alone():
    ensure_ahead(date(2031, 11, 15))

    assert ensure_ahead(date(2031, 11, 16)) == []


@committed
def test_what_lies_wholly_before_what_is_kept_is_dropped_and_nothing_else():
    ensure_partitions([date(2001, month, 1) for month in (1, 2, 3)])
    today = date(2001, 4, 2)
    before = set(partitions("figure"))

    dropped = prune(today, reading_days=45, figure_days=80)

    assert {name for name in dropped if "_2001_" in name} == {
        "snapshot_2001_01"
    }  # 16 February is kept, 12 January as well
    assert date(2001, 2, 1) in partitions("snapshot")
    assert set(partitions("figure")) == before
    assert prune(today, reading_days=45, figure_days=80) == []
    prune(date(2001, 9, 1), reading_days=45, figure_days=80)
    assert not {month for month in partitions("snapshot") if month.year == 2001}


@pytest.fixture
def rolled_up() -> Target:
    register()
    prepare()
    target = instance()
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 6)):
        begins, _ = story.slots(on)
        restarted = begins + timedelta(hours=9) if number == 3 else None
        story.day(
            on, redo=10 + number, calls=5, waits={"log file sync": (1000 * number, 5)}, used={"DATA": number}, restarted_at=restarted
        )  # fmt: skip
    return target


def rows(target: Target) -> list[object]:
    frame = read_days(target, days_before(TODAY, 6)).sort_index()
    covers = (
        Coverage.objects.filter(target=target, day__gt=TODAY - timedelta(days=6))
        .order_by("day")
        .values_list("day", "hours", "categories", "marks")
    )
    return [frame.round(9).to_json(), list(frame.index), *covers]


@pytest.mark.django_db
def test_figures_that_are_made_again_are_the_same(rolled_up):
    before = rows(rolled_up)
    Figure.objects.all()._raw_delete("default")
    Coverage.objects.all().delete()
    output = io.StringIO()

    call_command("rebuild_figures", target="SCRIPT", stdout=output)

    assert rows(rolled_up) == before
    assert not np.isnan(read_days(rolled_up, [TODAY]).to_numpy()).all()
    assert "SCRIPT: " in output.getvalue()


@pytest.mark.django_db
def test_making_figures_again_from_a_day_on_leaves_earlier_ones_alone(rolled_up):
    early = TODAY - timedelta(days=4)
    moments = dict(Coverage.objects.filter(day__lt=early).values_list("day", "pk"))
    Snapshot.objects.filter(bucket__lt=datetime(2026, 6, 20, tzinfo=UTC))._raw_delete("default")

    call_command("rebuild_figures", target="SCRIPT", since=early.isoformat(), stdout=io.StringIO())

    assert dict(Coverage.objects.filter(day__lt=early).values_list("day", "pk")) == moments


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": "NOBODY"}, "There is no target named NOBODY"),
        ({"since": "soon"}, "“soon” is not a day"),
        ({"since": "2999-01-01"}, "2999-01-01 lies in the future"),
    ],
)
def test_rebuilding_answers_bad_input_with_a_sentence(options, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("rebuild_figures", **options)
