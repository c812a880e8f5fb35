"""The risk board: every limited figure in one list."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, instance, levels, prepare
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.review.nightly import review_targets
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db


def growing(name: str, notation: str, *, length: int = 60, **rest: object) -> Target:
    """A tablespace that grows by 1 MB a day up to yesterday, and three reviews of it."""
    yesterday = timezone.now().date() - timedelta(days=1)
    ensure_partitions([yesterday - timedelta(days=back) for back in range(-31, 120, 28)])
    target = instance(name)
    days = levels(target, [100.0 + day for day in range(length)], last=yesterday)
    add_threshold("x_used", notation, now=BOOT, target=target, component="DATA", **rest)  # type: ignore[arg-type]
    for on in days[-3:]:
        review_targets([target], on, datetime.now(UTC))
    return target


def lines(client: Client, query: str = "") -> list[list[str]]:
    answer = client.get(f"{reverse('risks')}?{query}{'&' if query else ''}format=csv")
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))[1:]


def test_PRE6_what_runs_out_is_listed_by_slack_with_what_is_over_first(reader):
    prepare()
    growing("LATER", "<=200", lead_time_days=5)
    growing("SOONER", "<=200", lead_time_days=30)
    growing("OVER", "<=150")
    growing("FAR", "<=9000")

    entries = lines(reader)

    assert [line[1] for line in entries] == ["OVER", "SOONER", "LATER", "FAR"]
    assert [line[0] for line in entries] == ["violated", "at risk", "at risk", "comfortable"]
    assert int(entries[2][14]) - int(entries[1][14]) == 25
    assert entries[3][14] == ""


def test_what_has_no_forecast_is_listed_with_the_reason(reader):
    growing("YOUNG", "<=200", length=9)
    add_threshold(
        "x_used", "no change", now=BOOT, target=Target.objects.get(), component="DATA", severity="critical"
    )

    entries = lines(reader)

    assert entries[0][17].startswith("no forecast: “no change” follows the baseline")
    assert entries[1][17] == "no forecast: needs 14 days, has 9"
    assert [line[0] for line in entries] == ["no data", "comfortable"]


def test_it_is_filtered_by_kind_group_owner_state_and_words(reader):
    owner = User.objects.create(username="okafor")
    first = growing("FIRST", "<=200", owner=owner)
    growing("SECOND", "<=9000")
    first.group = Group.objects.create(name="Sales")
    first.save()

    for query in ("group=Sales", "owner=okafor", "state=at_risk", "q=firs", "kind=Space&q=FIRST"):
        assert [line[1] for line in lines(reader, query)] == ["FIRST"], query
    assert lines(reader, "kind=Redo") == []
    assert "Nothing fits this filter" in reader.get(f"{reverse('risks')}?kind=Redo").content.decode()


def test_the_number_of_queries_does_not_grow_with_the_estate(reader):
    counts = []
    for name in ("ONE", "TWO", "THREE"):
        growing(name, "<=200")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert reader.get(reverse("risks")).status_code == 200
        counts.append(len(queries))

    assert counts[0] == counts[1] == counts[2]


def test_every_line_leads_to_its_target_and_its_matter(reader):
    growing("ONE", "<=200")

    html = reader.get(reverse("risks")).content.decode()

    for address in re.findall(r'href="(/[^"]+)"', html):
        if address.startswith(("/targets/", "/violations/", "/thresholds/")):
            assert reader.get(address.replace("&amp;", "&")).status_code in (200, 403), address


@pytest.mark.parametrize(
    "query", ["page=0", "page=-1", "page=x", "page=99999999999", "page=²", "kind=%00", "state=["]
)
def test_an_impossible_page_is_answered_by_a_page(reader, query):
    assert reader.get(f"{reverse('risks')}?{query}").status_code == 200


def test_an_estate_without_limits_offers_the_next_step(reader):
    html = reader.get(reverse("risks")).content.decode()

    assert "No figure is under a limit yet" in html
