"""The profile of the method's slide, from a server that lived those days to the rows of the page."""

from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from apps.platforms.oracle.tests.conftest import event, fill
from apps.platforms.oracle.tests.golden import PROFILE
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.platforms.oracle.tests.slide import WAITS, SlideStory, play, slide_lived
from apps.profiles.build import ProfileRow, build_profile
from apps.snapshots.presence import Presence
from apps.thresholds.judge import FigureState, profile_of
from testing.oracle_server import Clock, Database, instance

NAMES = [name for name, *_ in PROFILE]


@pytest.fixture(scope="module")
def profile(django_db_setup: None, django_db_blocker: Any) -> SimpleNamespace:
    """The profile of the slide's day, judged and not, with the figures behind it."""
    with django_db_blocker.unblock(), slide_lived() as life:
        return _profile_lived(life)


def _profile_lived(life: Life) -> SimpleNamespace:
    judged = profile_of(life.target(), DAY)
    plain = build_profile(life.target(), DAY)
    return SimpleNamespace(
        judged={row.row.component: row for row in judged.rows if row.row.metric.key == "wait_avg_ms"},
        ranking=[row.row for row in judged.rows if row.row.metric.section.title == "Waits"],
        top=[row for row in plain.rows if row.metric.section.title == "Waits"],
        counts={key[1]: value for key, value in life.figures().items() if key[0] == "wait_count"},
    )


@pytest.mark.django_db  # asks for the database to be made
def test_pro1_the_ten_largest_waits_are_ranked_by_time_with_cpu_among_them(profile):
    labels = [row.component or row.metric.label for row in profile.top]

    assert len(labels) == 10
    assert labels[:2] == ["CPU time", "os thread startup"]
    assert not {"SQL*Net message from client", "PX Deq: Execution Msg", "PX Deq Credit: send blkd"} & set(
        labels
    )


@pytest.mark.parametrize("name", [pytest.param(name, id=f"PRO1 {name}") for name in NAMES])
def test_a_wait_has_its_class_its_average_and_its_number(profile, name):
    row: ProfileRow = profile.judged[name].row

    assert row.component_class == next(klass for event, klass, *_ in PROFILE if event == name)
    assert row.unit == "cs"
    assert profile.counts[name] == pytest.approx(WAITS)


CHANGES = [
    pytest.param(name, horizon, values[at], changes[at], id=f"PRO2 {name} {horizon} days ago")
    for name, _, values, _, _, changes in PROFILE
    for at, horizon in enumerate((90, 30, 7))
    if values[at] is not None
]


@pytest.mark.parametrize(("name", "horizon", "then", "change"), CHANGES)
def test_a_wait_has_its_value_and_change_at_each_horizon(profile, name, horizon, then, change):
    cell = profile.judged[name].row.then[horizon]

    assert cell.value == pytest.approx(then)
    assert cell.delta == pytest.approx(change, abs=0.06)


NEW = [
    pytest.param(name, horizon, id=f"PRO3 {name} {horizon} days ago")
    for name, _, values, *_ in PROFILE
    for at, horizon in enumerate((90, 30, 7))
    if values[at] is None
]


@pytest.mark.parametrize(("name", "horizon"), NEW)
def test_what_did_not_occur_then_is_not_present_and_today_new(profile, name, horizon):
    cell = profile.judged[name].row.then[horizon]

    assert cell.presence is Presence.NOT_PRESENT
    assert (cell.value, cell.delta, cell.change) == (None, None, "new")


@pytest.mark.parametrize(
    ("name", "today", "state"),
    [pytest.param(name, values[3], state, id=f"PRO4 {name}") for name, _, values, _, state, _ in PROFILE],
)
def test_a_wait_has_its_figure_of_today_and_its_state(profile, name, today, state):
    judged = profile.judged[name]

    assert judged.row.today.value == pytest.approx(today)
    assert judged.state is FigureState(state)


def test_pro4_eight_are_violated_and_two_comfortable(profile):
    states = [profile.judged[name].state for name in NAMES]

    assert (states.count(FigureState.VIOLATED), states.count(FigureState.COMFORTABLE)) == (8, 2)


