"""Time lines: a step a day, gaps left open, restarts and horizons upright."""

import re

from apps.charts.timeline import HEIGHT, WIDTH, timeline


def test_days_of_one_kind_are_one_stroke_and_a_gap_stays_open():
    drawing = timeline(["bound", "bound", "", "measured"], "3 of 4 days")

    assert re.findall(r'd="(M\S+ \S+)" class="timeline-(\w+)"', drawing) == [
        (f"M0 {HEIGHT // 2}H{WIDTH // 2}", "bound"),
        (f"M{3 * WIDTH // 4} {HEIGHT // 2}H{WIDTH}", "measured"),
    ]
    assert 'aria-label="3 of 4 days"' in drawing


def test_restarts_and_horizons_stand_upright():
    drawing = timeline(["measured"] * 4, "", marked=[1], horizons=[0, 2])

    assert drawing.count('class="timeline-horizon"') == 2
    assert f'd="M{WIDTH * 1.5 / 4:g} 0V{HEIGHT}" class="timeline-mark"' in drawing


def test_no_day_is_an_empty_line():
    assert "path" not in timeline([], "")
