"""Everything that is drawn of a statistic: baseline, violations, the part that is looked at; and the file of it."""

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.profiles.models import Baseline, Note
from apps.review.nightly import review_targets
from apps.snapshots.models import Fact
from apps.thresholds.baseline import read_baseline_band
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import NASTY, signed_in

pytestmark = pytest.mark.django_db
USED = [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 12.0, 13.0, 9.0, 9.0, 9.0, 9.0, 11.0, 11.0]


@pytest.fixture(scope="module")
def last() -> date:
    return timezone.now().date() - timedelta(days=2)


@pytest.fixture(scope="module")
def target_pk(module_db: None, last: date) -> int:
    """Two weeks under a limit of 10: over it twice, closed once; six days of them steady."""
    days = days_before(last, len(USED))
    prepare(*days[::7], last)
    made = instance("DWPRD", registered_at=BOOT)
    add_threshold("x_used", "10", now=BOOT, target=made, component="DATA")
    Baseline.objects.create(target=made, first_day=days[0], last_day=days[5], marked_at=timezone.now())
    story = Story(made)
    for on, used in zip(days, USED, strict=True):
        story.day(on, used={"DATA": used}, redo=1)
        review_targets([made], on, timezone.now())
    return made.pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def reader(target: Target) -> Client:
    return signed_in(is_planner=False)


def address(of: Target, name: str = "statistic", **query: str) -> str:
    return reverse(name, args=[of.pk, "x_used"], query={"component": "DATA", **query})


def figure(html: str) -> dict[str, Any]:
    """The Plotly figure of a page."""
    text = html.partition('id="history-figure"')[2].partition(">")[2].partition("</script>")[0]
    chart: dict[str, Any] = json.loads(text)
    return chart


def rectangles(chart: dict[str, Any], colour: str) -> list[dict[str, Any]]:
    return [shape for shape in chart["layout"]["shapes"] if shape.get("fillcolor") == colour]


def test_the_baseline_is_a_band_from_its_5th_to_its_95th_percentile(reader, target):
    html = reader.get(address(target)).content.decode()

    low, high = np.percentile(USED[:6], (5, 95))
    [band] = rectangles(figure(html), "var(--band)")
    assert (band["y0"], band["y1"]) == (pytest.approx(low), pytest.approx(high))
    assert "4.25 to 8.75 MB on nine days of ten" in html


def test_a_baseline_of_too_few_days_draws_nothing(reader, target, last):
    Baseline.objects.create(target=target, first_day=last, last_day=last, marked_at=timezone.now())

    assert read_baseline_band(target, get_metric("x_used"), "DATA") is None
    assert rectangles(figure(reader.get(address(target)).content.decode()), "var(--band)") == []


def test_violations_are_stretches_on_the_axis_open_ones_until_now(reader, target, last):
    html = reader.get(address(target)).content.decode()

    marks = [(shape["x0"], shape["x1"]) for shape in rectangles(figure(html), "var(--overmark)")]
    days = [day.isoformat() for day in days_before(last + timedelta(days=1), len(USED) + 1)]
    assert marks == [(days[6], days[11]), (days[12], days[14])]
    assert "violation open" in html
    assert "to now" in html


def test_what_lies_before_the_days_shown_is_not_drawn(reader, target, last):
    chart = figure(reader.get(address(target, on=(last - timedelta(days=9)).isoformat())).content.decode())

    assert rectangles(chart, "var(--overmark)") == []


def test_a_limit_from_below_is_tinted_below(reader, target):
    add_threshold("x_hit_pct", ">=95", now=BOOT, target=target)
    html = reader.get(reverse("statistic", args=[target.pk, "x_hit_pct"])).content.decode()

    [beyond] = rectangles(figure(html), "var(--overmark) 5.5%")
    assert beyond["y1"] == 95


def test_a_changed_parameter_is_lettered_with_what_it_was(reader, target, last):
    moment = timezone.now() - timedelta(days=5)
    for back, value in ((60, "2"), (5, NASTY)):
        since = timezone.now() - timedelta(days=back)
        Fact.objects.create(target=target, name="parameter", component="cpu_count", since=since, value=value)

    html = reader.get(address(target)).content.decode()

    assert f"{moment.day} " in html
    assert "cpu_count 2 → &lt;script&gt;alert(" in html


@pytest.mark.parametrize(
    ("since", "until", "is_used"),
    [
        (5, 2, True),
        (2, 5, False),
        (3, 3, False),
        (400, 300, False),
        (None, 2, False),
    ],
)
def test_the_part_that_is_looked_at_stands_in_the_address(reader, target, last, since, until, is_used):
    query = {
        name: (last - timedelta(days=back)).isoformat()
        for name, back in (("from", since), ("to", until))
        if back is not None
    }

    axis = figure(reader.get(address(target, **query)).content.decode())["layout"]["xaxis"]

    assert (axis["range"] == list(query.values())) is is_used
    assert axis["rangeslider"]["range"][0] == (last - timedelta(days=89)).isoformat()


@pytest.mark.parametrize("typed", ["yesterday", "2026-02-30", "%00", "9" * 500, "<script>"])
def test_an_impossible_part_is_all_of_it(reader, target, typed):
    response = reader.get(address(target, **{"from": typed, "to": typed}))

    assert response.status_code == 200
    assert b"<script>alert" not in response.content


def test_everything_that_is_drawn_is_in_the_file(reader, target, last):
    Note.objects.create(target=target, first_day=last, last_day=last, text="=1+1", written_at=timezone.now())

    text = reader.get(address(target, "statistic_csv")).content.decode()

    rows = {row["day"]: row for row in csv.DictReader(io.StringIO(text))}
    now = rows[last.isoformat()]
    assert (now["value"], now["unit"], now["limit"], now["violation"]) == ("11", "MB", "10", "10")
    assert float(now["baseline 95th percentile"]) == pytest.approx(8.75)
    assert now["what happened"] == "'=1+1"
    assert rows[(last - timedelta(days=4)).isoformat()]["violation"] == "10"
    assert rows[(last - timedelta(days=2)).isoformat()]["violation"] == ""
    assert rows[(last - timedelta(days=20)).isoformat()]["presence"] == "no_data"
