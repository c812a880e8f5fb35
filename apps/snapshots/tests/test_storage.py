"""What is recorded comes back, and what was not read is never invented."""

import threading
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from django.db import IntegrityError, connection, transaction

from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import (
    read_anchored,
    read_days,
    read_histories,
    read_latest,
    read_trend,
)
from apps.snapshots.models import Coverage, Fact, Layout, Sample, Snapshot
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day

pytestmark = pytest.mark.django_db

FIRST = date(2026, 2, 1)
BOOT = datetime(2026, 1, 1, tzinfo=UTC)
MB = 1024**2
GB = 1024**3


@pytest.fixture
def target() -> Target:
    ensure_partitions([FIRST + timedelta(days=31 * offset) for offset in range(-1, 3)])
    return Target.objects.create(
        name="SMALL", kind="instance", platform="small", collector="none", registered_at=BOOT
    )


@pytest.fixture
def sampled(target: Target) -> Target:
    target.interval_minutes = 60
    target.save()
    return target


def slot(day: int, hour: int = 0, minute: int = 5) -> datetime:
    return datetime(2026, 2, 1, hour, minute, tzinfo=UTC) + timedelta(days=day - 1)


def read(
    target: Target, at: datetime, *, started: datetime = BOOT, captured: datetime | None = None, **categories
):
    sources = [ReadSource(category=int(name[1:]), values=values) for name, values in categories.items()]
    record_snapshot(target, sources, slot=at, captured_at=captured or at, started_at=started)


def rolled_up(target: Target, on: date, now: datetime) -> Coverage:
    coverage = roll_up_day(target, on, now)
    assert coverage is not None
    return coverage


def figure(target: Target, on: date, metric: str, component: str = "") -> float:
    frame = read_days(target, [on])
    rows = frame.xs((metric, component), level=("metric", "component"))
    return float(rows[on].iloc[0]) if len(rows) else float("nan")


def test_a_counter_becomes_its_growth_per_day_in_the_unit_of_the_catalogue(target):
    read(target, slot(1), c901={("t_redo", ""): 5 * GB, ("t_entries", ""): 0})
    read(target, slot(2), c901={("t_redo", ""): 52 * GB, ("t_entries", ""): 86400 * 7})

    roll_up_day(target, FIRST, slot(2))

    assert figure(target, FIRST, "t_redo") == pytest.approx(47)
    assert figure(target, FIRST, "t_entries") == pytest.approx(7)
    assert figure(target, FIRST, "t_entry_bytes") == pytest.approx(47 * GB / (86400 * 7))


def test_the_first_reading_gives_gauges_and_no_rates(target):
    read(
        target,
        slot(2),
        c901={("t_redo", ""): 5 * GB},
        c902={("t_used", "DATA"): 3 * MB, ("t_size", "DATA"): 4 * MB},
    )

    roll_up_day(target, FIRST, slot(2))

    assert np.isnan(figure(target, FIRST, "t_redo"))
    assert figure(target, FIRST, "t_used", "DATA") == 3
    assert figure(target, FIRST, "t_used_pct", "DATA") == 75


def test_after_a_restart_the_figure_counts_from_start_up_and_the_day_is_partial(target):
    read(target, slot(1), c901={("t_redo", ""): 900 * GB})
    restart = slot(1, 6, 12)
    read(target, slot(2), started=restart, c901={("t_redo", ""): 10 * GB})

    coverage = rolled_up(target, FIRST, slot(2))

    assert coverage.restarts == 1
    assert coverage.is_partial
    assert coverage.hours == pytest.approx(17 + 53 / 60, abs=0.01)
    assert figure(target, FIRST, "t_redo") == pytest.approx(10 * 24 / (17 + 53 / 60))


def test_a_day_whose_end_was_not_read_has_no_figure_and_the_next_says_that_it_spans_two(target):
    read(target, slot(1), c901={("t_redo", ""): 0})
    read(target, slot(3), c901={("t_redo", ""): 80 * GB})

    assert roll_up_day(target, FIRST, slot(3)) is None
    coverage = rolled_up(target, FIRST + timedelta(days=1), slot(3))

    assert coverage.spans_days == 2
    assert figure(target, FIRST + timedelta(days=1), "t_redo") == pytest.approx(40)


