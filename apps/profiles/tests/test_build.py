"""The profile of a day, from readings."""

from datetime import date, timedelta

import pytest

from apps.charts.figures import short_day
from apps.collection.tests.scripted import BOOT, GB, TODAY, WAITS, WORK, Story, instance, prepare
from apps.inventory.models import Target
from apps.profiles.build import Profile, ProfileRow, build_profile
from apps.profiles.tests.slide import SLIDE, tell_slide
from apps.snapshots.presence import Presence
from apps.snapshots.record import FailedRead, ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def row(profile: Profile, key: str, component: str = "") -> ProfileRow:
    return next(row for row in profile.rows if row.key == (key, component))


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def test_PRO1_the_ten_largest_waits_are_shown_CPU_among_them_idle_and_parallel_ones_left_out(target):
    story = Story(target, classes={"rdbms ipc message": "Idle"})
    waits = {f"event {number:02}": (1000.0, float(number)) for number in range(1, 13)}
    story.day(
        TODAY, cpu=9.5, waits=waits | {"rdbms ipc message": (9e6, 10), "PX Deq: Execute Reply": (9e6, 10)}
    )

    rows = [
        row
        for row in build_profile(target, TODAY).rows
        if row.metric.section.title == "Waits" or row.metric.key == "x_cpu"
    ]

    assert len(rows) == 10
    assert [row.component or row.metric.label for row in rows[:4]] == [
        "event 12",
        "event 11",
        "event 10",
        "CPU time",
    ]
    assert rows[-1].component == "event 04"


def test_an_event_that_is_asked_for_is_shown_whatever_its_size(target):
    story = Story(target)
    story.day(TODAY, waits={f"event {number:02}": (1000, number) for number in range(1, 13)})

    profile = build_profile(target, TODAY, also=[("x_read_ms", "event 01"), ("x_read_ms", "log file sync")])

    assert row(profile, "x_read_ms", "event 01").today.value == pytest.approx(0.1)
    assert row(profile, "x_read_ms", "log file sync").today.presence is Presence.NOT_PRESENT


def test_PRO2_the_rows_of_the_slide_have_its_values_and_its_changes(target):
    tell_slide(target)

    profile = build_profile(target, TODAY)

    assert {row.component for row in profile.rows if row.metric.key == "x_read_ms"} == set(SLIDE)
    for event, (wait_class, *values, _limit, _state) in SLIDE.items():
        profile_row = row(profile, "x_read_ms", event)
        assert (profile_row.component_class, profile_row.unit) == (wait_class, "cs")
        cells = [
            profile_row.then[90].value,
            profile_row.then[30].value,
            profile_row.then[7].value,
            profile_row.today.value,
        ]
        assert cells == [value if value is None else pytest.approx(value) for value in values]
    deltas = {
        event: [round(row(profile, "x_read_ms", event).then[back].delta or 0, 1) for back in (90, 30, 7)]
        for event in ("os thread startup", "direct path write temp", "read by other session")
    }
    assert deltas["os thread startup"] == [0, 28.6, 0]
    assert deltas["direct path write temp"] == [-1.7, 13.3, 28.8]
    assert deltas["read by other session"] == [0, -4.8, -33.3]


def test_PRO3_an_event_that_did_not_occur_then_is_new_and_nothing_is_divided(target):
    tell_slide(target)

    profile_row = row(build_profile(target, TODAY), "x_read_ms", "log file sync")

    for back in (90, 30):
        cell = profile_row.then[back]
        assert (cell.presence, cell.value, cell.delta, cell.change) == (
            Presence.NOT_PRESENT,
            None,
            None,
            "new",
        )
    assert profile_row.then[7].delta == pytest.approx(100)


def test_an_event_that_does_not_occur_any_more_is_gone(target):
    story = Story(target)
    story.day(ago(7), waits={"enq: TX": (1000, 5), "log file sync": (1000, 5)})
    story.day(TODAY, waits={"log file sync": (1000, 5)})

    profile_row = row(build_profile(target, TODAY, also=[("x_read_ms", "enq: TX")]), "x_read_ms", "enq: TX")

    assert profile_row.today.presence is Presence.NOT_PRESENT
    assert (profile_row.then[7].change, profile_row.then[7].delta) == ("gone", None)


