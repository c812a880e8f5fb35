"""What moves with a statistic, of readings that went the whole way; and what the method reads beside it (COR)."""

from datetime import date, timedelta

import numpy as np
import pytest

from apps.catalog.registry import get_metric
from apps.catalog.subjects import Neighbourhood, SubjectStatistics, add_subjects
from apps.collection.tests.scripted import (
    HOSTS,
    LOAD,
    PLATFORM,
    TODAY,
    Story,
    days_before,
    host,
    instance,
    prepare,
    register,
)
from apps.inventory.models import Target
from apps.profiles.neighbours import read_neighbours
from apps.profiles.related_statistics import find_related, relation_of
from apps.snapshots import dictionary
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day

pytestmark = pytest.mark.django_db
LENGTH = 60


@pytest.fixture(autouse=True)
def _scripted():
    register()
    dictionary.forget()
    prepare()
    yield
    dictionary.forget()
    add_subjects(PLATFORM, [], {"page faults": SubjectStatistics(), "response": SubjectStatistics()})


def noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=LENGTH).cumsum()


def tell_sixty_days(target: Target, *, skip: frozenset[int] = frozenset()) -> list[date]:
    """Sixty days: the size of DATA moves two days after the redo, INDX for itself, and both grow."""
    days = days_before(TODAY, LENGTH)
    work, own = noise(1), noise(2)
    story = Story(target)
    for number, on in enumerate(days):
        if number in skip:
            continue
        story.day(
            on,
            redo=100 + work[number],
            calls=1000,
            used={
                "DATA": 5000 + 3 * number + (work[number - 2] if number >= 2 else 0.0),
                "INDX": 500 + 3 * number + own[number],
            },
        )
    return days


def busy(target: Target, values: np.ndarray, days: list[date]) -> None:
    """A host that is read once a day."""
    for on, value in zip(days, values, strict=True):
        ends = Story(target).slots(on)[1]
        source = ReadSource(category=LOAD, values={("x_busy_pct", ""): float(value)})
        record_snapshot(target, [source], slot=ends, captured_at=ends, started_at=None)
        roll_up_day(target, on, ends)


def test_what_follows_two_days_later_is_found_and_what_only_grows_too_is_not():
    target = instance()
    tell_sixty_days(target)

    result = find_related(target, get_metric("x_used"), "DATA", TODAY)

    assert [(mover.metric.key, mover.component, mover.lag) for mover in result.movers] == [("x_redo", "", 2)]
    assert result.movers[0].rho == pytest.approx(1.0)
    assert result.movers[0].days == LENGTH - 3  # a change needs two days, and the first two follow none
    assert result.movers[0].chance < 0.001
    assert result.movers[0].also == 1  # redo per call, which is made of the redo
    assert result.series == 3  # redo, redo per call and INDX; the calls never change their pace
    assert result.tried == 3 * 8


def test_figures_of_the_same_readings_are_left_out():
    target = instance()
    tell_sixty_days(target)

    result = find_related(target, get_metric("x_redo"), "", TODAY)

    assert result.left_out == 1  # redo per call
    assert "x_bytes_per_call" not in [mover.metric.key for mover in result.movers]


def test_oracle_is_compared_with_the_host_it_runs_on():
    machine = host(interval_minutes=1440)
    target = instance(runs_on=machine)
    days = tell_sixty_days(target)
    busy(machine, 50 - noise(1) / 2, days)

    result = find_related(target, get_metric("x_redo"), "", TODAY)
    back = find_related(machine, get_metric("x_busy_pct"), "", TODAY)

    assert [(mover.target, mover.metric.key, mover.lag) for mover in result.movers][:1] == [
        (machine, "x_busy_pct", 0)
    ]
    assert result.movers[0].rho == pytest.approx(-1.0)
    assert target in [mover.target for mover in back.movers]


def test_a_host_with_other_days_is_named_and_not_compared():
    machine = host(interval_minutes=1440, time_zone="Asia/Tokyo")
    target = instance(runs_on=machine)
    tell_sixty_days(target)

    result = find_related(target, get_metric("x_redo"), "", TODAY)

    assert list(result.elsewhere) == [machine]


def test_a_day_that_was_not_read_takes_two_changes_away_and_invents_none():
    whole, holed = instance("WHOLE"), instance("HOLED")
    tell_sixty_days(whole)
    tell_sixty_days(holed, skip=frozenset({30}))

    complete, gapped = (
        find_related(target, get_metric("x_used"), "DATA", TODAY) for target in (whole, holed)
    )

    assert complete.known_days - gapped.known_days == 2
    # the redo that spans two days is no figure of one: it is left out with the day before it
    assert complete.movers[0].days - gapped.movers[0].days in (4, 5)
    assert gapped.movers[0].rho == pytest.approx(1.0)


