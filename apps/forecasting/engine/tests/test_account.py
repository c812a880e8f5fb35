"""How promises fared, in figures."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from apps.forecasting.engine.account import Ending, find_width, group_of, make_account


def ending(
    chance: float, come: int | None = None, day: int | None = None, line: int | None = None, **rest
) -> Ending:
    """A promise of a day that came on another; both counted from the night it was made."""
    return Ending(
        group=group_of(chance),
        chance=chance,
        is_predicted=day is not None,
        has_come=come is not None,
        days_off=None if come is None or day is None else come - day,
        has_line=line is not None,
        line_off=None if come is None or line is None else come - line,
        **rest,
    )


def test_of_40_told_at_70_percent_27_came():
    account = make_account([ending(0.7, 30, 24)] * 27 + [ending(0.7, None, 24)] * 13)

    (group,) = account.groups
    assert (group.least, group.most, group.count, group.came) == (0.6, 0.8, 40, 27)
    assert group.low < 27 / 40 < group.high
    assert (account.own.came, account.own.missed, account.own.unforeseen, account.own.days_off) == (
        27,
        13,
        0,
        6,
    )
    assert account.chance_off == pytest.approx(0.7 - 27 / 40)
    assert account.false_share == 13 / 40


def test_what_came_at_less_than_half_was_not_told_and_a_line_has_its_own_days():
    account = make_account(
        [ending(0.3, 40, None, 30), ending(0.9, 10, 12, None), ending(0.03, None, None, 50)]
    )

    assert (account.own.predicted, account.own.unforeseen, account.own.days_off) == (1, 1, 2)
    assert (account.line.predicted, account.line.came, account.line.unforeseen, account.line.days_off) == (
        2,
        1,
        1,
        10,
    )
    assert (account.offs, account.line_offs) == ([(-2, 1)], [(10, 1)])


def test_too_few_give_counts_and_no_shares():
    account = make_account([ending(0.9, 10, 12, is_inside=True)] * 19)

    assert (account.is_enough, account.in_range, account.chance_off, account.false_share) == (
        False,
        None,
        None,
        None,
    )
    assert (account.count, account.ranged, account.inside) == (19, 19, 19)
    assert not account.is_line_nearer


def test_groups_of_few_say_nothing_of_chances():
    few = [ending(0.9)] * 19 + [ending(0.3, 5)] * 19
    assert make_account(few).chance_off is None

    account = make_account([*few, *[ending(0.1)] * 20])

    assert account.chance_off == pytest.approx(0.1)
    assert not account.is_untrue
    assert make_account([*few, *[ending(0.1, 5)] * 20]).is_untrue


def test_the_line_is_nearer_by_two_days_or_not_at_all():
    assert make_account([ending(0.9, 40, 30, 32)] * 20).is_line_nearer
    assert not make_account([ending(0.9, 40, 30, 31)] * 20).is_line_nearer
    assert not make_account([ending(0.9, 40, 30, 32)] * 19).is_line_nearer


def test_the_middle_of_an_even_number_lies_between_two():
    account = make_account([ending(0.9, 10, 10), ending(0.9, 13, 10)])

    assert account.own.days_off == 1.5


def test_nothing_has_an_account_too():
    account = make_account([])

    assert (account.count, account.groups, account.own.days_off, account.chance_off) == (0, [], None, None)


@given(some.lists(some.tuples(some.floats(0, 1), some.booleans(), some.integers(1, 90)), max_size=60))
@example([(0.0, True, 1)] * 5)
def test_counts_add_up_and_one_row_of_many_is_as_many_rows(promises):
    rows = [
        ending(chance, day if came else None, 20 if chance >= 0.5 else None) for chance, came, day in promises
    ]
    account = make_account(rows)

    came = sum(row.has_come for row in rows)
    assert account.count == sum(group.count for group in account.groups) == len(rows)
    assert account.own.came + account.own.unforeseen == sum(group.came for group in account.groups) == came
    assert all(0 <= group.low <= group.share <= group.high <= 1 for group in account.groups)
    assert sum(count for _, count in account.offs) == account.own.came


@pytest.mark.parametrize(
    ("stretches", "width"),
    [
        ([1.3] * 19, 1.0),  # too few
        ([0.5] * 16 + [9.0] * 4, 1.0),  # four in five held
        ([0.5] * 15 + [1.3] * 5, 1.3),
        ([0.5] * 15 + [9.0] * 5, 1.6),  # bounded
        ([0.5] * 15 + [1.04] * 5, 1.0),  # too little to widen for
    ],
)
def test_bands_are_widened_until_four_in_five_would_have_held(stretches, width):
    assert find_width(stretches) == width


@given(some.lists(some.floats(0, 1e6), max_size=80))
def test_the_width_is_bounded_and_does_not_depend_on_the_order(stretches):
    assert 1.0 <= find_width(stretches) <= 1.6
    assert find_width(stretches) == find_width(stretches[::-1])