def test_what_occurs_at_neither_end_has_not_changed(target):
    story = Story(target)
    story.day(ago(7), redo=0, waits={})
    story.day(TODAY, redo=0, waits={})

    profile = build_profile(target, TODAY, also=[("x_read_ms", "enq: TX")])

    assert row(profile, "x_redo").then[7].delta == 0
    assert row(profile, "x_read_ms", "enq: TX").then[7].delta == 0


def test_from_nothing_to_something_is_new(target):
    story = Story(target)
    story.day(ago(7), redo=0)
    story.day(TODAY, redo=3)

    profile_row = row(build_profile(target, TODAY), "x_redo")

    assert (profile_row.then[7].value, profile_row.then[7].delta, profile_row.then[7].change) == (
        0,
        None,
        "new",
    )


def test_a_statistic_in_percent_changes_in_points(target):
    story = Story(target)
    story.day(ago(7), hits=40)
    story.day(TODAY, hits=44)

    profile_row = row(build_profile(target, TODAY), "x_hit_pct")

    assert profile_row.then[7].delta == pytest.approx(4.0)


@pytest.mark.parametrize(("horizon", "reach"), [(7, 2), (30, 3), (90, 7)])
def test_PRO5_the_anchor_falls_back_to_the_nearest_earlier_day_and_names_it(target, horizon, reach):
    story = Story(target)
    for back in (reach + 1, reach):
        story.day(ago(horizon + back), hits=10 + back)
    story.day(ago(horizon) + timedelta(days=1), hits=99)
    story.day(TODAY, hits=50)

    profile = build_profile(target, TODAY)

    cell = row(profile, "x_hit_pct").then[horizon]
    assert (cell.value, cell.day) == (10 + reach, ago(horizon + reach))
    assert profile.anchors[horizon] == ago(horizon + reach)


@pytest.mark.parametrize(("horizon", "reach"), [(7, 2), (30, 3), (90, 7)])
def test_PRO5_beyond_its_reach_there_is_no_data_with_the_reason(target, horizon, reach):
    story = Story(target)
    story.day(ago(horizon + reach + 1), hits=10)
    story.day(TODAY, hits=50)

    cell = row(build_profile(target, TODAY), "x_hit_pct").then[horizon]

    assert (cell.presence, cell.value, cell.delta, cell.change) == (Presence.NO_DATA, None, None, "")
    assert "was not read" in cell.reason


def test_before_it_was_registered_there_is_no_data_and_it_says_so(target):
    target.registered_at = target.registered_at.replace(month=6, day=20)
    target.save()
    Story(target).day(TODAY, hits=50)

    profile_row = row(build_profile(target, TODAY), "x_hit_pct")

    assert "registered later" in profile_row.then[30].reason


def test_a_source_that_failed_is_no_data_and_never_not_present(target):
    story = Story(target)
    story.day(ago(7), waits={"log file sync": (1000, 5)})
    story.day(TODAY, redo=3)

    profile_row = row(
        build_profile(target, TODAY, also=[("x_read_ms", "log file sync")]), "x_read_ms", "log file sync"
    )

    assert profile_row.today.presence is Presence.NO_DATA
    assert "was not read for this day" in profile_row.today.reason
    assert profile_row.then[7].presence is Presence.PRESENT
    assert (profile_row.then[7].delta, profile_row.then[7].change) == (None, "")


def test_a_day_measured_too_briefly_is_partial_and_a_gauge_never_is(target):
    story = Story(target)
    begins, _ = story.slots(TODAY)
    story.day(TODAY, redo=3, hits=50, restarted_at=begins + timedelta(hours=6))

    profile = build_profile(target, TODAY)

    assert row(profile, "x_redo").is_partial
    assert row(profile, "x_redo").hours == pytest.approx(18)
    assert row(profile, "x_redo").today.value == pytest.approx(3 * 24 / 18)
    assert not row(profile, "x_hit_pct").is_partial


def test_a_difference_over_two_days_says_so(target):
    story = Story(target)
    story.day(ago(2), redo=3)
    story.skip_beginning(TODAY)
    story.day(TODAY, redo=8)

    profile_row = row(build_profile(target, TODAY), "x_redo")

    assert profile_row.spans_days == 2
    assert profile_row.today.value == pytest.approx(4)


def test_an_average_over_few_waits_is_thin(target):
    Story(target).day(TODAY, waits={"few": (99, 5), "enough": (100, 5)})

    profile = build_profile(target, TODAY)

    assert row(profile, "x_read_ms", "few").is_thin
    assert not row(profile, "x_read_ms", "enough").is_thin