def test_an_event_that_did_not_occur_is_read_and_has_no_figure(target):
    read(target, slot(1), c903={("t_waits", "log file sync"): 10, ("t_micros", "log file sync"): 50})
    read(target, slot(2), c903={("t_waits", "log file sync"): 10, ("t_micros", "log file sync"): 50})

    roll_up_day(target, FIRST, slot(2))

    assert figure(target, FIRST, "t_waits", "log file sync") == 0
    assert np.isnan(figure(target, FIRST, "t_wait_ms", "log file sync"))
    assert 903 in read_anchored(target.pk, {FIRST: 0}).categories[FIRST]


def test_a_counter_that_fell_is_marked_and_not_taken_for_an_event_that_did_not_occur(target):
    read(target, slot(1), c903={("t_waits", "log file sync"): 10, ("t_micros", "log file sync"): 50})
    read(target, slot(2), c903={("t_waits", "log file sync"): 4, ("t_micros", "log file sync"): 90})

    coverage = rolled_up(target, FIRST, slot(2))

    (series,) = series_ids([(903, "t_wait_ms", "log file sync")])
    assert "backwards" in coverage.marks[str(series)]


def test_average_waits_come_from_the_sums_of_the_day_never_from_averages(target):
    for hour, (waits, micros) in {0: (0, 0), 8: (100, 1_000_000), 16: (10_100, 3_000_000)}.items():
        read(target, slot(1, hour), c903={("t_waits", "x"): waits, ("t_micros", "x"): micros})
    read(target, slot(2), c903={("t_waits", "x"): 20_000, ("t_micros", "x"): 40_000_000})

    roll_up_day(target, FIRST, slot(2))

    assert figure(target, FIRST, "t_wait_ms", "x") == pytest.approx(2.0)


def test_a_sampled_day_has_mean_p95_maximum_and_busiest_hour(sampled):
    ticks = 0.0
    read(sampled, slot(1, 0, 0), c904={("t_ticks", ""): ticks, ("t_free", ""): 10 * MB})
    for hour in range(1, 25):
        ticks += 3600 * (90 if hour == 10 else 10)
        read(
            sampled,
            slot(1, 0, 0) + timedelta(hours=hour),
            c904={("t_ticks", ""): ticks, ("t_free", ""): hour * MB},
        )

    roll_up_day(sampled, FIRST, slot(2))

    assert figure(sampled, FIRST, "t_busy_pct") == pytest.approx((23 * 10 + 90) / 24)
    assert figure(sampled, FIRST, "t_busy_pct:max") == pytest.approx(90)
    assert figure(sampled, FIRST, "t_busy_pct:busy") == pytest.approx(90)
    assert figure(sampled, FIRST, "t_busy_pct:p95") == pytest.approx(10)
    assert figure(sampled, FIRST, "t_idle_pct:max") == pytest.approx(90)
    assert figure(sampled, FIRST, "t_idle_pct:busy") == pytest.approx(10), (
        "W14: the idlest hour was called the busiest"
    )
    assert figure(sampled, FIRST, "t_free") == pytest.approx(12.5)


def test_hours_without_readings_are_a_gap_of_a_sampled_day(sampled):
    for hour in (0, 1, 2, 3, 20, 21, 22, 23, 24):
        read(sampled, slot(1, 0, 0) + timedelta(hours=hour), c904={("t_ticks", ""): hour * 3600.0})

    coverage = rolled_up(sampled, FIRST, slot(2))

    assert coverage.hours == pytest.approx(7)
    assert coverage.is_partial


def test_a_sampled_target_first_read_in_the_night_says_nothing_of_the_day_before(sampled):
    for hour in (3, 4, 5):
        read(sampled, slot(2, hour, 0), c904={("t_ticks", ""): hour * 3600.0, ("t_free", ""): MB})

    assert roll_up_day(sampled, FIRST, slot(2, 6)) is None
    running = rolled_up(sampled, FIRST + timedelta(days=1), slot(2, 6))

    assert running.is_so_far
    assert figure(sampled, FIRST + timedelta(days=1), "t_busy_pct") == pytest.approx(1)