def test_pro5_a_day_that_was_not_read_is_stood_in_for_by_the_day_before_which_is_named(profile):
    then = profile.judged["os thread startup"].row.then

    assert then[7].day == DAY - timedelta(days=8)
    assert (then[30].day, then[90].day) == (DAY - timedelta(days=30), DAY - timedelta(days=90))


@pytest.mark.django_db
def test_pro5_beyond_the_tolerance_there_is_no_data():
    story, clock = SlideStory(), Clock(MIDNIGHT - timedelta(days=11))
    with life_of(play(story, clock, MIDNIGHT - timedelta(days=11)), clock, [DAY]) as life:
        for moment in (
            MIDNIGHT - timedelta(days=11),
            MIDNIGHT - timedelta(days=10),
            MIDNIGHT,
            MIDNIGHT + timedelta(days=1),
        ):
            life.move_to(moment)
            life.collect()
            story.live({"log file sync": ("Commit", 1.0)})
        [row] = [row for row in build_profile(life.target(), DAY).rows if row.component == "log file sync"]

    assert row.then[7].presence is Presence.NO_DATA
    assert row.then[7].reason


@pytest.mark.django_db
def test_pro6_the_profile_is_short_and_everything_else_is_kept():
    clock = Clock(MIDNIGHT)
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10))
    with life_of(database, clock) as life:
        life.collect()
        life.clock.advance(days=1)
        run = life.collect()
        rows = build_profile(life.target(), DAY).rows
        figures = life.figures()

    assert 15 <= len(rows) <= 40
    assert len(figures) > 40 * len(rows)
    assert run.series > 1400


RATES = [
    # event, waits a second, average in ms, busy share of its process, sessions waiting on average
    pytest.param("log file parallel write", 74, 11.8, 87.32, id="PRO7 log writer before"),
    pytest.param("log file parallel write", 845, 0.55, 46.475, id="PRO7 log writer after"),
    pytest.param("log file sync", 72, 26.45, 190.44, id="PRO8 commits before"),
    pytest.param("log file sync", 519, 2.13, 110.547, id="PRO8 commits after"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "per_second", "average", "busy"), RATES)
def test_waits_a_second_times_their_average_are_a_share_of_time_and_of_sessions(
    name, per_second, average, busy
):
    def rows(now: datetime) -> list[dict[str, Any]]:
        waits = round(per_second * (now - MIDNIGHT).total_seconds()) + 1000
        return [event(name, "Commit", waits, round(waits * average * 1000))]

    clock = Clock(MIDNIGHT)
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=1)))
    database.set_rows("v$system_event", rows)
    with life_of(database, clock) as life:
        life.collect()
        life.clock.advance(days=1)
        life.collect()
        figures = life.figures()

    assert figures["wait_busy_pct", name] == pytest.approx(busy, rel=1e-4)
    assert figures["wait_sessions", name] == pytest.approx(busy / 100, rel=1e-4)
    assert figures["wait_avg_ms", name] == pytest.approx(average, rel=1e-4)


@pytest.mark.django_db
def test_pro2_an_event_that_an_upgrade_renamed_is_compared_under_its_new_name():
    story, clock = SlideStory(), Clock(MIDNIGHT - timedelta(days=7))
    database = play(story, clock, MIDNIGHT - timedelta(days=7))
    with life_of(database, clock, [DAY]) as life:
        days: list[tuple[date, str]] = [
            (DAY - timedelta(days=7), "os thread startup"),
            (DAY, "os thread creation"),
        ]
        for day, name in days:
            life.move_to(datetime.combine(day, MIDNIGHT.time(), MIDNIGHT.tzinfo))
            life.collect()
            story.live({name: ("Concurrency", 18.0)})
            life.clock.advance(days=1)
            life.collect()
        rows = {row.component: row for row in build_profile(life.target(), DAY).rows if row.component}

    assert "os thread startup" not in rows
    assert rows["os thread creation"].then[7].value == pytest.approx(18)
    assert rows["os thread creation"].then[7].delta == pytest.approx(0)
