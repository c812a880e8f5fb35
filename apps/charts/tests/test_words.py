"""Numbers in running text."""

import pytest

from apps.charts.words import count, in_one_style, plural_of


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [((4, 6), ["four", "six"]), ((4, 13), ["4", "13"]), ((0, 12), ["no", "twelve"]), ((), [])],
)
def test_the_numbers_of_one_sentence_are_all_in_words_or_all_in_figures(numbers, texts):
    assert in_one_style(*numbers) == texts


def test_several_of_a_thing_end_as_people_write_it():
    assert [plural_of(noun) for noun in ("device", "process")] == ["devices", "processes"]
    assert count(2, "process") == "two processes"
