"""Today against earlier days, as tables of numbers."""

import numpy as np
import pandas as pd
import pytest

from apps.profiles.engine.compare import compare, top_components
from apps.snapshots.renames import follow_renames


def compared(today: float, then: float, *, is_percent: bool = False) -> float:
    frame = pd.DataFrame({"today": [today], 7: [then]})

    return float(compare(frame, pd.Series([is_percent])).loc[0, 7])


def test_PRO2_changes_in_percent_are_those_of_the_slide():
    frame = pd.DataFrame(
        {"today": [18, 1.7, 2], 90: [18, 1.73, 2], 30: [14, 1.5, 2.1], 7: [18, 1.32, 3]},
        index=["os thread startup", "direct path write temp", "read by other session"],
    )

    changes = compare(frame, pd.Series([False] * 3)).round(1)

    assert changes.loc["os thread startup"].tolist() == [0, 28.6, 0]
    assert changes.loc["direct path write temp"].tolist() == [-1.7, 13.3, 28.8]
    assert changes.loc["read by other session"].tolist() == [0, -4.8, -33.3]


@pytest.mark.parametrize(
    ("today", "then", "expected"),
    [(0, 0, 0), (0, 5, -100), (-1, -2, 50), (-3, -2, -50), (1, -2, 150), (10, 4, 150)],
)
def test_a_change_keeps_its_sign_whatever_it_is_relative_to(today, then, expected):
    assert compared(today, then) == pytest.approx(expected)


@pytest.mark.parametrize(("today", "then"), [(5, 0), (np.nan, 5), (5, np.nan), (np.nan, np.nan)])
def test_where_there_is_no_percentage_there_is_no_number(today, then):
    assert np.isnan(compared(today, then))


def test_a_statistic_in_percent_is_compared_in_points():
    assert compared(44, 40, is_percent=True) == pytest.approx(4)
    assert compared(4, 0, is_percent=True) == pytest.approx(4)


def test_the_largest_components_come_first_and_those_asked_for_after_them():
    ranking = {"c": 1.0, "a": 3.0, "idle": 9.0, "zero": 0.0, "unread": np.nan, "b": 2.0}

    names = top_components(ranking, 2, lambda name: name == "idle", ["zero", "a", "new"])

    assert names == ["a", "b", "zero", "new"]


def test_equally_large_components_come_by_name():
    names = top_components({"b": 1.0, "a": 1.0, "c": 1.0}, 2)

    assert names == ["a", "b"]


def test_what_a_release_renamed_goes_on_under_its_new_name():
    frame = pd.DataFrame({"today": [np.nan, 2.0, 7.0], 7: [1.0, np.nan, 7.0]}, index=["old", "new", "other"])

    followed = follow_renames(frame, {"old": "new", "elsewhere": "other"})

    assert followed.loc["new"].tolist() == [2, 1]
    assert followed.loc["old"].isna().all()
    assert followed.loc["other"].tolist() == [7, 7]
    assert frame.loc["old", 7] == 1


def test_a_day_with_both_names_keeps_both():
    frame = pd.DataFrame({"today": [1.0, 2.0]}, index=["old", "new"])

    assert follow_renames(frame, {"old": "new"}).equals(frame)
