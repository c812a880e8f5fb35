import json
import re
from datetime import date, timedelta

from apps.charts.futures import ChartBreach
from apps.charts.history import ChartEvent, Frame, history, letter, letter_events

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
        for item in part:
            yield from colours(item)


def test_a_gap_is_not_bridged_and_says_nothing():
    figure = history(DAYS, [1, None, 3, 4])
    (line,) = figure["data"]
    assert line["y"] == [1, None, 3, 4]
    assert line["connectgaps"] is False
    assert line["text"][1] == ""


def test_the_limit_is_drawn_named_and_measured_against():
    figure = history(DAYS, [1600, 1610, 1650, 1662], limit=1800, unit="GB")
    assert [annotation["text"] for annotation in figure["layout"]["annotations"]] == ["limit 1,800 GB"]
    assert figure["data"][0]["text"][-1] == "1,662 GB<br>138 inside the limit of 1,800"
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 1600
    assert high > 1800
    assert "beyond" in history(DAYS[:1], [5], limit=10, beyond="below")["data"][0]["text"][0]


def test_a_fan_that_goes_far_leaves_what_was_measured_readable():
    fan = [(TODAY + timedelta(days=90), 500, -900, 9000)]

    low, high = history(DAYS, [1, 2, 3, 4], limit=5, fan=fan)["layout"]["yaxis"]["range"]

    assert -4 <= low < 0
    assert 5 < high <= 10


def test_the_fan_begins_at_the_last_measured_day():
    fan = [(TODAY + timedelta(days=ahead), 1662 + ahead, 1662, 1662 + 2 * ahead) for ahead in (7, 30)]
    low, high, middle, _ = history(DAYS, [1, 2, 3, 1662], fan=fan, today=TODAY)["data"]
    assert low["x"][0] == high["x"][0] == middle["x"][0] == "2026-02-17"
    assert high["fill"] == "tonexty"
    assert high["fillcolor"] == "var(--fan80)"
    assert middle["y"] == [1662, 1669, 1692]


def test_the_wider_interval_lies_behind():
    fan = [(TODAY + timedelta(days=7), 5, 4, 6, 3, 7)]
    fills = [trace.get("fillcolor") for trace in history(DAYS, [1, 2, 3, 4], fan=fan)["data"]]
    assert fills == [None, "var(--fan95)", None, "var(--fan80)", None, None]


def test_colours_are_names_so_that_one_figure_serves_both_themes():
    figure = history(
        DAYS,
        [1, 2, 3, 4],
        limit=5,
        fan=[(TODAY + timedelta(days=7), 5, 4, 6)],
        frame=Frame(baseline=(1, 2), over=[(DAYS[0], DAYS[2])], has_strip=True),
        breach=ChartBreach(TODAY, TODAY + timedelta(days=3), None),
        events=[ChartEvent(DAYS[1], "restart", "restart")],
        shaded=[(DAYS[0], DAYS[1])],
        today=TODAY,
    )
    names = set(colours(figure))
    assert names - {"rgba(0,0,0,0)"}
    assert all(re.fullmatch(r"var\(--[a-z0-9]+\)( \d+(\.\d+)?%)?|rgba\(0,0,0,0\)", name) for name in names)
    json.dumps(figure)


def test_rates_stand_on_zero():
    assert history(DAYS, [10, 11, 12, 13], is_rate=True)["layout"]["yaxis"]["range"][0] == 0
    assert history(DAYS, [1000, 1001, 1002, 1003])["layout"]["yaxis"]["range"][0] > 900


def test_nothing_measured_is_an_empty_figure():
    for figure in (history([], []), history(DAYS, [None] * 4, limit=3)):
        values = [value for trace in json.loads(json.dumps(figure))["data"] for value in trace["y"]]
        assert set(values) <= {None}


def test_what_happened_on_one_day_shares_a_letter_and_letters_never_lie_on_each_other():
    days = [TODAY - timedelta(days=back) for back in range(300, -1, -1)]
    events = [
        ChartEvent(TODAY, "note"),
        ChartEvent(TODAY, "restart", "restart"),
        ChartEvent(TODAY - timedelta(days=1), "change"),
    ]

    figure = history(days, [1.0] * len(days), events=events)

    letters = [annotation for annotation in figure["layout"]["annotations"] if annotation["text"] in "ABC"]
    assert [(annotation["text"], annotation["x"], annotation["yshift"]) for annotation in letters] == [
        ("A", "2026-02-16", 0), ("B", "2026-02-17", 18)
    ]  # fmt: skip
    lines = [shape["line"]["dash"] for shape in figure["layout"]["shapes"] if shape["type"] == "line"]
    assert lines == ["dot", "solid"]
    assert [[event.label for event in group] for _, group in letter_events(events)] == [
        ["change"],
        ["note", "restart"],
    ]


