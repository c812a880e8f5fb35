"""The steady period that is proposed: the newest days in a row on which users were satisfied."""

from datetime import date, timedelta

import pytest

from apps.thresholds.satisfaction import FURTHEST, propose_period

UNTIL = date(2026, 11, 22)


def back(days):
    return UNTIL - timedelta(days=days)


@pytest.mark.parametrize(
    ("dissatisfied", "first", "last"),
    [
        ([], 29, 0),
        ([0], 30, 1),
        ([30], 29, 0),
        ([29], 59, 30),
        ([100, 7, 3], 37, 8),
        (range(0, 181, 20), 19, 1),  # nowhere 30 in a row: the newest of the longest
        ([*range(5), *range(11, 181)], 10, 5),
    ],
)
def test_it_holds_none_of_the_days_on_which_users_were_not_satisfied(dissatisfied, first, last):
    assert propose_period([back(days) for days in dissatisfied], UNTIL) == (back(first), back(last))


def test_where_users_were_never_satisfied_there_is_none():
    assert propose_period([back(days) for days in range(FURTHEST + 1)], UNTIL) is None
