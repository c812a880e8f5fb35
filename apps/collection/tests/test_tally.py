"""Counters of what comes and goes: added up by what it belongs to, whatever ended, began or was told apart meanwhile."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.collection.engine.tally import Member, MemberTally, TallyState, count_up, values_of

BOOT = datetime(2026, 11, 1, tzinfo=UTC)
MOMENT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
STEP = timedelta(minutes=5)


def tally(*members: tuple[str, str, float, float], most: int = 40) -> MemberTally:
    return MemberTally(
        members=[
            Member(identity, {"process": name}, (cpu, switches)) for identity, name, cpu, switches in members
        ],
        metrics={"process": ("cpu", "switches")},
        rest={"process": "other"},
        most=most,
    )


def count(*readings: MemberTally, started_at: datetime = BOOT) -> list[dict[tuple[str, str], float]]:
    state: TallyState | None = None
    values = []
    for number, reading in enumerate(readings):
        state = count_up(reading, state, MOMENT + number * STEP, started_at)
        values.append(values_of(reading, state))
    return values


def test_processes_of_one_name_are_one_component():
    [values] = count(tally(("1 5", "java", 10, 4), ("2 9", "java", 30, 6), ("3 9", "sshd", 1, 1)))

    assert values == {
        ("cpu", "java"): 40, ("switches", "java"): 10,
        ("cpu", "sshd"): 1, ("switches", "sshd"): 1,
    }  # fmt: skip


def test_what_ended_stays_counted_and_what_began_counts_from_its_start():
    _, second = count(
        tally(("1 5", "java", 10, 4), ("2 9", "java", 30, 6)),
        tally(("1 5", "java", 12, 5), ("7 90", "java", 3, 1)),
    )

    assert second == {("cpu", "java"): 45, ("switches", "java"): 12}


def test_a_number_that_is_used_again_is_another_process():
    """42 ended with 500 s of processor time, and belongs to another process by now, which has had 600."""
    _, same = count(tally(("42 100", "java", 500, 9)), tally(("42 100", "java", 600, 9)))
    _, other = count(tally(("42 100", "java", 500, 9)), tally(("42 777", "java", 600, 9)))

    assert same["cpu", "java"] == 600
    assert other["cpu", "java"] == 1100


def test_of_a_counter_that_fell_since_a_thread_ended_nothing_is_taken_away():
    _, second = count(tally(("1 5", "java", 10, 400)), tally(("1 5", "java", 12, 300)))

    assert second == {("cpu", "java"): 12, ("switches", "java"): 400}


def test_after_a_start_up_everything_counts_anew():
    first = count_up(tally(("1 5", "java", 10, 4)), None, MOMENT, BOOT)

    state = count_up(tally(("1 5", "java", 2, 1)), first, MOMENT + STEP, MOMENT + STEP / 2)

    assert state.totals["process"] == {"java": (2, 1)}


def test_a_start_up_that_moved_with_the_clock_is_the_same_one():
    first = count_up(tally(("1 5", "java", 10, 4)), None, MOMENT, BOOT)

    state = count_up(tally(("1 5", "java", 12, 4)), first, MOMENT + STEP, BOOT + timedelta(seconds=40))

    assert state.totals["process"] == {"java": (12, 4)}


def test_those_that_work_most_are_told_apart_and_the_others_are_together():
    first, second = count(
        tally(("1 1", "a", 90, 1), ("2 1", "b", 50, 1), ("3 1", "c", 5, 1), ("4 1", "d", 4, 1), most=2),
        tally(("1 1", "a", 91, 1), ("2 1", "b", 51, 1), ("3 1", "c", 7, 1), ("4 1", "d", 7, 1), most=2),
    )

    assert first == {
        ("cpu", "a"): 90, ("switches", "a"): 1, ("cpu", "b"): 50, ("switches", "b"): 1,
        ("cpu", "other"): 9, ("switches", "other"): 2,
    }  # fmt: skip
    assert second["cpu", "other"] == 14


def test_one_that_begins_to_work_takes_the_place_of_an_idle_one_and_nothing_is_counted_twice():
    idle = [
        tally(("1 1", "a", 90 + n, 1), ("2 1", "b", 50, 1), ("3 1", "c", 5, 1), most=2) for n in range(40)
    ]
    busy = [
        tally(("1 1", "a", 130 + n, 1), ("2 1", "b", 50, 1), ("3 1", "c", 5 + 60 * n, 1), most=2)
        for n in (1, 2)
    ]

    *_, before, first, second = count(*idle, *busy)

    assert before["cpu", "b"] == 50
    assert ("cpu", "b") not in first
    assert (first["cpu", "c"], second["cpu", "c"]) == (60, 120)
    assert first["cpu", "other"] == second["cpu", "other"] == 5


@pytest.mark.parametrize("most", [1, 2, 5])
def test_all_components_together_are_all_that_grew(most):
    readings = [
        tally(*((f"{n} 1", f"p{n}", (n * 7 + at * (n % 3)) % 90 + at * 100, 0) for n in range(6)), most=most)
        for at in range(8)
    ]

    values = count(*readings)

    grown = [sum(member.counts[0] for member in reading.members) for reading in readings]
    for before, after, low, high in zip(values, values[1:], grown, grown[1:], strict=False):
        risen = sum(value - before.get(key, 0.0) for key, value in after.items() if key[0] == "cpu")
        assert risen == pytest.approx(high - low)
