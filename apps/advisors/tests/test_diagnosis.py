"""Performance problem or capacity constraint: told from numbers, with the numbers."""

from dataclasses import asdict
from datetime import date, timedelta

import numpy as np
import pytest

from apps.advisors.engine.diagnosis import (
    MachineUser,
    StatisticChange,
    Strain,
    conclude,
    judge_device,
    judge_drivers,
    judge_growth,
    judge_service,
    judge_strain,
    judge_users,
    judge_work,
)
from apps.advisors.engine.windows import choose_days, compute_growth, compute_medians
from apps.advisors.sentences import describe_evidence

BUSY = Strain("CPU busy of db1", 93.0, 80.0, "%")
IDLE = Strain("CPU busy of db1", 30.0, 80.0, "%")
TODAY = date(2026, 6, 30)
DAYS = [TODAY - timedelta(days=back) for back in range(69, -1, -1)]


def grown(percent: float | None, name: str = "redo") -> StatisticChange:
    return StatisticChange(name, "GB/day", 100.0, None if percent is None else 100.0 + percent)


def sentences(evidence) -> list[str]:
    return [describe_evidence(asdict(piece)).sentence.replace("\u00a0", " ") for piece in evidence]


@pytest.mark.parametrize(
    ("rise", "work", "strains", "expected"),
    [
        (50.0, [40.0], [], "capacity"),  # the work grew with it
        (50.0, [40.0, 1.0, 2.0], [], "capacity"),  # one measure that grew in step explains it
        (50.0, [40.0], [BUSY], "capacity"),
        (50.0, [2.0], [], "performance"),  # it grew alone
        (50.0, [2.0, -20.0], [IDLE], "performance"),
        (50.0, [2.0], [BUSY], "undetermined"),  # both ways
        (50.0, [12.0], [], "undetermined"),  # far more than the work
        (10.8, [6.2, 4.7], [], "undetermined"),  # not so much more than the work that it grew alone
        (3.0, [1.0], [IDLE], "undetermined"),  # nothing grew
        (3.0, [1.0], [BUSY], "capacity"),
        (None, [40.0], [], "undetermined"),
        (50.0, [None], [], "undetermined"),
        (-20.0, [-30.0], [], "undetermined"),
        (-20.0, [40.0], [], "undetermined"),  # it became better while the work grew
    ],
)
def test_ACT1_the_diagnosis_follows_from_growth_of_the_work_and_strain_of_the_host(
    rise, work, strains, expected
):
    evidence = judge_work(rise, [grown(percent) for percent in work])
    evidence += [judge_strain(strain) for strain in strains]

    assert conclude(evidence) == expected
    assert all(sentence.endswith(".") for sentence in sentences(evidence))


def test_what_says_the_same_is_one_sentence():
    names = ("redo size", "execute count", "user commits", "session logical reads")

    evidence = judge_work(
        50.0, [grown(percent, name) for percent, name in zip((2, -1, 0, 9), names, strict=True)]
    )

    together, host = sentences([*evidence, judge_strain(BUSY)])
    assert together == (
        "Four measures of work changed by less than 10 %: redo size +2.0 %, execute count −1.0 %, user commits 0 %"
        " and session logical reads +9.0 %."
    )
    assert host == "The host ran out: CPU busy of db1 is 93 % against 80."


@pytest.mark.parametrize(
    ("average", "count", "expected", "begins"),
    [
        ((2.1, 4.2), (1000, 1010), "performance", "Each takes longer, and there are not more of them"),
        (
            (2.1, 2.1),
            (1000, 2000),
            "capacity",
            "There are more of them, and each takes no longer than before",
        ),
        (
            (2.1, 3.1),
            (1000, 2000),
            "capacity",
            "There are more of them, and each takes longer in step: they queue",
        ),
        (
            (2.1, 9.0),
            (1000, 1200),
            "undetermined",
            "There are more of them, but each takes longer by more than that",
        ),
        ((2.1, 2.0), (1000, 900), "undetermined", "Neither how long one takes"),
        ((None, 2.0), (1000, 900), "undetermined", None),
    ],
)
def test_a_wait_is_judged_by_its_service_time_and_its_count(average, count, expected, begins):
    evidence = judge_service(
        StatisticChange("average wait", "ms", *average), StatisticChange("waits", "waits/day", *count)
    )

    assert conclude(evidence) == expected
    assert (sentences(evidence)[0].startswith(begins)) if begins else evidence == []


def test_more_waits_do_not_explain_that_each_is_too_long():
    average, count = (
        StatisticChange("average wait", "cs", 18.2, 18.0),
        StatisticChange("waits", "waits/day", 7000, 8500),
    )

    evidence = judge_service(average, count, is_of_each=True)

    assert conclude(evidence) == "undetermined"
    assert sentences(evidence)[0].startswith(
        "There are more of them, and each takes no longer than before the change"
    )


