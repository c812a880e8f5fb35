from apps.forecasting.track_record import Verdict, judge, reliability


def test_the_reliability_table_sets_what_was_said_against_what_happened():
    table = reliability([0.9] * 20 + [0.1] * 5, [True] * 18 + [False] * 7)

    high = table[5]
    assert (high.cases, high.happened, high.share) == (20, 18, 0.9)
    assert (table[1].cases, table[1].share) == (5, None)


def test_certainty_belongs_to_the_last_bin():
    assert [row.cases for row in reliability([0.0, 0.05, 1.0], [False, False, True])] == [1, 1, 0, 0, 0, 0, 1]


def test_a_prediction_is_judged_by_its_day_and_its_range():
    assert judge(47, 35, 72, crossed=53) == Verdict(days_off=6, is_inside=True)
    assert judge(47, 35, 50, crossed=53) == Verdict(days_off=6, is_inside=False)
    assert judge(47, 35, None, crossed=53) == Verdict(days_off=6, is_inside=True)
    assert judge(None, None, None, crossed=53) == Verdict(days_off=None, is_inside=False)
    assert judge(47, 35, 72, crossed=None) == Verdict(days_off=None, is_inside=None)
