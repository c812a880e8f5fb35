"""The first page: what its first line names, what a filter without hits says, what the estate has in all."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, Story, days_before, instance, levels, prepare
from apps.inventory.models import Group, Target
from apps.review.nightly import review_targets
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.register import add_threshold
from apps.web.pages.estate.size_map import Tile
from apps.web.pages.estate.totals import totals_of

pytestmark = pytest.mark.django_db
GB = 1024.0**3


def growing(name: str, notation: str, group: Group | None = None) -> Target:
    """A tablespace that grows by 1 MB a day to 159 yesterday, and three reviews of it."""
    prepare()
    yesterday = timezone.now().date() - timedelta(days=1)
    ensure_partitions([yesterday - timedelta(days=back) for back in range(-31, 120, 28)])
    target = instance(name, group=group)
    days = levels(target, [100.0 + day for day in range(60)], last=yesterday)
    add_threshold("x_used", notation, now=BOOT, target=target, component="DATA")
    for on in days[-3:]:
        review_targets([target], on, datetime.now(UTC))
    return target


def first_line(client: Client, query: str = "") -> str:
    html = client.get(f"{reverse('estate')}?{query}").content.decode()
    heading = re.sub(r"<[^>]+>", "", html.partition("<h1")[2].partition("</h1>")[0].partition(">")[2])
    return " ".join(unescape(heading).split())


def test_the_first_line_names_the_first_row_and_what_comes_next(reader):
    growing("OVER", "<=150")
    growing("SOON", "<=180")

    line = first_line(reader)
    table = reader.get(reverse("estate")).content.decode().partition('id="risk-list"')[2]

    assert line.startswith(
        "One figure is over its limit, first DATA on OVER; one more will be within 90 days."
    )
    assert "Next is DATA on SOON, around " in line
    assert table.index(">OVER<") < table.index(">SOON<")


def test_room_left_is_said_in_words_and_what_is_over_by_how_much(reader):
    growing("OVER", "<=150")
    growing("SOON", "<=180")

    html = reader.get(reverse("estate")).content.decode()

    assert '<td class="num strong c-over">9 over ≤150 MB</td>' in html
    assert '<td class="num">21 of 180 MB left</td>' in html


def test_figures_that_are_alike_share_a_line_that_says_how_many_of_all_that_are_limited_are_over(reader):
    yesterday = timezone.now().date() - timedelta(days=1)
    days = days_before(yesterday, 30)
    prepare(*days)
    target = instance("WAITING")
    story = Story(target)
    for on in days:
        story.day(on, waits=dict.fromkeys(("a", "b", "c", "quick", "free"), (1000, 10.0)))  # ms
    for event, notation in (
        ("a", "<0.5"),
        ("b", "<0.6"),
        ("c", "<0.7"),
        ("quick", "<5"),
        ("never seen", "0"),
    ):
        add_threshold("x_read_ms", notation, now=BOOT, target=target, component=event)
    for on in days[-3:]:
        review_targets([target], on, datetime.now(UTC))

    html = reader.get(reverse("estate")).content.decode()
    lines = csv.DictReader(io.StringIO(reader.get(f"{reverse('estate')}?format=csv").text))

    assert first_line(reader).startswith("Three figures are over their limit, first 3 wait events on WAITING")
    assert '<td class="num strong c-over">3 of 5 over</td>' in html
    assert [row["room left"] for row in lines] == ["3 of 5 over"]
    assert "3 of 5 wait events are over their limit" in reader.get(target.get_absolute_url()).text


def test_a_filter_without_hits_says_so_and_how_it_is_cleared(reader):
    Group.objects.create(name="Billing")
    growing("CALM", "<=90000", Group.objects.create(name="Sales"))
    growing("OVER", "<=150")

    html = reader.get(f"{reverse('estate')}?group=Sales").content.decode()

    assert first_line(reader, "group=Sales") == "No target of group Sales is over or near its limit."
    assert f'<a href="{reverse("estate")}">Clear the filter</a>' in html
    assert first_line(reader, "group=Billing&q=x") == "There is no target of group Billing and the words “x”."
    assert "No sizes were read" not in reader.get(f"{reverse('estate')}?group=Billing").content.decode()


def tile(name: str, size: float, used: float, growth: float | None) -> Tile:
    return Tile("", name, f"/{name}", "", size * GB, used * GB, None if growth is None else growth * GB)


def test_totals_are_the_sums_of_what_is_known_and_name_who_leads():
    totals = totals_of([tile("A", 100, 80, 8), tile("B", 300, 120, None), tile("C", 100, 40, -1)])

    assert totals is not None
    assert (totals.allocated, totals.used, totals.growth) == ("500\u00a0GB", "240\u00a0GB", "+7\u00a0GB")
    assert totals.used_share == "48\u00a0%, 260\u00a0GB left"
    assert totals.growth_share == "6.19\u00a0% of used"
    assert [(bar.name, bar.length) for bar in totals.largest] == [("B", "60.0"), ("A", "20.0"), ("C", "20.0")]
    assert [bar.name for bar in totals.fastest] == ["A"]


def test_nothing_is_summed_where_no_size_is_known():
    assert totals_of([]) is None
