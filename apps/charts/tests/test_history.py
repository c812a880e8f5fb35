import json
import re
from datetime import date, timedelta

from apps.charts.history import Breach, Event, history

TODAY = date(2026, 2, 17)
DAYS = [TODAY - timedelta(days=back) for back in (3, 2, 1, 0)]


def colours(part):
    """Every colour of a figure."""
    if isinstance(part, dict):
        for key, value in part.items():
            if "color" in key and isinstance(value, str):
                yield value
            yield from colours(value)
    elif isinstance(part, list):
        for one in part:
            yield from colours(one)


def test_a_gap_is_not_bridged_and_says_nothing():
    figure = history(DAYS, [1, None, 3, 4])
    (line,) = figure["data"]
    assert line["y"] == [1, None, 3, 4]
    assert line["connectgaps"] is False
    assert line["text"][1] == ""


def test_the_limit_is_drawn_named_and_measured_against():
    figure = history(DAYS, [1600, 1610, 1650, 1662], limit=1800, unit="GB")
    assert [one["text"] for one in figure["layout"]["annotations"]] == ["limit 1,800 GB"]
    assert figure["data"][0]["text"][-1] == "1,662 GB<br>138 inside the limit of 1,800"
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 1600
    assert high > 1800
    assert "beyond" in history(DAYS[:1], [5], limit=10, beyond="below")["data"][0]["text"][0]


def test_the_fan_begins_at_the_last_measured_day():
    fan = [(TODAY + timedelta(days=ahead), 1662 + ahead, 1662, 1662 + 2 * ahead) for ahead in (7, 30)]
    low, high, middle, _ = history(DAYS, [1, 2, 3, 1662], fan=fan, today=TODAY)["data"]
    assert low["x"][0] == high["x"][0] == middle["x"][0] == "2026-02-17"
    assert high["fill"] == "tonexty"
    assert high["fillcolor"] == "var(--fan80)"
    assert middle["y"] == [1662, 1669, 1692]


def test_the_wider_interval_lies_behind():
    fan = [(TODAY + timedelta(days=7), 5, 4, 6, 3, 7)]
    fills = [one.get("fillcolor") for one in history(DAYS, [1, 2, 3, 4], fan=fan)["data"]]
    assert fills == [None, "var(--fan95)", None, "var(--fan80)", None, None]


def test_colours_are_names_so_that_one_figure_serves_both_themes():
    figure = history(
        DAYS,
        [1, 2, 3, 4],
        limit=5,
        fan=[(TODAY + timedelta(days=7), 5, 4, 6)],
        baseline=(1, 2),
        breach=Breach(TODAY, TODAY + timedelta(days=3), None),
        events=[Event(DAYS[1], "restart", "restart")],
        shaded=[(DAYS[0], DAYS[1])],
        today=TODAY,
    )
    found = set(colours(figure))
    assert found - {"rgba(0,0,0,0)"}
    assert all(re.fullmatch(r"var\(--[a-z0-9]+\)( \d+(\.\d+)?%)?|rgba\(0,0,0,0\)", one) for one in found)
    json.dumps(figure)


def test_rates_stand_on_zero():
    assert history(DAYS, [10, 11, 12, 13], is_rate=True)["layout"]["yaxis"]["range"][0] == 0
    assert history(DAYS, [1000, 1001, 1002, 1003])["layout"]["yaxis"]["range"][0] > 900


def test_nothing_measured_is_an_empty_figure():
    json.dumps(history([], []))
    json.dumps(history(DAYS, [None] * 4, limit=3))