def test_a_wait_whose_device_answers_slower_is_one_of_the_device():
    average, count = (
        StatisticChange("average wait", "ms", 2.0, 4.0),
        StatisticChange("waits", "waits/day", 1000, 1000),
    )
    device = StatisticChange("sda Write response of db1", "ms", 0.9, 2.1)

    evidence = [*judge_service(average, count), *judge_device(average, device, "performance")]

    assert conclude(evidence) == "performance"
    assert (
        sentences(evidence)[1]
        == "What it waits for answers slower too: sda Write response of db1 0.9 → 2.1 ms."
    )


def growth(values, begin=TODAY):
    figures = np.array(values, dtype=float)
    return compute_growth(DAYS[-len(values) :], figures, ~np.isnan(figures), begin, TODAY)


@pytest.mark.parametrize(
    ("values", "expected", "words"),
    [
        ([100 + 5 * day for day in range(40)], "capacity", "More is stored day by day: 5 GB a day"),
        ([100.0] * 20 + [160.0] * 20, "undetermined", "Most of what was added came on one day"),
        ([100.0] * 40, "undetermined", "It grew no more of late"),
        (
            [100.0 + 2 * day + 40 * (day % 2) for day in range(40)],
            "undetermined",
            "What is stored is removed again",
        ),
        (
            [100 + 7 * (day // 7) for day in range(40)],
            "capacity",
            "More is stored day by day",
        ),  # a load each week
        ([100.0] * 5, "undetermined", None),
    ],
)
def test_W1d_space_is_judged_by_what_is_stored(values, expected, words):
    evidence = judge_growth(growth(values), "GB")

    assert conclude(evidence) == expected
    assert sentences(evidence)[0].startswith(words) if words else evidence == []


def test_the_things_that_grew_are_named():
    things = [StatisticChange("DW.SALES", "GB", 300.0, 374.0), StatisticChange("DW.OLD", "GB", 30.0, 30.0)]

    evidence = judge_growth(growth([100 + 5 * day for day in range(40)]), "GB", things)

    assert sentences(evidence)[1] == "What grew most in five weeks: DW.SALES 300 → 374 GB."


def test_what_takes_space_and_gives_it_back_is_judged_by_what_asks_for_it():
    undo, query = grown(60.0, "Undo generated"), StatisticChange("Longest query", "seconds", 600, 7200)

    assert conclude(judge_drivers([(undo, "capacity")])) == "capacity"
    assert conclude(judge_drivers([(grown(1.0), "capacity"), (query, "performance")])) == "performance"
    assert conclude(judge_drivers([(undo, "capacity"), (query, "performance")])) == "undetermined"


@pytest.mark.parametrize(
    ("share", "work", "expected", "words"),
    [
        ((10, 20), 80.0, "capacity", "CRM takes 10 → 20 %, for more work"),
        ((10, 20), 1.0, "performance", "CRM takes 10 → 20 %, for the same work"),
        ((10, 10), 1.0, "undetermined", "Not the instances on it"),
    ],
)
def test_a_machine_is_judged_by_who_uses_it(share, work, expected, words):
    users = [
        MachineUser(StatisticChange("CRM", "%", *share), [grown(work, "execute count")]),
        MachineUser(StatisticChange("PAY", "%", 5, 5), []),
    ]

    evidence = judge_users(40.0, users)

    assert conclude(evidence) == expected
    assert sentences(evidence)[0].startswith(words)


def test_the_last_whole_week_stands_against_28_whole_days_before_the_change():
    begin, usable = TODAY - timedelta(days=20), np.ones(len(DAYS), dtype=bool)
    usable[-3] = False  # a restart

    chosen = choose_days(DAYS, usable, begin, TODAY)

    assert (len(chosen.now), chosen.now[0]) == (7, TODAY - timedelta(days=7))
    assert (chosen.before[0], chosen.before[-1]) == (begin - timedelta(days=28), begin - timedelta(days=1))


def test_a_change_of_one_day_is_held_against_the_same_weekdays():
    values = np.array([200.0 if day.weekday() >= 5 else 100.0 for day in DAYS])
    sunday = date(2026, 6, 28)

    chosen = choose_days(DAYS, np.ones(len(DAYS), dtype=bool), sunday, sunday)

    assert {day.weekday() for day in chosen.before} == {6}
    assert compute_medians(DAYS, values, chosen) == (200.0, 200.0)


def test_where_nothing_was_measured_before_it_the_first_days_stand_for_before():
    chosen = choose_days(DAYS, np.ones(len(DAYS), dtype=bool), DAYS[0], TODAY)

    assert (chosen.is_before, chosen.before[0], len(chosen.before)) == (False, DAYS[0], 28)
    assert not choose_days(
        DAYS, np.ones(len(DAYS), dtype=bool), TODAY - timedelta(days=3), TODAY - timedelta(days=60)
    ).is_enough


def test_evidence_of_an_earlier_release_is_shown_as_it_was_written():
    assert describe_evidence({"sentence": "It grew alone.", "number": "+2.0 %"}).sentence == "It grew alone."
