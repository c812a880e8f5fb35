"""Bars of a dry run, bars of the risk list, and the band of a case."""

import itertools
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from apps.charts.bars import bars, ticks
from apps.charts.caseband import CaseBreach, CaseEvent, StatePeriod, caseband
from apps.charts.riskbar import riskbar, riskbar_axis
from apps.charts.tests.drawings import of_class, parse, words

TODAY = date(2026, 2, 17)


def on(days: int) -> date:
    return TODAY + timedelta(days=days)


def test_a_day_a_bar_and_those_that_fired_are_marked() -> None:
    root = parse(bars([on(0), on(1), on(2)], [40.0, 60.0, None], 50.0, [False, True, False], "2 days"))

    assert (len(of_class(root, "bar-in")), len(of_class(root, "bar-over"))) == (1, 1)


def test_bars_begin_at_zero() -> None:
    root = parse(bars([on(0), on(1)], [50.0, 100.0], None))

    low, high = (float(bar.attrib["height"]) for bar in of_class(root, "bar-in"))
    assert abs(high - 2 * low) < 0.05


def test_the_limit_is_labelled_on_its_line() -> None:
    root = parse(bars([on(0)], [40.0], 50.0))

    assert len(of_class(root, "limit-line")) == 1
    assert "limit 50" in list(words(root))


def test_a_dry_run_without_any_figure_still_has_its_axis() -> None:
    assert of_class(parse(bars([on(0)], [None])), "axis-line")


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9))
def test_ticks_are_few_and_lie_between_the_ends(low: float, height: float) -> None:
    result = ticks(low, low + height)

    assert len(result) <= 8
    assert result == sorted(result)
    assert all(low - height * 1e-6 - 1e-9 <= tick <= low + height * (1 + 1e-6) + 1e-9 for tick in result)


def test_a_breach_is_a_bar_with_its_likely_day_and_the_day_to_act_by() -> None:
    root = parse(riskbar(TODAY, state="at_risk", soonest=on(13), likely=on(25), latest=on(81), act_by=on(11)))

    assert [len(of_class(root, name)) for name in ("risk-range", "risk-dot", "risk-act", "risk-wait")] == [
        1,
        1,
        1,
        1,
    ]
    assert (
        root.get("aria-label")
        == "soonest 2\u00a0Mar, likely 14\u00a0Mar, latest 9\u00a0May, act by 28\u00a0Feb"
    )


def test_a_bar_that_goes_on_beyond_the_axis_ends_in_an_arrow() -> None:
    root = parse(riskbar(TODAY, state="at_risk", soonest=on(13), likely=on(40), latest=None))

    assert len(of_class(root, "risk-range")) == 2


def test_words_take_the_place_of_a_bar_that_cannot_be_drawn() -> None:
    root = parse(riskbar(TODAY, state="violated", note="over since 9 Feb, 8 days"))

    assert list(words(root)) == ["over since 9 Feb, 8 days"]
    assert (len(of_class(root, "risk-over")), len(of_class(root, "risk-range"))) == (1, 0)


def test_a_breach_beyond_the_axis_is_said_and_not_drawn() -> None:
    root = parse(riskbar(TODAY, state="comfortable", soonest=on(120), note="no breach within 90 days"))

    assert not of_class(root, "risk-range")


def test_the_axis_names_the_months_between_now_and_the_horizon() -> None:
    assert list(words(parse(riskbar_axis(TODAY)))) == ["now", "Mar", "Apr", "May"]


def test_the_life_of_a_violation_is_a_stretch_a_state() -> None:
    band = caseband(
        [
            StatePeriod(on(-60), "predicted"),
            StatePeriod(on(-20), "open"),
            StatePeriod(on(-10), "in_progress"),
        ],
        TODAY,
    )

    root = parse(band)
    widths = [
        float(part.attrib["width"])
        for name in ("predicted", "open", "in_progress")
        for part in of_class(root, f"band-{name}")
    ]
    assert widths[0] > widths[1]
    assert abs(widths[1] - widths[2]) < 0.05
    assert root.get("aria-label") == "predicted 19\u00a0Dec, open 28\u00a0Jan, in progress 7\u00a0Feb"


def test_a_state_entered_today_is_still_inside_the_band() -> None:
    root = parse(caseband([StatePeriod(on(-5), "open"), StatePeriod(TODAY, "acknowledged")], TODAY))

    ends = [
        float(part.attrib["x"]) + float(part.attrib["width"]) for part in root.iter() if part.tag == "rect"
    ]
    assert all(end <= 1100.01 for end in ends)


def test_what_is_to_come_is_dashed_until_the_day_the_case_ends_if_that_holds() -> None:
    end = CaseEvent(on(10), "resolved", "if it holds")

    root = parse(caseband([StatePeriod(on(-10), "open")], TODAY, events=[CaseEvent(TODAY, "today")], end=end))

    (ahead,) = of_class(root, "band-ahead")
    assert float(ahead.attrib["x"]) == float(ahead.attrib["width"]) == 550
    assert str(root.get("aria-label")).endswith("resolved 27\u00a0Feb, if it holds")


def test_a_breach_stands_below_on_the_same_scale() -> None:
    breach = CaseBreach(likely=on(30), soonest=on(20), latest=on(40), act_by=on(10))

    root = parse(caseband([StatePeriod(TODAY, "predicted")], TODAY, breach=breach))

    (dot,) = (part for part in root.iter() if part.tag == "circle")
    assert float(dot.attrib["cx"]) == 1100 * 30 / 40
    written = {"".join(part.itertext()) for part in root.iter() if part.tag == "text"}
    assert {"likely 19\u00a0Mar", "soonest 9\u00a0Mar", "act by 27\u00a0Feb", "if nothing is done"} <= written


def test_words_of_a_case_never_stand_on_others() -> None:
    events = [CaseEvent(on(back), "due", "look at the redo logs of the night") for back in range(9)]

    root = parse(caseband([StatePeriod(on(-3), "open")], TODAY, events=events))

    places: dict[str, list[tuple[float, float]]] = {}
    for part in root.iter():
        if part.tag == "text":
            long = 6.1 * len("".join(part.itertext()))
            at = float(part.attrib["x"]) - (long if "end" in part.attrib["class"].split() else 0)
            places.setdefault(part.attrib["y"], []).append((at, at + long))
    for line in places.values():
        line.sort()
        assert all(left[1] < right[0] for left, right in itertools.pairwise(line))


def test_a_life_without_steps_is_no_drawing() -> None:
    assert caseband([], TODAY) == ""
