"""What was measured, told once: present, not present or no data, with the reason, and whether the day counts."""

from datetime import date, timedelta

import numpy as np
import pytest
from django.db import connection

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import TODAY, Story, instance, prepare
from apps.inventory.models import Target
from apps.profiles.differences import compare_periods
from apps.profiles.engine.periods import Period
from apps.snapshots.day_coverage import read_coverage
from apps.snapshots.dictionary import layout_id, series_ids
from apps.snapshots.measured import Measured, days_between, read_all, read_series, take_rows
from apps.snapshots.models import Coverage
from apps.snapshots.presence import Presence

pytestmark = pytest.mark.django_db

SYNC = "log file sync"
RENAMED = ("os thread startup", "os thread creation")


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def series(target: Target, key: str, component: str = "", days: int = 7) -> Measured:
    return read_series([target], [(key, component)], ago(days - 1), TODAY)[target.pk]


def test_what_was_read_and_did_not_occur_is_not_present_in_every_way_of_asking(target):
    story = Story(target)
    for back in range(7, -1, -1):
        story.day(
            ago(back),
            waits={"db file sequential read": (1000, 5)} | ({SYNC: (1000, 2)} if back in (7, 0) else {}),
        )

    by_series = series(target, "x_read_ms", SYNC, 8)
    in_all = read_all([target], days_between(ago(7), TODAY))[target.pk]
    row = in_all.row_of["x_read_ms", SYNC]

    presences = [by_series.presence(0, column) for column in range(8)]
    assert presences == [Presence.PRESENT, *[Presence.NOT_PRESENT] * 6, Presence.PRESENT]
    assert presences == [in_all.presence(row, column) for column in range(8)]


def test_a_day_that_was_not_read_is_no_data_and_says_so(target):
    story = Story(target)
    for back in (7, 6, 4):
        story.day(ago(back), waits={SYNC: (1000, 2)})

    measured = series(target, "x_waits", SYNC, 8)

    unread = measured.days.index(ago(5))
    assert measured.presence(0, unread) is Presence.NO_DATA
    assert measured.reason(0, unread) == f"{target.name} was not read"
    assert not measured.counts[0, unread]


def test_a_category_with_a_number_of_several_digits_is_known_when_it_is_asked_for_alone(target):
    Story(target).day(TODAY, used={"DATA": 100.0})

    cover = read_coverage([target.pk], [TODAY], [922])[target.pk][TODAY]

    assert set(cover.categories) == {"922"}
    assert not cover.missing(922)


def test_of_what_did_not_occur_the_total_is_0_and_the_average_has_no_value(target):
    story = Story(target)
    story.day(ago(1), waits={"db file sequential read": (1000, 5), SYNC: (100, 5)})
    story.day(TODAY, waits={"db file sequential read": (1000, 5)})

    measured = read_all([target], [ago(1), TODAY])[target.pk]

    assert measured.totals[measured.row_of["x_waits", SYNC], 1] == 0
    assert measured.totals[measured.row_of["x_wait_time", SYNC], 1] == 0
    assert np.isnan(measured.totals[measured.row_of["x_read_ms", SYNC], 1])
    assert np.isnan(measured.totals[measured.row_of["x_write_ms", SYNC], 1])


def test_weeks_are_compared_by_totals_over_all_days_that_were_read(target):
    """The same seconds under two names grow by the same share, on however many days the event occurred (W6)."""
    story = Story(target)
    for back in range(13, -1, -1):
        occurs = back < 7 or back in (8, 10, 12)
        waits = {"db file sequential read": (1000.0, 5.0)} | ({SYNC: (1000.0, 10.0)} if occurs else {})
        story.day(ago(back), waits=waits, cpu=10.0 if occurs else 0.0)

    comparison = compare_periods((target, Period(ago(13), ago(7))), (target, Period(ago(6), TODAY)))

    by_key = {(row.metric.key, row.component): row.judged for row in comparison.rows}
    waited, cpu = by_key["x_wait_time", SYNC], by_key["x_cpu", ""]
    assert cpu.percent == pytest.approx(100 * (7 - 3) / 3)
    assert waited.percent == pytest.approx(cpu.percent)
    assert (waited.before.read, waited.before.occurred) == (7, 3)
    assert by_key["x_read_ms", SYNC].percent == pytest.approx(0)


def test_a_day_measured_in_part_is_shown_with_its_hours_and_does_not_count(target):
    story = Story(target)
    story.day(ago(1), redo=40)
    story.day(TODAY, redo=1, restarted_at=story.slots(TODAY)[1] - timedelta(hours=6), used={"DATA": 1.0})

    redo, used = series(target, "x_redo", days=2), series(target, "x_used", "DATA", days=2)

    assert redo.presence(0, 1) is Presence.PRESENT
    assert redo.note(0, 1) == "measured over 6.0 hours"
    assert redo.counts[0].tolist() == [True, False]
    assert used.counts[0].tolist() == [True, True]  # what is read at a moment is never partial


def test_chosen_metrics_are_read_as_with_all_else_under_the_names_that_their_own_target_knows():
    """Another target's new name for an event moves nothing of a target that knows the old name alone."""
    prepare()
    old, new = RENAMED
    before, after = instance("BEFORE"), instance("AFTER")
    Target.objects.update(platform="oracle")
    _store(before, {("wait_count", old): 500.0, ("wait_avg_ms", old): 4.0, ("wait_count", "latch free"): 9.0})
    _store(after, {("wait_count", new): 700.0})

    whole = read_all([before, after], [TODAY])
    chosen = read_all([before, after], [TODAY], metrics={"wait_avg_ms"})

    for target in (before, after):
        averages = [key for key in whole[target.pk].keys if key[0] == "wait_avg_ms"]
        assert list(chosen[target.pk].keys) == averages
        of_all = take_rows(whole[target.pk], averages)
        assert chosen[target.pk].values.tolist() == of_all.values.tolist()
        assert chosen[target.pk].weight.tolist() == of_all.weight.tolist()
    assert chosen[before.pk].weight.tolist() == [[500.0]]


def _store(target: Target, figures: dict[tuple[str, str], float]) -> None:
    """Figures of today, in one vector."""
    category = get_metric("wait_avg_ms").category
    ids = sorted(zip(series_ids([(category, *name) for name in figures]), figures.values(), strict=True))
    layout = layout_id(category, 0, [pk for pk, _ in ids])
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO figure (target_id, category, part, day, captured_at, layout_id, "values")'
            " VALUES (%s, %s, 0, %s, now(), %s, %s)",
            [target.pk, category, TODAY, layout, [value for _, value in ids]],
        )
    Coverage.objects.create(target=target, day=TODAY, hours=24, categories={str(category): {"hours": 24}})
