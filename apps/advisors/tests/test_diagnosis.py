"""Performance problem or capacity constraint: told from numbers, with the numbers."""

import pytest

from apps.advisors.diagnosis import Change, Strain, diagnose

BUSY = Strain("CPU busy of db1", 93.0, 80.0, "%")
IDLE = Strain("CPU busy of db1", 30.0, 80.0, "%")


@pytest.mark.parametrize(
    ("figure", "work", "strains", "expected"),
    [
        (50.0, 40.0, [], "capacity"),  # the work grew with it
        (50.0, 40.0, [BUSY], "capacity"),
        (50.0, 2.0, [], "performance"),  # it grew alone
        (50.0, 2.0, [IDLE], "performance"),
        (50.0, 2.0, [BUSY], "undetermined"),  # both ways
        (50.0, 12.0, [], "undetermined"),  # far more than the work
        (3.0, 1.0, [IDLE], "undetermined"),  # nothing grew
        (3.0, 1.0, [BUSY], "capacity"),
        (None, 40.0, [], "undetermined"),
        (50.0, None, [], "undetermined"),
        (-20.0, -30.0, [], "undetermined"),
    ],
)
def test_the_diagnosis_follows_from_growth_of_the_work_and_strain_of_the_host(
    figure, work, strains, expected
):
    found, reasons = diagnose(Change("log file sync", figure), [Change("redo", work)], strains)

    assert found == expected
    assert all(reason.sentence.endswith(".") for reason in reasons)


def test_the_evidence_is_in_numbers():
    _, reasons = diagnose(Change("log file sync", 50.0), [Change("redo", 2.0)], [BUSY])

    assert [reason.sentence for reason in reasons] == [
        "The host ran out: CPU busy of db1 is 93 % against 80.",
        "It grew alone: redo changed by +2.0 %, the figure by +50.0 %.",
    ]


def test_without_an_earlier_day_it_says_so():
    _, reasons = diagnose(Change("redo", None), [], [])

    assert reasons[0].sentence == "There is no earlier day to compare redo and the work with."
