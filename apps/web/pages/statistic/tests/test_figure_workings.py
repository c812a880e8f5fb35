"""How a figure was computed: the numbers of the readings, filled in, give the figure that the page shows."""

import re
from datetime import date, datetime, time, timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.catalog.metric import Kind, Metric
from apps.collection.tests.scripted import GB, LOAD, WAITS, Story, days_before, host, instance, prepare
from apps.inventory.models import Target
from apps.snapshots.models import Figure
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day
from apps.web.pages.statistic.figure_workings import carried_over, explain_figure
from apps.web.tests.scenes import NASTY, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def last() -> date:
    return timezone.now().date() - timedelta(days=2)


@pytest.fixture
def target(last: date) -> Target:
    prepare(last)
    return instance("DWPRD", time_zone="Europe/Berlin")


def record_days(target: Target, last: date) -> None:
    story = Story(target)
    for number, on in enumerate(days_before(last, 3)):
        story.day(on, redo=5 + number, calls=1000, waits={NASTY: (1000, 6.0)}, used={"DATA": 100.0 + number})


def page(target: Target, metric: str, **query: str) -> str:
    client: Client = signed_in(is_planner=False)
    html = client.get(reverse("statistic", args=[target.pk, metric], query=query)).content.decode()
    workings = re.sub(r"\s+", " ", html.partition('aria-labelledby="how"')[2].partition("</aside>")[0])
    return workings.replace(" >", ">")


def test_a_counter_is_growth_over_elapsed_with_both_readings(target, last):
    record_days(target, last)

    html = page(target, "x_redo")

    growth = 7 * GB
    assert f"{11 * GB:,}" in html  # read first
    assert f"{18 * GB:,}" in html  # read last
    assert f"+ {growth:,}" in html
    assert "growth ÷ elapsed time" in html
    assert f"<li>{growth:,} ÷ 86,400 s</li>" in html
    assert '<li class="strong">= 7 GB/day</li>' in html
    assert "both readings are of the same start-up" in html
    assert "read at, Europe/Berlin" in html
    assert "The figure that is kept" not in html


def test_a_ratio_is_its_formula_in_words_and_in_numbers(target, last):
    record_days(target, last)

    html = page(target, "x_read_ms", component=NASTY)

    assert "growth of time waited ÷ 1,000 ÷ growth of waits" in html
    assert "<li>6,000,000 ÷ 1,000 ÷ 1,000</li>" in html
    assert "<li>= 6 ms</li>" in html
    assert '<li class="strong">= 0.6 cs</li>' in html
    assert "<script>" not in html


def test_a_gauge_is_the_value_read_last(target, last):
    record_days(target, last)

    html = page(target, "x_used", component="DATA")

    assert "the value read last" in html
    assert f"<li>{102 * 1024**2:,}</li>" in html
    assert '<li class="strong">= 102 MB</li>' in html


def test_after_a_restart_the_new_counter_is_divided_by_the_time_since(target, last):
    story = Story(target)
    days = days_before(last, 2)
    story.day(days[0], redo=50, calls=1)
    began, ends = story.slots(last)
    restarted = began + (ends - began) / 4
    story.day(last, redo=9, calls=1, restarted_at=restarted)

    how = explain_figure(target, _metric("x_redo"), "", last)

    assert how.steps[0] == f"{9 * GB:,} ÷ 64,800 s"
    assert how.steps[-1] == "= 12 GB/day"
    assert any("the counters began again there" in line for line in how.lines)


def test_a_figure_that_the_readings_do_not_give_says_so(target, last):
    record_days(target, last)

    how = explain_figure(target, _metric("x_redo"), "", last, stored=8.0)

    assert how.steps[-1] == "= 7 GB/day"
    assert any("The figure that is kept is 8 GB/day" in line for line in how.lines)


def test_readings_that_are_not_kept_any_more_are_not_made_up(target, last):
    record_days(target, last)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM snapshot")

    html = page(target, "x_redo")

    assert "The readings of this day are not kept any more; its figure is." in html
    assert Figure.objects.filter(target=target).exists()


def test_one_reading_alone_says_that_nothing_could_be_measured(target, last):
    story = Story(target)
    story.skip_beginning(last)
    story.day(last, redo=5, calls=1)

    how = explain_figure(target, _metric("x_redo"), "", last)

    assert how.lines == ["Only one reading bounds this day, so nothing could be measured over it."]
    assert how.steps == []


def test_a_day_that_was_sampled_tells_of_its_intervals_and_its_reduction(last):
    machine = host(interval_minutes=60)
    prepare(last)
    first = datetime.combine(last, time(0), timezone.now().tzinfo)
    for number in range(26):
        slot = first + timedelta(hours=number)
        source = ReadSource(category=LOAD, values={("x_busy_pct", ""): 80.0 if number == 12 else 20.0})
        record_snapshot(machine, [source], slot=slot, captured_at=slot, started_at=None)
    roll_up_day(machine, last, timezone.now())

    how = explain_figure(machine, _metric("x_busy_pct:max"), "", last, stored=80.0)
    hours = explain_figure(machine, _metric("x_busy_pct:9-17"), "", last, stored=27.5)

    assert hours.steps[-1] == "mean of the intervals from 9 to 17 h: 27.5 %"
    assert how.formula == "mean by time of what was read"
    assert how.steps[-2:] == ["mean of the day 22.5 %", "maximum of its 24 intervals: 80 %"]


def test_growth_that_was_read_over_a_longer_time_says_what_was_made_of_it():
    lengths = {"x_wait_time": (89_100.0, 86_400.0), "x_calls": None}
    share = Metric(
        key="share", label="share", unit="ratio", kind=Kind.RATIO, source="derived", category=WAITS,
        formula=lambda w: w.delta("x_wait_time") / w.delta("x_calls"),
    )  # fmt: skip

    lines = list(carried_over(share, SimpleNamespace(carried_over=lengths.__getitem__)))  # type: ignore[arg-type]

    assert lines == [
        "Time waited was read over 89,100 s: its growth is carried over to 86,400 s at the same rate."
    ]


def _metric(key: str):
    from apps.catalog.registry import get_metric

    return get_metric(key)
