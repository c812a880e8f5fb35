"""The forecast of a statistic as people see and steer it."""

import csv
import io
import json
import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.charts import figures
from apps.collection.tests.scripted import BOOT, Story, days_before, instance, levels
from apps.collection.today import last_closed_day
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db


def last_day() -> date:
    """The day that a page of this moment goes by."""
    return last_closed_day(Target.objects.get(), timezone.now())


def tablespace(values: list[float], notation: str = "") -> Target:
    target = instance()
    ensure_partitions([last_day() - timedelta(days=back) for back in range(-31, len(values) + 28, 28)])
    levels(target, values, last=last_day())
    if notation:
        add_threshold("x_used", notation, now=BOOT, target=target, component="DATA")
    return target


def address(target: Target, query: str = "") -> str:
    page = reverse("statistic_forecast", args=[target.pk, "x_used"])
    return f"{page}?component=DATA{'&' if query else ''}{query}"


def test_it_opens_with_the_day_and_shows_why_and_how_past_ones_fared():
    target = tablespace([100.0 + day for day in range(90)], "<=220")

    html = signed_in(is_planner=False).get(address(target)).content.decode()

    assert "DATA on SCRIPT reaches 220 MB" in html
    assert "Why this forecast" in html
    assert "straight line, least squares" in html
    assert "last value" in html
    assert "replayed" in html
    assert "Of two earlier forecasts the expected figure was off by" in html


