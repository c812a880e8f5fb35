"""Which threshold applies and why, as the pages tell it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, Story, instance, prepare
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    yesterday = timezone.now().date() - timedelta(days=1)
    prepare(yesterday)
    target = instance(group=Group.objects.create(name="Warehouse"))
    Story(target).day(yesterday, used={"DATA": 11, "TEMP": 4})
    return target


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


def limit(notation: str, **scope: object) -> Threshold:
    (made,) = add_threshold("x_used", notation, now=BOOT, **scope)  # type: ignore[arg-type]
    return made


def statistic(planner: Client, target: Target, component: str = "DATA") -> str:
    address = reverse("statistic", args=[target.pk, "x_used"])
    return planner.get(address, {"component": component}).content.decode()


def preview(planner: Client, **fields: object) -> str:
    whole: dict[str, Any] = {"metric": "x_used", "notation": "10", "severity": "warning", **fields}
    return planner.get(reverse("threshold_preview"), whole).content.decode()


def test_a_statistic_lists_all_that_could_apply_and_says_why_one_wins(planner, target):
    limit("30")
    limit("20", group=target.group)
    limit("10", target=target, component="D*")

    page = statistic(planner, target)

    assert page.index("does not apply: a target comes before all targets") < page.index(
        "does not apply: a target comes before a group"
    )
    assert "applies: a target comes before a group" in page
    assert page.index(">10 <") > page.index(">20 <") > page.index(">30 <")


def test_a_critical_limit_is_a_contest_of_its_own(planner, target):
    limit("10")
    limit("20", severity="critical", target=target)

    page = statistic(planner, target)

    assert page.count("applies: no other limit touches this figure") == 2


def test_the_limit_being_typed_stands_among_the_others(planner, target):
    limit("30")
    threshold = limit("8", target=target, component="DATA")

    new = preview(planner, target=target.pk)
    changed = preview(planner, target=target.pk, component="DATA", pk=threshold.pk)

    assert "does not apply: a named component comes before all components" in new
    assert "being typed, not saved" in new
    assert "applies: a target comes before all targets" in changed
    assert ">8 <" not in changed


def test_a_template_says_where_it_applies_and_where_a_nearer_one_wins(planner, target):
    other = instance("OTHER")
    Story(other).day(timezone.now().date() - timedelta(days=1), used={"DATA": 5})
    instance("UNREAD")
    limit("8", target=other)

    page = preview(planner)

    assert "Two targets have this statistic. This limit applies on 1 of them" in page
    assert "8 for OTHER wins: a target comes before all targets" in page
    assert "2 of 2 components" in page


def test_a_template_that_nobody_has_figures_for_says_so(planner):
    prepare(timezone.now().date())
    instance()

    assert "No target in its scope has figures of this statistic yet." in preview(planner)


def test_the_page_of_a_limit_runs_it_dry_with_its_own_persistence(planner, target):
    threshold = limit("10", target=target, opens_after=2, opens_within=3)

    page = planner.get(threshold.get_absolute_url()).content.decode()

    assert "violations opened, 2 of 3 days" in page
    assert "false alarm avoided" in page


def test_a_template_is_run_dry_on_all_that_it_applies_to(planner, target):
    other = instance("OTHER")
    Story(other).day(timezone.now().date() - timedelta(days=1), used={"DATA": 5})

    page = preview(planner)

    assert "At most 10 MB would have fired on 1 of 2 targets in the last 90 days." in page
    assert "1 day<" in page