def test_a_profile_of_a_day_without_anything_has_rows_that_say_no_data(target):
    profile = build_profile(target, TODAY)

    assert {cell.presence for row in profile.rows for cell in (row.today, *row.then.values())} == {
        Presence.NO_DATA
    }


def test_the_profile_takes_a_few_queries_however_much_was_measured(target, django_assert_max_num_queries):
    tell_slide(target)

    with django_assert_max_num_queries(6):
        build_profile(target, TODAY)


def test_after_the_first_reading_alone_nobody_knows_whether_an_event_occurred(target):
    story = Story(target)
    story.skip_beginning(TODAY)
    story.day(TODAY, redo=5, waits={"log file sync": (1000, 5)}, used={"DATA": 7})

    profile = build_profile(target, TODAY, also=[("x_read_ms", "log file sync"), ("x_read_ms", "enq: TX")])

    for event in ("log file sync", "enq: TX"):
        cell = row(profile, "x_read_ms", event).today
        assert (cell.presence, cell.value) == (Presence.NO_DATA, None)
        assert "only one reading" in cell.reason
    assert row(profile, "x_redo").today.presence is Presence.NO_DATA
    assert row(profile, "x_used", "DATA").today.value == 7


LOST = "The connection was lost while v$system_event was read (ORA-03113)."


def test_O6_what_vanished_with_its_source_stands_in_its_place_with_the_reason(target):
    story = Story(target)
    story.day(ago(7), redo=10, waits={"log file sync": (1000, 5)})
    story.day(TODAY, redo=10)
    slot = story.slots(TODAY)[1]
    record_snapshot(
        target, [], slot=slot, captured_at=slot, started_at=BOOT, failed=[FailedRead(WAITS, "waits", LOST)]
    )
    roll_up_day(target, TODAY, slot)

    profile = build_profile(target, TODAY)

    profile_row = row(profile, "x_read_ms", "log file sync")
    assert (profile_row.then[7].value, profile_row.today.presence) == (0.5, Presence.NO_DATA)
    sentence = f"waits was not read for {short_day(TODAY)}. {LOST}"
    assert profile_row.today.reason == sentence
    (section,) = [section for section in profile.sections if section.missing]
    assert (section.title, section.missing) == ("Waits", [sentence])
    assert row(profile, "x_redo").today.value == 10


def test_O6_a_section_whose_source_never_worked_says_so_without_any_rows(target):
    story = Story(target)
    story.day(TODAY, redo=10)
    slot = story.slots(TODAY)[1]
    failed = [FailedRead(WAITS, "waits", "ORA-00942: grant it.")]
    record_snapshot(target, [], slot=slot, captured_at=slot, started_at=BOOT, failed=failed)
    roll_up_day(target, TODAY, slot)

    (section,) = [section for section in build_profile(target, TODAY).sections if section.title == "Waits"]

    assert (section.rows, section.missing) == (
        [],
        [f"waits was not read for {short_day(TODAY)}. ORA-00942: grant it."],
    )


def test_O7_a_mean_of_several_days_and_a_day_that_is_too_long_say_so(target):
    for on, hours_late in ((ago(8), 0), (TODAY, 9)):
        ends = Story(target).slots(on)[1] + timedelta(hours=hours_late)
        redo = {("x_redo", ""): 80.0 * GB * (on - ago(9)).days}
        record_snapshot(
            target, [ReadSource(category=WORK, values=redo)], slot=ends, captured_at=ends, started_at=BOOT
        )
    begins = Story(target).slots(TODAY)[0]
    roll_up_day(target, TODAY, begins + timedelta(days=2))
    spanning = row(build_profile(target, TODAY), "x_redo").today
    redo = {("x_redo", ""): 80.0 * GB * 8}
    record_snapshot(
        target, [ReadSource(category=WORK, values=redo)], slot=begins, captured_at=begins, started_at=BOOT
    )
    roll_up_day(target, TODAY, begins + timedelta(days=2))
    late = row(build_profile(target, TODAY), "x_redo").today

    assert (spanning.spans_days, spanning.length) == (8, "spans 8 days, quoted per day")
    assert (late.spans_days, late.hours, late.length) == (1, 33.0, "measured over 33.0 hours")
