"""What moves with a statistic, as pages: with and without htmx, drawn together, as CSV, and whatever is typed."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import timedelta

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.catalog.subjects import Neighbourhood, SubjectStatistics, add_subjects
from apps.collection.tests.scripted import HOSTS, PLATFORM, Story, days_before, host, instance, prepare
from apps.inventory.models import Target
from apps.web.tests.scenes import FORMULA, NASTY, signed_in

pytestmark = pytest.mark.django_db
LENGTH = 50


@pytest.fixture(scope="module")
def measured_pk(module_db: None) -> int:
    """Fifty days up to the day before yesterday; a tablespace with a nasty name follows the redo by a day."""
    last = timezone.now().date() - timedelta(days=2)
    days = days_before(last, LENGTH)
    prepare(*days[::7], last)
    target = instance(f"DW {NASTY}", runs_on=host("machine", interval_minutes=1440))
    work = np.random.default_rng(1).normal(size=LENGTH).cumsum() + 100
    story = Story(target)
    for number, on in enumerate(days):
        story.day(on, redo=work[number], used={NASTY: 900 + work[max(number - 1, 0)], FORMULA: 7.0})
    return target.pk


@pytest.fixture(autouse=True)
def _no_other_subjects() -> Iterator[None]:
    yield
    add_subjects(PLATFORM, [], {})
    add_subjects(HOSTS, [], {"response": SubjectStatistics()})


@pytest.fixture
def reader(measured: Target) -> Client:
    return signed_in(is_planner=False)


def address(name: str, owner: Target, metric: str = "x_used", **query: str) -> str:
    return reverse(name, args=[owner.pk, metric], query=query)


def test_the_statistic_offers_the_comparison_as_a_fragment_and_as_a_plain_link(reader, measured):
    html = reader.get(address("statistic", measured, component=NASTY)).content.decode()

    link = address("statistic_related", measured) + "?component="
    assert f'hx-get="{link}' in html
    assert f'href="{link}' in html


def test_the_page_says_what_moves_with_it_how_surely_and_after_how_many_comparisons(reader, measured):
    html = reader.get(address("statistic_related", measured, component=NASTY)).content.decode()

    assert "<!DOCTYPE html>" in html
    assert "One statistic<strong> moves with it, redo on DW" in html
    assert "+1.00" in html
    assert "1 day later" in html
    assert "&lt;\xa00.1\xa0%" in html
    assert "That does not say that one causes the other" in html
    assert "1 series at 0 to 7 days" in html  # the other tablespace never changes
    assert "8 comparisons" in html


def test_htmx_gets_the_section_alone(reader, measured):
    html = reader.get(
        address("statistic_related", measured, component=NASTY), headers={"HX-Request": "true"}
    ).content.decode()

    assert "<!DOCTYPE" not in html
    assert html.count("<section") == 1
    assert "1 day later" in html


def test_a_row_links_to_the_two_drawn_together(reader, measured):
    html = reader.get(address("statistic_related", measured, component=NASTY)).content.decode()
    link = re.findall(r'<a\s+class="name"\s+href="([^"]+)"', html)[0].replace("&amp;", "&")

    page = reader.get(link)

    text = page.content.decode()
    assert page.status_code == 200
    assert "goes with redo on DW" in text
    assert text.count("<tr") > LENGTH
    assert "yaxis2" in text
    assert "<script>alert" not in text
    assert "<b>" not in text.partition("pair-figure")[2].partition("</script>")[0]


def test_the_two_are_a_file_too_with_exact_values_and_no_formula(reader, measured):
    query = {"component": FORMULA, "with": "x_redo", "days": "30", "format": "csv"}

    response = reader.get(address("statistic_pair", measured, **query))

    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert len(rows) == 2 * 30
    assert (rows[29]["component"], rows[29]["value"], rows[29]["unit"]) == (f"'{FORMULA}", "7", "MB")
    assert (rows[-1]["statistic"], rows[-1]["unit"]) == ("x_redo", "GB/day")
    assert 50 < float(rows[-1]["value"]) < 150


def test_what_moves_with_it_is_a_file_too(reader, measured):
    query = {"component": NASTY, "format": "csv", "table": "movers"}

    response = reader.get(address("statistic_related", measured, **query))

    [row] = csv.DictReader(io.StringIO(response.content.decode()))
    assert (row["statistic"], row["follows after, days"]) == ("x_redo", "1")
    assert float(row["rho"]) == pytest.approx(1.0)


def test_what_the_method_reads_beside_it_is_listed_and_what_is_not_measured_says_why(reader, measured):
    add_subjects(
        PLATFORM,
        [Neighbourhood(metric="x_redo", subjects=("work", "response"))],
        {"work": SubjectStatistics((("x_used", "*"),))},
    )
    add_subjects(HOSTS, [], {"response": SubjectStatistics(missing="This host counts none.")})

    html = reader.get(address("statistic_related", measured, "x_redo")).content.decode()

    assert "What is read beside it" in html
    assert "Response: not measured here. This host counts none." in html
    assert html.count("<script>alert") == 0


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"with": "x_nothing"},
        {"with": "%00"},
        {"with": "x_redo", "target": "abc"},
        {"with": "x_redo", "target": "²"},
        {"with": "x_redo", "of": "x" * 3000},
        {"with": "x_redo", "days": "-1", "on": "2026-02-30"},
        {"with": "x_used", "of": NASTY},
        {"component": "nothing", "with": "x_redo"},
        {"component": NASTY, "with": "x_used", "of": NASTY},
    ],
)
def test_whatever_is_typed_gets_a_page(reader, measured, query):
    for name in ("statistic_related", "statistic_pair"):
        response = reader.get(address(name, measured, **query))

        assert response.status_code == 200, (name, query)
        assert b"<script>alert" not in response.content


def test_what_does_not_exist_is_not_found(reader, measured):
    assert reader.get(address("statistic_related", measured, "x_nothing")).status_code == 404
    url = address("statistic_pair", measured, **{"with": "x_redo", "target": "99999999"})
    assert reader.get(url).status_code == 404


def test_a_target_without_figures_says_how_many_days_it_takes(reader, measured):
    empty = instance("EMPTY")

    html = reader.get(address("statistic_related", empty)).content.decode()

    assert "Too few days to tell" in html
    assert "0 day-to-day changes" in html
