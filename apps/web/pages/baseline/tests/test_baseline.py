"""Marking a steady period, and taking over what it suggests."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Baseline
from apps.thresholds.models import Threshold

pytestmark = pytest.mark.django_db


def last_day() -> date:
    return timezone.now().date() - timedelta(days=2)


@pytest.fixture(scope="module")
def target_pk(module_db: None) -> int:
    days = days_before(last_day(), 20)
    prepare(*days)
    target = instance()
    story = Story(target)
    for number, on in enumerate(days):
        story.day(on, redo=40, used={"DATA": 100, "TEMP": 10 + number}, hits=98)
    return target.pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


def page(planner: Client, target: Target, **posted: object) -> str:
    address = reverse("target_baseline", args=[target.pk])
    answer = planner.post(address, posted, follow=True) if posted else planner.get(address)
    return str(answer.content.decode())


def mark(target: Target, days: int = 20) -> None:
    first = last_day() - timedelta(days=days - 1)
    Baseline.objects.create(
        target=target, first_day=first, last_day=last_day(), marked_at=timezone.now(), marked_by=None
    )


def test_COL7_a_period_is_marked_as_steady_and_suggests_limits_with_their_reasons(planner, target):
    assert "When was SCRIPT steady, with its users satisfied?" in page(planner, target)

    html = page(
        planner,
        target,
        mark="1",
        first_day=last_day() - timedelta(days=19),
        last_day=last_day(),
        note="calm",
    )

    marked = Baseline.objects.get()
    assert (marked.note, str(marked.marked_by)) == ("calm", "planner")
    assert 'value="&lt;=46"' in html  # 15 % above 40
    assert 'value="&lt;=120"' in html
    assert 'value="&gt;=96"' in html  # lower is worse
    assert "higher is worse; 15 % above the 95th percentile" in html
    assert "0 of 20" in html


def test_the_limits_are_accepted_together_or_one_by_one_as_they_are_or_changed(planner, target):
    mark(target)

    page(
        planner,
        target,
        **{"take": ["x_used|DATA", "x_hit_pct|"], "limit:x_used|DATA": "<=110", "limit:x_hit_pct|": ">=96"},
    )
    page(planner, target, **{"one": "x_redo|", "limit:x_redo|": "<=46"})

    made = {(threshold.metric, threshold.component): threshold for threshold in Threshold.objects.all()}
    assert {key: threshold.notation for key, threshold in made.items()} == {
        ("x_used", "DATA"): "<=110", ("x_hit_pct", ""): ">=96", ("x_redo", ""): "<=46",
    }  # fmt: skip
    assert {(threshold.target, str(threshold.set_by)) for threshold in made.values()} == {(target, "planner")}


def test_one_that_is_wrong_keeps_all_from_being_saved_and_says_so_at_its_row(planner, target):
    mark(target)

    html = page(
        planner, target,
        **{"take": ["x_used|DATA", "x_redo|"], "limit:x_used|DATA": "<=110", "limit:x_redo|": "2 parsecs"},
    )  # fmt: skip

    assert "2 parsecs” is not a unit of redo" in html
    assert 'value="2 parsecs"' in html
    assert not Threshold.objects.exists()


def test_nothing_chosen_is_said(planner, target):
    mark(target)

    assert "No limit is chosen, so nothing is saved" in page(planner, target, **{"limit:x_redo|": "5"})


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        (3, 5, "give the earlier day first"),
        (500, 1, "has at most 366 days"),
        (1, -3, "is still to come"),
        (None, 1, "This field is required"),
    ],
)
def test_a_period_that_makes_no_sense_is_refused(planner, target, first, last, sentence):
    def day(back: int | None) -> str:
        return "" if back is None else str(timezone.now().date() - timedelta(days=back))

    html = page(planner, target, mark="1", first_day=day(first), last_day=day(last))

    assert sentence in html
    assert not Baseline.objects.exists()


def test_a_period_without_figures_proposes_nothing_and_says_why(planner, target):
    Baseline.objects.create(
        target=target, first_day=date(2020, 1, 1), last_day=date(2020, 1, 31), marked_at=timezone.now()
    )

    html = page(planner, target)

    assert "These days suggest no limit" in html
    assert "only 0 of its days have a figure; 5 are needed" in html