def test_W6_a_snapshot_delivered_again_or_late_changes_nothing(target):
    read(target, slot(1), captured=slot(1, 1), c901={("t_redo", ""): 7.0, ("t_entries", ""): 8.0})
    before = list(Snapshot.objects.values_list("captured_at", "values"))

    read(target, slot(1), captured=slot(1, 1), c901={("t_redo", ""): 7.0, ("t_entries", ""): 8.0})
    read(target, slot(1), captured=slot(1, 0), c901={("t_redo", ""): 99.0})

    assert str(list(Snapshot.objects.values_list("captured_at", "values"))) == str(before)


def test_a_connection_plans_the_writing_of_readings_once(target):
    for day in range(1, 9):
        read(target, slot(day), c901={("t_redo", ""): 7.0})

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(generic_plans + custom_plans) FROM pg_prepared_statements WHERE statement LIKE '%INTO snapshot%'"
        )
        (sent,) = cursor.fetchone()
    assert sent >= 8  # by this connection, which other tests may have used


def test_a_category_that_a_second_capture_did_not_read_keeps_what_the_first_measured(target):
    read(target, slot(1), captured=slot(1, 1), c901={("t_redo", ""): 7.0}, c902={("t_used", "DATA"): 1.0})

    read(target, slot(1), captured=slot(1, 2), c901={("t_redo", ""): 9.0})

    assert Snapshot.objects.filter(target=target).count() == 2


def test_more_than_384_series_take_several_parts_and_come_back_in_full(target):
    many = {("t_waits", f"event {number}"): float(number) for number in range(1000)}
    read(target, slot(1), c903=dict.fromkeys(many, 0.0))
    read(target, slot(2), c903=many)

    roll_up_day(target, FIRST, slot(2))

    frame = read_days(target, [FIRST]).xs("t_waits", level="metric")
    assert len(frame) == 1000
    assert frame.xs("event 777", level="component").iloc[0, 0] == pytest.approx(777)


@pytest.mark.parametrize(
    ("count", "lengths"),
    [(0, []), (1, [1]), (384, [384]), (400, [384, 16]), (503, [384, 119]), (504, [252, 252]), (600, [300, 300]), (1000, [334, 333, 333])],
)  # fmt: skip
def test_new_layouts_are_cut_so_that_as_much_as_possible_is_compressed(target, count, lengths):
    read(target, slot(1), c903={("t_waits", f"event {number:04}"): 1.0 for number in range(count)})

    assert [
        len(ids) for ids in Layout.objects.order_by("part").values_list("series_ids", flat=True)
    ] == lengths


def test_layouts_that_have_been_written_grow_at_the_end_of_their_last_part(target):
    for count in (600, 690, 700):
        read(target, slot(1), c903={("t_waits", f"event {number:04}"): 1.0 for number in range(count)})
        layouts = Snapshot.objects.order_by("part").values_list("layout__series_ids", flat=True)
        held = [len(ids) for ids in layouts]
        assert held == {600: [300, 300], 690: [300, 384, 6], 700: [300, 384, 16]}[count]


def test_series_that_come_and_go_keep_their_own_days(target):
    for day in range(1, 8):
        names = ["always", "early" if day < 4 else "late"]
        read(target, slot(day), c902={("t_used", name): day * MB for name in names})
    for day in range(1, 7):
        roll_up_day(target, FIRST + timedelta(days=day - 1), slot(8))

    (early,) = series_ids([(902, "t_used", "early")])
    (late,) = series_ids([(902, "t_used", "late")])
    trend = read_trend(target, early, FIRST, FIRST + timedelta(days=9))
    assert trend.dropna().tolist() == [2, 3]
    assert read_trend(target, late, FIRST, FIRST + timedelta(days=9)).dropna().tolist() == [4, 5, 6, 7]
    histories = read_histories([target.pk], [late, early], FIRST, FIRST + timedelta(days=5))
    assert np.array_equal(
        histories.values[target.pk],
        [[np.nan, 2], [np.nan, 3], [4, np.nan], [5, np.nan], [6, np.nan], [7, np.nan]],
        equal_nan=True,
    )
    assert read_latest([target.pk, 0], [late, early], FIRST, FIRST + timedelta(days=5)) == {
        target.pk: {late: 7},
        0: {},
    }
    assert read_latest([target.pk], [late, early], FIRST, FIRST + timedelta(days=1)) == {
        target.pk: {early: 3}
    }
    assert read_latest([target.pk], [], FIRST, FIRST + timedelta(days=5)) == {target.pk: {}}


