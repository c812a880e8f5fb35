"""What people give of days lies among the figures of these days, whatever is read of them before or after."""

from datetime import date, timedelta

import numpy as np
import pytest

from apps.catalog.experience import BATCH_END, RESPONSE, hours_of_clock
from apps.inventory.models import Target
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage, UserFigure
from apps.snapshots.roll_up import rebuild_figures, roll_up_day
from apps.snapshots.tests.test_storage import FIRST, GB, read, slot, target
from apps.snapshots.user_figures import store_user_figures

__all__ = ["target"]
pytestmark = pytest.mark.django_db
LOGIN, CLOSE = (RESPONSE.key, "login"), (BATCH_END.key, "month close")
SECOND = FIRST + timedelta(days=1)


def figures_of(target: Target, first: date = FIRST, last: date = SECOND) -> list[list[float]]:
    measured = read_series([target], [LOGIN, CLOSE, ("t_redo", "")], first, last)[target.pk]
    values: list[list[float]] = np.where(measured.is_alone, measured.values, np.nan).tolist()
    return values


def same(left: list[list[float]], right: list[list[float]]) -> bool:
    return bool(np.allclose(left, right, equal_nan=True))


def read_two_days(target: Target) -> None:
    for day, size in ((1, 0), (2, 47 * GB), (3, 94 * GB)):
        read(target, slot(day), c901={("t_redo", ""): size})


NAN = float("nan")


def test_a_value_stands_beside_what_was_read_of_the_day_and_stays_when_it_is_rolled_up_again(target):
    read_two_days(target)
    rebuild_figures(target, FIRST, SECOND, slot(3))

    store_user_figures(target, {FIRST: {LOGIN: 2.547, CLOSE: 5.5}, SECOND: {LOGIN: 0.437}})

    expected: list[list[float]] = [[2.547, 0.437], [5.5, NAN], [47, 47]]
    assert same(figures_of(target), expected)
    rebuild_figures(target, FIRST, SECOND, slot(3))
    assert same(figures_of(target), expected)
    cover = Coverage.objects.get(target=target, day=FIRST)
    assert (cover.origin, cover.source_of(RESPONSE.category), cover.source_of(901)) == ("", "users", "")


def test_a_value_of_a_day_that_is_not_read_yet_comes_with_its_roll_up(target):
    store_user_figures(target, {FIRST: {LOGIN: 2.5}})
    assert not Coverage.objects.exists()

    read_two_days(target)
    roll_up_day(target, FIRST, slot(2))

    assert same(figures_of(target, last=FIRST), [[2.5], [NAN], [47]])


def test_a_day_that_nothing_else_covers_has_its_value_alone_once_a_later_day_is_covered(target):
    store_user_figures(target, {FIRST: {LOGIN: 2.5}})
    read(target, slot(2), c901={("t_redo", ""): 0})
    read(target, slot(3), c901={("t_redo", ""): 47 * GB})

    roll_up_day(target, SECOND, slot(3))

    assert same(figures_of(target), [[2.5, NAN], [NAN, NAN], [NAN, 47]])
    alone = Coverage.objects.get(target=target, day=FIRST)
    assert (alone.origin, alone.hours) == ("users", 0.0)
    roll_up_day(target, FIRST, slot(3))
    assert Coverage.objects.get(target=target, day=FIRST).origin == ""
    assert figures_of(target)[0][0] == 2.5


def test_a_second_value_counts_and_one_that_is_taken_back_leaves_the_others(target):
    read_two_days(target)
    rebuild_figures(target, FIRST, SECOND, slot(3))
    store_user_figures(target, {FIRST: {LOGIN: 9.645, CLOSE: 5.5}})

    store_user_figures(target, {FIRST: {LOGIN: 0.437}})
    assert same(figures_of(target, last=FIRST), [[0.437], [5.5], [47]])

    store_user_figures(target, {FIRST: {LOGIN: NAN}})
    assert same(figures_of(target, last=FIRST), [[NAN], [5.5], [47]])
    assert list(UserFigure.objects.values_list("component", flat=True)) == ["month close"]


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("05:30", 5.5),
        ("5:30", 5.5),
        ("25:00", 25.0),
        ("47:59", 47 + 59 / 60),
        ("48:00", None),
        ("5:60", None),
        ("5.5", None),
    ],
)
def test_the_end_of_a_batch_is_read_from_a_clock(text, hours):
    assert hours_of_clock(text) == hours
