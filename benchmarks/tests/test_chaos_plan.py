"""The kills of the drill are drawn from its seed."""

from benchmarks.chaos.plan import PARTS, SUPERVISOR, draw


def test_a_seed_repeats_its_choices_and_another_makes_others():
    kills = draw(7, 200, 360)

    assert kills == draw(7, 200, 360)
    assert [choice.part for choice in kills] != [choice.part for choice in draw(8, 200, 360)]
    assert {choice.part for choice in kills} == {*PARTS, SUPERVISOR}
    assert 100 < sum(choice.gap for choice in kills) < 360