def test_the_anchor_is_the_day_itself_or_the_nearest_earlier_one_within_reach(target):
    for day in (1, 2, 5, 6):
        read(target, slot(day), c902={("t_used", "DATA"): day * MB})
    for day in range(1, 6):
        roll_up_day(target, FIRST + timedelta(days=day - 1), slot(8))
    fourth = FIRST + timedelta(days=2)

    near = read_anchored(target.pk, {fourth: 2})
    far = read_anchored(target.pk, {FIRST + timedelta(days=40): 2})

    assert near.days[fourth] == FIRST
    assert list(far.days.values()) == [None]


def test_the_view_has_a_plain_row_for_every_figure(target):
    read(target, slot(1), c901={("t_redo", ""): 0.0})
    read(target, slot(2), c901={("t_redo", ""): 47 * GB}, c902={("t_used", "DATA"): 3 * MB})

    roll_up_day(target, FIRST, slot(2))

    rows = set(Sample.objects.values_list("target", "day", "metric", "component", "value", "unit"))
    assert ("SMALL", FIRST, "t_used", "DATA", 3.0, "MB") in rows
    assert ("SMALL", FIRST, "t_redo", "", 47.0, "GB/day") in rows


def test_a_fact_gets_a_row_when_it_changes(target):
    for day, version in ((1, "19.23"), (2, "19.23"), (3, "19.24")):
        record_snapshot(
            target, [ReadSource(category=901, values={("t_redo", ""): 1.0})], slot=slot(day), captured_at=slot(day),
            started_at=BOOT, facts={"version": version},
        )  # fmt: skip

    assert list(Fact.objects.order_by("since").values_list("value", flat=True)) == ["19.23", "19.24"]


def test_deleting_a_target_takes_its_vectors_along(target):
    read(target, slot(1), c901={("t_redo", ""): 1.0})
    read(target, slot(2), c901={("t_redo", ""): 2.0})
    roll_up_day(target, FIRST, slot(2))

    target.delete()

    with connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT count(*) FROM snapshot) + (SELECT count(*) FROM figure)")
        assert cursor.fetchone() == (0,)
    assert not Coverage.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_target_is_not_deleted_while_its_vectors_are_being_written(target):
    written, deleted = threading.Event(), threading.Event()

    def delete() -> None:
        written.wait(60)
        Target.objects.filter(pk=target.pk).delete()
        deleted.set()
        connection.close()

    deleting = threading.Thread(target=delete)
    deleting.start()
    with transaction.atomic():
        read(target, slot(1), c1={("s_user_commits", ""): 1.0})
        written.set()
        assert not deleted.wait(0.5)
    deleting.join(60)

    assert deleted.is_set()
    assert not Snapshot.objects.exists()


def test_vectors_of_a_target_that_is_gone_are_refused(target):
    pk = target.pk
    target.delete()
    target.pk = pk

    with pytest.raises(IntegrityError, match=f"there is no target {pk}"):
        read(target, slot(1), c1={("s_user_commits", ""): 1.0})


@pytest.mark.parametrize("change", [{"part": 7}, None])
def test_a_layout_never_changes_and_never_goes(target, change):
    read(target, slot(1), c1={("s_user_commits", ""): 1.0})
    layouts = Layout.objects.all()

    with pytest.raises(IntegrityError, match="a layout never changes"):
        layouts.update(**change) if change else layouts.delete()


def test_a_day_that_ended_without_being_read_loses_what_it_had_so_far(target):
    read(target, slot(1), c901={("t_redo", ""): 0.0})
    read(target, slot(1, 9), c901={("t_redo", ""): 9.0 * GB})
    rolled_up(target, FIRST, slot(1, 10))

    over = roll_up_day(target, FIRST, slot(2, 13))

    assert over is None
    assert not Coverage.objects.filter(day=FIRST).exists()
    assert read_days(target, [FIRST]).empty


def test_readings_count_in_the_order_in_which_they_were_made_whatever_their_slots(sampled):
    first, second = slot(1, 3, 0), slot(1, 3, 10)
    read(sampled, first, captured=slot(1, 3, 20), c904={("t_ticks", ""): 1200.0})
    read(sampled, second, captured=slot(1, 3, 10), c904={("t_ticks", ""): 600.0})

    rolled_up(sampled, FIRST, slot(1, 4))

    assert figure(sampled, FIRST, "t_busy_pct") == pytest.approx(1)
