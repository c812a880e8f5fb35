"""Scenarios on the page of a forecast: lines, legend, table, file, and what becomes of the limits."""

import csv
import io
import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, instance, levels
from apps.collection.today import last_closed_day
from apps.forecasting.models import PlannedChange, Scenario
from apps.inventory.models import Target
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader() -> Client:
    return signed_in()


@pytest.fixture(scope="module")
def growing_pk(module_db: None) -> int:
    """100 to 189 MB, one more a day; at most 260."""
    target = instance()
    last = last_closed_day(target, timezone.now())
    ensure_partitions([last - timedelta(days=back) for back in range(-31, 118, 28)])
    levels(target, [100.0 + day for day in range(90)], last=last)
    add_threshold("x_used", "<=260", now=BOOT, target=target, component="DATA", lead_time_days=5)
    return target.pk


@pytest.fixture
def growing(growing_pk: int, db: None) -> Target:
    return Target.objects.get(pk=growing_pk)


def scenario(name: str, target: Target | None, change: str, ahead: int = 20, **rest: Any) -> Scenario:
    made, _ = Scenario.objects.get_or_create(name=name, defaults={"created_at": timezone.now()})
    on = timezone.now().date() + timedelta(days=ahead)
    fields = {"metric": "x_used", "component": "DATA", "target": target, "change": change, "on": on} | rest
    PlannedChange.objects.create(scenario=made, **fields)
    return made


def address(target: Target, query: str = "") -> str:
    return f"{reverse('statistic_forecast', args=[target.pk, 'x_used'])}?component=DATA{query}"


def chart(html: str) -> dict[str, Any]:
    match = re.search(r'<script id="forecast-figure" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert match is not None
    chart: dict[str, Any] = json.loads(match[1])
    return chart


def lines(html: str) -> dict[str, list[float]]:
    """The lines of scenarios in the chart, by name."""
    values_by_name = {}
    for part in chart(html)["data"]:
        text = (part.get("text") or [""])[0]
        if part["type"] == "scatter" and ": " in text and not text.startswith("expected"):
            values_by_name[text.partition(": ")[0]] = part["y"]
    return values_by_name


def test_PRE7_each_scenario_has_its_line_beside_the_plain_one(reader, growing):
    scenario("CRM goes live", growing, "+40 MB")
    scenario("Archive", growing, "-50 %", 10)

    html = reader.get(address(growing)).content.decode()

    values_by_name = lines(html)
    assert list(values_by_name) == ["Archive", "CRM goes live"]
    assert values_by_name["CRM goes live"][0] == pytest.approx(190, abs=1)
    assert values_by_name["CRM goes live"][60] == pytest.approx(290, abs=2)
    assert values_by_name["Archive"][60] == pytest.approx(125, abs=2)
    low, high = chart(html)["layout"]["yaxis"]["range"]
    assert low < min(values_by_name["Archive"])
    assert high > max(values_by_name["CRM goes live"])
    assert '<i class="mark-course-1" aria-hidden="true"></i><a' in html
    assert "as decided so far" in html


def test_PRE7_the_table_and_the_file_have_a_column_for_each(reader, growing):
    scenario("CRM goes live", growing, "+40 MB")

    html = reader.get(address(growing)).content.decode()
    text = reader.get(address(growing, "&format=csv")).content.decode("utf-8-sig")

    rows = list(csv.DictReader(io.StringIO(text)))
    assert 'class="num">expected with CRM goes live</th>' in html
    assert float(rows[60]["expected with CRM goes live"]) == pytest.approx(float(rows[60]["expected"]) + 40)
    assert rows[0]["expected with CRM goes live"] == rows[0]["expected"]


def test_PRE7_each_limit_is_told_in_each_scenario(reader, growing):
    scenario("CRM goes live", growing, "+40 MB")

    html = reader.get(address(growing)).content.decode()

    section = html[html.index('id="scenarios"') :]
    assert "with CRM goes live" in section
    crossing = timezone.now().date()
    days = [crossing + timedelta(days=ahead) for ahead in (29, 30, 31, 32)]  # 260 - 40 MB
    assert any(f"{day.day}\u00a0{day:%b}" in section for day in days)


def test_what_does_not_move_the_figure_or_is_decided_has_no_line(reader, growing):
    other = instance("OTHER")
    scenario("elsewhere", other, "+40 MB")
    scenario("another tablespace", growing, "+40 MB", component="IDX")
    scenario("past", growing, "+40 MB", -10)
    scenario("too late", growing, "+40 MB", 170)
    scenario("decided", growing, "+40 MB", decided_at=timezone.now())

    html = reader.get(address(growing)).content.decode()

    assert lines(html) == {}
    assert "mark-course" not in html
    assert "In scenarios" not in html
    assert "It includes what is decided for" in html


def test_four_are_drawn_and_the_others_are_named_with_how_to_see_them(reader, growing):
    made = [scenario(f"plan {number}", growing, f"+{number} MB") for number in range(1, 7)]

    html = reader.get(address(growing)).content.decode()

    assert list(lines(html)) == ["plan 1", "plan 2", "plan 3", "plan 4"]
    assert f"?component=DATA&amp;with={made[5].pk}" in html
    assert list(lines(reader.get(address(growing, f"&with={made[5].pk}")).content.decode())) == ["plan 6"]


@pytest.mark.parametrize("query", ["&with=x", "&with=", "&with=%00", "&with=99999999999999999999"])
def test_an_impossible_choice_draws_the_first(reader, growing, query):
    scenario("CRM goes live", growing, "+40 MB")

    assert list(lines(reader.get(address(growing, query)).content.decode())) == ["CRM goes live"]


def test_names_are_written_as_text(reader, growing):
    scenario("<b>CRM</b> & more", growing, "+40 MB")

    html = reader.get(address(growing)).content.decode()

    assert "<b>CRM</b>" not in html
    assert "&lt;b&gt;CRM&lt;/b&gt; &amp; more" in html


def test_without_a_forecast_no_scenario_is_drawn(reader):
    target = instance("YOUNG")
    last: date = last_closed_day(target, timezone.now())
    ensure_partitions([last, last - timedelta(days=28)])
    levels(target, [1.0] * 5, last=last)
    scenario("CRM goes live", target, "+40 MB")

    html = reader.get(address(target)).content.decode()

    assert "not enough data: 9 more days" in html
    assert "In scenarios" not in html
