"""Two periods of what was collected, from readings."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.registry import metrics_of
from apps.collection.tests.scripted import TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow, Comparison, compare_periods
from apps.profiles.engine.periods import ChangeVerdict, Period
from apps.snapshots.dictionary import layout_id, series_ids
from apps.snapshots.models import Coverage

pytestmark = pytest.mark.django_db

WEEK = Period(TODAY - timedelta(days=6), TODAY)
WAVE = (0.2, -0.1, 0.3, -0.2, 0.1, -0.3, 0.0)


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def row(comparison: Comparison, key: str, component: str = "") -> ComparedRow:
    return next(row for row in comparison.rows if (row.metric.key, row.component) == (key, component))


def verdicts_of(comparison: Comparison) -> dict[tuple[str, str], ChangeVerdict]:
    return {(row.metric.key, row.component): row.judged.verdict for row in comparison.rows}


def test_weeks_of_a_target_are_compared_row_by_row(target):
    story = Story(target, classes={"rdbms ipc message": "Idle"})
    for number, on in enumerate(days_before(TODAY, 14)):
        wave, is_later = WAVE[number % 7], number >= 7
        waits = {"db file sequential read": (1000.0, 5 + wave / 10), "rdbms ipc message": (9e5, 100.0)}
        waits |= {"log file sync": (1000, 8 + wave)} if is_later else {"buffer busy waits": (500, 3 + wave)}
        story.day(
            on, redo=(60 if is_later else 40) + wave, calls=86400, cpu=100, waits=waits,
            hits=(90 if is_later else 97) + wave, used={"DATA": 100 + wave},
        )  # fmt: skip

    comparison = compare_periods((target, WEEK.earlier(7)), (target, WEEK))

    verdicts = verdicts_of(comparison)
    assert verdicts["x_redo", ""] is ChangeVerdict.WORSE
    assert verdicts["x_hit_pct", ""] is ChangeVerdict.WORSE
    assert verdicts["x_bytes_per_call", ""] is ChangeVerdict.HIGHER
    assert verdicts["x_read_ms", "db file sequential read"] is ChangeVerdict.SAME
    assert verdicts["x_read_ms", "log file sync"] is ChangeVerdict.APPEARED
    assert verdicts["x_read_ms", "buffer busy waits"] is ChangeVerdict.GONE
    assert ("x_read_ms", "rdbms ipc message") not in verdicts
    redo = row(comparison, "x_redo").judged
    assert (redo.before.read, redo.after.read) == (7, 7)
    assert (redo.before.mean, redo.after.mean) == (pytest.approx(40), pytest.approx(60))
    assert redo.percent == pytest.approx(50)
    assert (len(comparison.before.used), comparison.before.partial, comparison.after.unread) == (7, [], [])


def test_partial_days_are_left_out_and_counted(target):
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 14)):
        if number == 10:
            story.day(on, redo=1, restarted_at=story.slots(on)[1] - timedelta(hours=6), used={"DATA": 100.0})
        else:
            story.day(on, redo=40 + WAVE[number % 7], used={"DATA": 100.0 + WAVE[number % 7]})

    comparison = compare_periods((target, WEEK.earlier(7)), (target, WEEK))

    assert comparison.after.partial == [TODAY - timedelta(days=3)]
    assert row(comparison, "x_redo").judged.after.read == 6
    assert row(comparison, "x_redo").judged.after.mean == pytest.approx(40, abs=0.2)
    assert (
        row(comparison, "x_used", "DATA").judged.after.read == 7
    )  # what is read at a moment is never partial


def test_days_that_were_not_read_are_no_data_and_nothing_goes(target):
    story = Story(target)
    for on in days_before(TODAY - timedelta(days=7), 7):
        story.day(on, redo=40, waits={"log file sync": (1000, 8)})

    comparison = compare_periods((target, WEEK.earlier(7)), (target, WEEK))

    assert verdicts_of(comparison)["x_read_ms", "log file sync"] is ChangeVerdict.NO_DATA
    assert set(verdicts_of(comparison).values()) == {ChangeVerdict.NO_DATA}
    assert len(comparison.after.unread) == 7


def test_a_source_that_was_not_read_is_no_data_while_others_are_compared(target):
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 14)):
        story.day(on, redo=40 + WAVE[number % 7], waits={"log file sync": (1000, 8)} if number < 7 else None)

    verdicts = verdicts_of(compare_periods((target, WEEK.earlier(7)), (target, WEEK)))

    assert verdicts["x_read_ms", "log file sync"] is ChangeVerdict.NO_DATA
    assert verdicts["x_redo", ""] is ChangeVerdict.SAME


def test_two_days_are_judged_by_the_days_before(target):
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 30)):
        story.day(
            on, redo=90 if on == TODAY else 40 + WAVE[number % 7], used={"DATA": 100 + WAVE[number % 7]}
        )
    today, before = Period(TODAY, TODAY), Period(TODAY - timedelta(days=7), TODAY - timedelta(days=7))

    comparison = compare_periods((target, before), (target, today))

    assert verdicts_of(comparison)["x_redo", ""] is ChangeVerdict.WORSE
    assert verdicts_of(comparison)["x_used", "DATA"] is ChangeVerdict.SAME


def test_two_targets_are_compared_over_the_same_days(target):
    other = instance("OTHER")
    for each, level in ((target, 40), (other, 80)):
        story = Story(each)
        for number, on in enumerate(days_before(TODAY, 7)):
            story.day(on, redo=level + WAVE[number % 7], used={each.name: 5.0})

    comparison = compare_periods((other, WEEK), (target, WEEK))

    assert verdicts_of(comparison)["x_redo", ""] is ChangeVerdict.BETTER
    assert verdicts_of(comparison)["x_used", "OTHER"] is ChangeVerdict.NO_DATA
    assert (comparison.before.target, comparison.after.target) == (other, target)


def test_averages_of_too_few_waits_say_nothing(target):
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 14)):
        story.day(on, waits={"log file sync": (1000.0, 8.0) if number < 7 else (20.0, 80.0)})

    compared = row(compare_periods((target, WEEK.earlier(7)), (target, WEEK)), "x_read_ms", "log file sync")

    assert compared.judged.verdict is ChangeVerdict.NO_DATA
    assert compared.judged.after.read == 0


def test_the_number_of_queries_does_not_depend_on_the_days(target):
    story = Story(target)
    for on in days_before(TODAY, 20):
        story.day(on, redo=40, waits={"log file sync": (1000, 8)}, used={"DATA": 1})
    counted = []
    for days in (1, 7):
        period = Period(TODAY - timedelta(days=days - 1), TODAY)
        compare_periods((target, period.earlier(days)), (target, period))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            compare_periods((target, period.earlier(days)), (target, period))
        counted.append(len(queries))

    assert counted[0] == counted[1] <= 6


def test_an_event_that_a_release_renamed_neither_goes_nor_appears(target):
    metric = next(metric for metric in metrics_of("oracle") if metric.origin.renames)
    old, new = metric.origin.renames[0]
    days = days_before(TODAY, 14)
    target.platform = "oracle"
    target.save()
    for number, on in enumerate(days):
        (series,) = series_ids([(metric.category, metric.key, old if number < 7 else new)])
        layout = layout_id(metric.category, 0, [series])
        with connection.cursor() as cursor:
            cursor.execute(
                'INSERT INTO figure (target_id, category, part, day, captured_at, layout_id, "values")'
                " VALUES (%s, %s, 0, %s, now(), %s, %s)",
                [target.pk, metric.category, on, layout, [5.0 + WAVE[number % 7]]],
            )
        Coverage.objects.create(
            target=target, day=on, hours=24, categories={str(metric.category): {"hours": 24}}
        )

    compared = row(compare_periods((target, WEEK.earlier(7)), (target, WEEK)), metric.key, new)

    assert compared.judged.verdict is ChangeVerdict.SAME
    assert (compared.judged.before.occurred, compared.judged.after.occurred) == (7, 7)
