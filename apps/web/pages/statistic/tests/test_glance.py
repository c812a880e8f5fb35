"""What opens below a row of a table, and what a statistic's own page loads late."""

from datetime import date, timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.tests.scripted import BOOT, instance, levels
from apps.inventory.models import Target
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 21)
AS_PART = {"HX-Request": "true"}


@pytest.fixture
def target() -> Target:
    target = instance("DWPRD", registered_at=BOOT)
    ensure_partitions([TODAY - timedelta(days=back) for back in range(-31, 150, 28)])
    levels(target, [100.0 + day for day in range(90)], last=TODAY)
    add_threshold("x_used", "<=220", now=BOOT, target=target, component="DATA")
    return target


def address(target: Target, name: str) -> str:
    query = urlencode({"component": "DATA", "on": TODAY.isoformat()})
    return f"{reverse(name, args=[target.pk, 'x_used'])}?{query}"


def test_a_glance_has_the_sentence_the_drawing_with_its_limit_and_the_ways_on(reader: Client, target: Target):
    part = reader.get(address(target, "statistic_glance"), headers=AS_PART).content.decode()

    assert "<html" not in part
    assert "DATA" in part
    assert "limit 220" in part
    assert f'href="{address(target, "statistic").partition("on=")[0]}'.replace("&", "&amp;") in part
    assert address(target, "statistic_forecast").partition("?")[0] in part


def test_a_glance_is_a_page_of_its_own_for_whoever_has_no_scripts(reader: Client, target: Target):
    page = reader.get(address(target, "statistic_glance")).content.decode()

    assert "<html" in page
    assert "At a glance" in page


def test_the_track_record_stands_on_the_page_of_the_statistic(reader: Client, target: Target):
    page = reader.get(address(target, "statistic")).content.decode()
    part = reader.get(address(target, "statistic_record"), headers=AS_PART).content.decode()

    assert f'hx-get="{address(target, "statistic_record")}"'.replace("&", "&amp;") in page
    assert 'id="track-record"' in part
    assert "earlier forecasts" in part


def test_the_facts_of_a_statistic_say_how_it_grows_and_what_is_left(reader: Client, target: Target):
    page = reader.get(address(target, "statistic")).content.decode()
    facts = page.partition('<dl class="facts">')[2].partition("</dl>")[0]

    assert "<dt>growth</dt>" in facts
    assert "+1 MB/day" in facts
    assert "<dt>unit</dt>" in facts


def test_hours_of_a_daily_reading_take_no_room(reader: Client, target: Target):
    part = reader.get(address(target, "statistic_patterns"), headers=AS_PART).content.decode()
    page = reader.get(address(target, "statistic_patterns")).content.decode()

    assert "By hour" not in part
    assert "its hours cannot be told apart" in page