def test_after_z_comes_aa():
    assert [letter(index) for index in (0, 25, 26, 27, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AB",
        "BA",
        "ZZ",
        "AAA",
    ]


def test_the_part_that_is_looked_at_is_the_range_and_the_strip_shows_the_whole():
    figure = history(DAYS, [1, 2, 3, 4], frame=Frame(window=(DAYS[1], DAYS[2]), has_strip=True))

    axis = figure["layout"]["xaxis"]
    assert axis["range"] == ["2026-02-15", "2026-02-16"]
    assert axis["rangeslider"]["range"] == ["2026-02-14", "2026-02-17"]


def test_the_year_stands_under_the_axis():
    assert history(DAYS, [1, 2, 3, 4])["layout"]["xaxis"]["tickformat"].endswith("\n%Y")


def test_a_violation_is_marked_on_the_axis_and_a_baseline_is_inside_the_picture():
    figure = history(DAYS, [10, 11, 12, 13], frame=Frame(baseline=(5, 20), over=[(DAYS[1], DAYS[2])]))

    mark = next(shape for shape in figure["layout"]["shapes"] if shape.get("fillcolor") == "var(--overmark)")
    assert (mark["x0"], mark["x1"], mark["yref"]) == ("2026-02-15", "2026-02-17", "paper")
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 5
    assert high > 20


def test_days_in_a_row_are_written_once_and_others_each():
    first = date(2026, 2, 16)
    row = history([first + timedelta(days=ahead) for ahead in range(3)], [1, 2, 3])["data"][-1]
    assert (row["x0"], row["dx"], "x" in row) == ("2026-02-16", 24 * 3600 * 1000, False)

    gap = history([first, first + timedelta(days=2)], [1, 2])["data"][-1]
    assert (gap["x"], "x0" in gap) == (["2026-02-16", "2026-02-18"], False)


def test_a_value_is_drawn_with_seven_digits():
    assert history([date(2026, 2, 16)], [1662.123456789])["data"][-1]["y"] == [1662.123]


def test_a_breach_names_its_three_days_and_leaves_the_strip_below_clean():
    soonest, likely, latest = (TODAY + timedelta(days=days) for days in (20, 40, 60))
    fan = [(TODAY + timedelta(days=days), 5.0, 3.0, 7.0, 1.0, 9.0) for days in (1, 90)]

    figure = history(
        DAYS, [1, 2, 3, 4], limit=5, fan=fan, breach=ChartBreach(soonest, likely, latest), today=TODAY
    )

    notes = [note["text"] for note in figure["layout"]["annotations"]]
    assert [note.partition("<br>")[0] for note in notes if "<br>" in note] == ["likely", "soonest", "latest"]
    assert {"80 % of futures", "95 %"} <= set(notes)
    assert not any("text" in trace.get("mode", "") for trace in figure["data"])


def test_days_close_to_each_other_are_named_on_two_sides_of_the_limit():
    breach = ChartBreach(TODAY + timedelta(days=39), TODAY + timedelta(days=40), None)

    figure = history(DAYS, [1, 2, 3, 4], limit=5, breach=breach, today=TODAY)

    sides = {
        note["text"].partition("<br>")[0]: note["yanchor"]
        for note in figure["layout"]["annotations"]
        if "<br>" in note["text"]
    }
    assert sides == {"likely": "bottom", "soonest": "top"}


def test_bounds_are_dotted_and_no_line_joins_them_with_what_was_measured():
    chart = history(DAYS, [None, None, 3, 4], bounds=[9, 8, None, None], unit="MB")

    bound, measure = chart["data"]
    assert (bound["line"]["dash"], bound["y"], bound["text"]) == (
        "dot",
        [9, 8, None, None],
        ["≤9 MB", "≤8 MB", "", ""],
    )
    assert measure["y"] == [None, None, 3, 4]
    assert chart["layout"]["yaxis"]["range"][1] > 9
    assert len(history(DAYS, [1, 2, 3, 4], bounds=[None] * 4)["data"]) == 1