def test_too_few_days_say_so():
    target = instance()
    story = Story(target)
    for on in days_before(TODAY, 20):
        story.day(on, used={"DATA": 5.0 + on.day % 3})

    result = find_related(target, get_metric("x_used"), "DATA", TODAY)

    assert (result.is_enough, result.known_days, result.movers) == (False, 19, ())


def test_a_series_that_does_not_exist_has_no_relations():
    target = instance()
    tell_sixty_days(target)

    assert find_related(target, get_metric("x_used"), "NOTHING", TODAY).known_days == 0


def test_it_asks_as_many_questions_whatever_was_read(django_assert_max_num_queries):
    machine = host(interval_minutes=1440)
    target = instance(runs_on=machine)
    busy(machine, noise(3) + 50, tell_sixty_days(target))
    target = Target.objects.get(pk=target.pk)

    with django_assert_max_num_queries(6):
        find_related(target, get_metric("x_redo"), "", TODAY)


def test_two_series_are_told_at_every_lag():
    target = instance()
    tell_sixty_days(target)

    result = relation_of((target, get_metric("x_used"), "DATA"), (target, get_metric("x_redo"), ""), TODAY)

    assert result.rho.shape == (1, 8)
    assert int(result.best()[0]) == 2


# ── the method's own words: COR2 and COR3 ─────────────────────────────────────────────────────────────────────────────


def test_response_of_an_event_and_of_the_device_stand_side_by_side_for_the_same_days():
    """The redo study: 12 ms at every level before, less than 1 ms after."""
    add_subjects(
        PLATFORM,
        [Neighbourhood(metric="x_redo", subjects=("response",))],
        {"response": SubjectStatistics((("x_read_ms", "log file*"),))},
    )
    add_subjects(HOSTS, [], {"response": SubjectStatistics((("x_busy_pct", "*"),))})
    machine = host(interval_minutes=1440)
    target = instance(runs_on=machine)
    before, after = TODAY - timedelta(days=7), TODAY
    story = Story(target)
    for on, milliseconds in ((before, 12.0), (after, 0.55)):
        story.day(on, redo=1, waits={"log file parallel write": (1000, milliseconds)})
        busy(machine, np.array([milliseconds]), [on])

    result = read_neighbours(target, "x_redo", "", TODAY)

    table = [
        (
            neighbour.target.name,
            neighbour.row.then[7].value,
            neighbour.row.today.value,
            neighbour.row.then[7].day,
            neighbour.row.unit,
        )
        for neighbour in result.neighbours
    ]
    assert table == [
        ("SCRIPT", pytest.approx(1.2), pytest.approx(0.055), before, "cs"),
        ("scripthost", pytest.approx(12.0), pytest.approx(0.55), before, "%"),
    ]


def test_cor2_a_wait_of_the_log_writer_names_what_it_is_read_beside():
    from apps.platforms.linux.platform import PLATFORM as LINUX
    from apps.platforms.oracle.platform import PLATFORM as ORACLE
    from apps.platforms.oracle.subjects import NEIGHBOURHOODS

    wait = next(
        declaration for declaration in NEIGHBOURHOODS if declaration.component == "log file parallel write"
    )

    statistics = {
        key
        for subject in wait.subjects
        for platform in (ORACLE, LINUX)
        for key, _ in platform.subjects.get(subject, SubjectStatistics()).statistics
    }
    assert statistics == {
        "redo_write_ms_per_write",
        "host_disk_write_await_ms",
        "redo_write_time_usec",
        "redo_write_time",
        "redo_buffer_allocation_retries",
        "host_lgwr_icsw_pct",
    }


def test_what_is_read_beside_a_statistic_is_in_the_catalogue():
    from apps.platforms.linux.platform import PLATFORM as LINUX
    from apps.platforms.oracle.platform import PLATFORM as ORACLE

    subjects = {subject for platform in (ORACLE, LINUX) for subject in platform.subjects}
    for declaration in ORACLE.neighbourhoods:
        assert get_metric(declaration.metric).key == declaration.metric
        assert set(declaration.subjects) <= subjects
    for platform in (ORACLE, LINUX):
        for source in platform.subjects.values():
            assert source.missing or all(get_metric(key).key == key for key, _ in source.statistics)


def test_an_instance_without_a_host_says_that_it_is_not_known():
    add_subjects(PLATFORM, [Neighbourhood(metric="x_redo", subjects=("response",))], {})
    target = instance()
    Story(target).day(TODAY, redo=1)

    result = read_neighbours(target, "x_redo", "", TODAY)

    assert result.neighbours == []
    assert result.missing[0][1].startswith("It is not known which host SCRIPT runs on")
