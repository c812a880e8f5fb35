"""S12: what is typed is bounded before it is looked at, so that no text takes long and each gets a sentence."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from apps.catalog.registry import get_metric
from apps.catalog.units import UnknownUnit, parse_unit
from apps.collection.moments import BadMoment, parse_day, parse_moment
from apps.collection.tests import scripted
from apps.forecasting.change_notation import BadChange, read_change
from apps.thresholds.engine.day_notation import BadDays, parse_days
from apps.thresholds.engine.notation import BadNotation, Companion, parse_notation

LENGTH = 20_000
SHAPES = {
    "digits": "1" * LENGTH,
    "blanks": "1" + " " * LENGTH + "x",
    "words": "1 a" * (LENGTH // 3),
    "brackets": "1 (a) " * (LENGTH // 6),
    "open brackets": "(" * LENGTH,
    "dots": "1" + "." * LENGTH,
    "commas": "1" + ",111" * (LENGTH // 4),
    "and": "over 1 and " * (LENGTH // 11),
    "or": "<=1 or" + " " * LENGTH + "1",
    "per": "1 a" + " " * LENGTH + "per",
    "days": "every " + "a" * LENGTH + "!",
    "signs": "+" * LENGTH,
}
FREE = {"free": Companion("x_used", "MB")}


def read_limit(text: str) -> object:
    return parse_notation(text, "MB", companions=FREE)


def read_planned_change(text: str) -> object:
    scripted.register()
    return read_change(text, get_metric("x_used"))


READERS: dict[Callable[[str], object], type[ValueError]] = {
    read_limit: BadNotation,
    read_planned_change: BadChange,
    parse_days: BadDays,
    parse_unit: UnknownUnit,
    parse_moment: BadMoment,
    parse_day: BadMoment,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
def test_a_text_of_twenty_thousand_characters_is_refused_at_once(read, shape):
    began = time.process_time()

    with pytest.raises(READERS[read]) as refused:
        read(SHAPES[shape])

    assert time.process_time() - began < 5
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
def test_the_longest_text_that_is_looked_at_takes_no_time_either(read, shape):
    text = f"{SHAPES[shape][:77]}{SHAPES[shape][-3:]}"
    began = time.process_time()

    with suppress(READERS[read]):
        read(text)

    assert time.process_time() - began < 5


def test_a_calendar_takes_as_many_rules_as_anybody_writes():
    assert len(parse_days("2026-03-14\n" * 1000)) == 1000
    with pytest.raises(BadDays, match="There are 1,001 rules; give at most 1,000"):
        parse_days("2026-03-14\n" * 1001)


@pytest.mark.parametrize(
    "text",
    ["0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00", "2026-01-01T00:00+99:99", "2026-99-99", "1" * 5000, "\0"],
)  # fmt: skip
def test_a_moment_that_cannot_be_gets_a_sentence(text):
    with pytest.raises(BadMoment) as refused:
        parse_moment(text)

    assert str(refused.value).endswith(".")
