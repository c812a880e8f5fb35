"""The three sentences say what the facts say."""

from typing import Any

import pytest

from apps.charts.figures import SPACE
from apps.reports import conclusion
from apps.reports.facts import Closer, Facts, Item


def item(**fields: Any) -> Item:
    return Item(
        **{
            "violation": 1,
            "target": "DWPRD",
            "group": "",
            "what": "DATA",
            "severity": "warning",
            "state": "open",
            "limit": "<1,800",
            "value": 1900.0,
            "unit": "GB",
            "opened_on": "2026-02-09",
            "closed_on": None,
            "owner": "T. Okafor",
            "due_on": "2026-02-20",
            "next_step": "",
            "slack": -3,
            **fields,
        }
    )


def sentences(of: Facts) -> list[str]:
    """With plain spaces, as they are typed here."""
    return [sentence.replace(SPACE, " ") for sentence in conclusion.write_sentences(of)]


def facts(**fields: Any) -> Facts:
    return Facts(**{"targets": 38, "known_at": "2026-02-16T07:00+00:00", **fields})


COMING = item(opened_on=None, likely_on="2026-03-14", soonest_on="2026-03-02", act_by="2026-02-28", slack=12)


def test_the_week_of_the_drawing_is_told_as_drawn():
    new, old = [item(violation=n) for n in range(6)], [item(violation=n) for n in range(6, 11)]

    written = sentences(facts(new=new, continuing=old, predicted=[COMING]))

    assert written == [
        "Eleven limits are broken, six of them new.",
        "DATA on DWPRD is the next to go, around 14 March (soonest 2 March), and must be acted on by 28 February.",
    ]


@pytest.mark.parametrize(
    ("fields", "first"),
    [
        ({}, "Nothing broke its limit."),
        ({"new": [item()]}, "One limit is broken, new this week."),
        ({"continuing": [item()]}, "One limit is broken, as the week before."),
        ({"new": [item(), item()]}, "Two limits are broken, all of them new."),
        ({"continuing": [item(), item()]}, "Two limits are broken, none of them new."),
        ({"resolved": [item(closed_on="2026-02-12")]}, "Nothing is over its limit any more."),
        ({"continuing": [item()] * 1234}, "1,234 limits are broken, none of them new."),
        ({"targets": 0}, "No target is registered yet."),
    ],
)
def test_what_is_over_is_counted(fields: dict[str, Any], first: str):
    assert sentences(facts(**fields))[0] == first


def test_without_a_prediction_the_worst_is_named_with_its_owner():
    written = sentences(facts(new=[item()]))

    assert (
        written[1]
        == "Worst is DATA on DWPRD at 1,900 GB against <1,800, owned by T. Okafor, due 20 February."
    )


def test_nobody_is_named_where_nobody_owns_it():
    assert sentences(facts(new=[item(owner="")]))[1].endswith("against <1,800, and nobody owns it yet.")


def test_time_that_is_over_is_not_promised():
    late = item(opened_on=None, likely_on="2026-03-01", act_by="2026-02-01")

    assert sentences(facts(predicted=[late]))[1].endswith("; the time to act ended on 1 February.")


def test_a_quiet_week_says_what_comes_nearest():
    closest = Closer("PAYPRD", "PAY_IDX", "2026-05-06", None, None)

    assert sentences(facts(closest=closest)) == [
        "Nothing broke its limit.",
        "The closest is PAY_IDX on PAYPRD, around 6 May.",
    ]


def test_a_quiet_week_without_any_likely_day_says_so_only_where_something_was_forecast():
    assert sentences(facts(forecasts=3))[1] == "No limit is predicted to be reached within 90 days."
    assert sentences(facts()) == ["Nothing broke its limit."]


@pytest.mark.parametrize(
    ("unread", "expected"),
    [
        ([("GISPRD", "4")], "GISPRD was not read on four nights."),
        ([("GISPRD", "1")], "GISPRD was not read on one night."),
        ([("GISPRD", "0")], "The Sunday of GISPRD is not closed yet."),
        ([("A", "3"), ("B", "1")], "A and one other were not read every night."),
        ([("A", "3"), ("B", "1"), ("C", "1")], "A and two others were not read every night."),
    ],
)
def test_what_was_not_read_is_said(unread: list[tuple[str, str]], expected: str):
    rows = [{"target": name, "nights": nights, "reason": ""} for name, nights in unread]

    assert sentences(facts(not_collected=rows))[-1] == expected


def test_what_ended_is_said_but_not_a_prediction_that_was_taken_back():
    ended, averted = (
        item(closed_on="2026-02-12"),
        item(opened_on=None, closed_on="2026-02-12", state="averted"),
    )

    assert sentences(facts(resolved=[ended]))[-1] == "DATA on DWPRD is no longer violated since 12 February."
    assert sentences(facts(resolved=[averted])) == ["Nothing is over its limit any more."]


def test_a_long_name_leaves_room_for_the_sentence():
    assert len(sentences(facts(new=[item(what="x" * 500)]))[1]) < 200