def test_PRE1_growth_is_charted_and_projected_against_the_registered_limit():
    target = tablespace([100.0 + day for day in range(90)], "<=220")

    html = signed_in().get(address(target)).content.decode()

    match = re.search(r'<script id="forecast-figure" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert match is not None
    chart = json.loads(match[1])
    level = [
        shape["y0"]
        for shape in chart["layout"]["shapes"]
        if shape.get("line", {}).get("color") == "var(--limit)"
    ]
    (dot,) = (shape for shape in chart["layout"]["shapes"] if shape["type"] == "circle")
    likely = date.fromisoformat(dot["xanchor"])
    assert level == [220]
    assert dot["yanchor"] == 220
    assert abs((likely - last_day()).days - 32) <= 2
    assert figures.short_day(likely) in html


@pytest.mark.parametrize(
    ("values", "notation", "words"),
    [
        ([5.0] * 60, "<=9", "No breach of DATA on SCRIPT within 60 days"),
        ([100.0 + day for day in range(60)], "<=150", "has been over its limit since"),
        ([100.0 + day for day in range(8)], "<=150", "not enough data: 6 more days"),
        ([7.0], "<=150", "not enough data: 13 more days"),
        ([0.0] * 60, "<=9", "No breach of DATA on SCRIPT"),
        ([100.0 + day for day in range(60)], "", "has no limit to reach"),
        ([100.0 + day for day in range(60)], "0", "has no limit to reach"),
    ],
)
def test_PRE4_PRE5_the_first_line_says_what_can_be_said(values, notation, words):
    target = tablespace(values, notation)

    assert words in signed_in(is_planner=False).get(address(target)).content.decode()


def test_a_limit_of_two_conditions_is_told_with_its_day_and_its_past():
    target = instance()
    ensure_partitions([last_day() - timedelta(days=back) for back in range(-31, 118, 28)])
    story = Story(target)
    for number, on in enumerate(days_before(last_day(), 90)):
        story.day(on, used={"DATA": 100.0 + number}, free={"DATA": 300.0 - 2 * number})
    add_threshold("x_used", "<=170 MB unless >=100 GB free", now=BOOT, target=target, component="DATA")

    html = signed_in(is_planner=False).get(address(target)).content.decode()

    likely = last_day() + timedelta(days=12)  # 189 MB and 122 GB now
    assert "reaches ≤170 MB unless ≥100 GB free around" in html
    assert any(f"{day.day}\u00a0{day:%b}" in html for day in (likely, likely - timedelta(days=1)))
    assert "replayed" in html


def test_horizon_and_window_are_chosen_in_the_address():
    target = tablespace([100.0 + day for day in range(90)], "<=220")
    client = signed_in(is_planner=False)

    rows = list(
        csv.reader(
            io.StringIO(
                client.get(address(target, "horizon=30&window=60&format=csv")).content.decode("utf-8-sig")
            )
        )
    )

    assert len(rows) == 31
    assert rows[1][0] == str(last_day() + timedelta(days=1))
    assert float(rows[1][1]) == pytest.approx(190, abs=1)
    assert (
        "60 days of figures went into it, of the last 60"
        in client.get(address(target, "window=60")).content.decode()
    )


@pytest.mark.parametrize(
    "query", ["horizon=0", "horizon=-3", "horizon=1e3", "horizon=999", "window=3", "window=x", "window=²"]
)
def test_an_impossible_horizon_or_window_is_told_and_the_usual_taken(query):
    target = tablespace([100.0 + day for day in range(30)])

    answer = signed_in(is_planner=False).get(address(target, query))

    assert answer.status_code == 200
    assert "Given “" in answer.content.decode()


def test_a_component_it_has_not_is_told_with_those_it_has():
    target = tablespace([1.0] * 20)
    page = reverse("statistic_forecast", args=[target.pk, "x_used"])

    html = signed_in(is_planner=False).get(f"{page}?component=DATE").content.decode()

    assert "SCRIPT has no tablespace “DATE”; it has DATA." in html


def test_a_proposed_trend_change_is_accepted_and_taken_back_by_who_may():
    target = tablespace([500.0 + day for day in range(50)] + [150.0 + day for day in range(40)])
    change = TrendChange.objects.create(
        target=target, metric="x_used", component="DATA", on=last_day() - timedelta(days=39)
    )
    planner, reader = signed_in(is_planner=True), signed_in(is_planner=False)
    post = reverse("trend_change", args=[change.pk])

    assert "Begin the history there" in planner.get(address(target)).content.decode()
    assert "Begin the history there" not in reader.get(address(target)).content.decode()
    assert reader.post(post, {"decision": "accept"}).status_code == 403
    assert planner.get(post).status_code == 405
    assert planner.post(post, {"decision": "accept"})["Location"] == address(target)
    assert "40 days of figures went into it" in planner.get(address(target)).content.decode()
    planner.post(post, {"decision": "reject"})
    assert "90 days of figures went into it" in planner.get(address(target)).content.decode()


@pytest.mark.parametrize("day", ["", "2026-02-30", "tomorrow", "9999-01-01", "0001-01-01"])
def test_a_day_to_begin_on_that_cannot_be_gets_a_sentence(day):
    target = tablespace([1.0] * 20)
    post = reverse("trend_change_add", args=[target.pk, "x_used"])

    html = (
        signed_in(is_planner=True).post(post, {"component": "DATA", "on": day}, follow=True).content.decode()
    )

    assert "Begin on: given" in html
    assert not TrendChange.objects.exists()


def test_a_young_day_to_begin_on_keeps_the_days_before_at_its_level():
    target = tablespace([1.0 + day for day in range(40)])
    day = last_day() - timedelta(days=20)
    post = reverse("trend_change_add", args=[target.pk, "x_used"])

    html = (
        signed_in(is_planner=True)
        .post(post, {"component": "DATA", "on": str(day)}, follow=True)
        .content.decode()
    )

    assert "40 days of figures went into it" in html
    text = " ".join(html.split())
    assert "the days before are shifted to the new level, until 30 days of figures have followed, by" in text


def test_a_day_to_begin_on_is_kept_with_who_named_it():
    target = tablespace([1.0 + day for day in range(40)])
    day = last_day() - timedelta(days=30)
    post = reverse("trend_change_add", args=[target.pk, "x_used"])

    html = (
        signed_in(is_planner=True)
        .post(post, {"component": "DATA", "on": str(day)}, follow=True)
        .content.decode()
    )

    assert "31 days of figures went into it" in html
    assert "Until 30 days of figures have followed, the days before are shifted" in html
    assert TrendChange.objects.get().decided_by == User.objects.get(username="planner")
