"""Scenarios: made, filled with planned changes, compared, decided, removed."""

import re
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, Story, instance, levels
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.models import PlannedChange, Scenario
from apps.forecasting.scenarios import MovedFigure
from apps.inventory.models import Group, Target
from apps.outlook.tests.test_one_answer import SYNC, closing_target
from apps.people.models import User
from apps.snapshots.models import Fact
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold
from apps.web.pages.what_if.forms import ChangeForm
from apps.web.scenario_moves import find_outlooks, moves_of
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db


def ahead(days: int) -> date:
    return timezone.now().date() + timedelta(days=days)


def growing() -> Target:
    ensure_partitions([ahead(-back) for back in range(-31, 90, 28)])
    target = instance()
    levels(target, [100.0 + day for day in range(60)], last=ahead(-1))
    add_threshold("x_used", "<=300", now=BOOT, target=target, component="DATA", lead_time_days=5)
    return target


def scenario() -> Scenario:
    return Scenario.objects.create(name="CRM goes live", created_at=timezone.now())


def change_of(target: Target, **rest: object) -> dict[str, object]:
    return {
        "target": target.pk,
        "metric": "x_used",
        "component": "DATA",
        "change": "+150 MB",
        "on": ahead(20),
    } | rest


def test_PRE7_a_scenario_is_made_filled_and_shows_the_day_on_which_the_limit_breaks():
    target, client = growing(), signed_in(is_planner=True)

    made = client.post(reverse("what_if"), {"name": "CRM goes live"})
    html = client.post(made["Location"], change_of(target), follow=True).content.decode()

    assert "CRM goes live: one limited figure moves" in html
    figure_and_change = re.findall(r">\s*DATA\s*<", html)
    assert len(figure_and_change) == 2
    assert "; one limit breaks that would hold" in html
    assert f"{ahead(20).day}\u00a0{ahead(20):%b}" in html
    assert "none within 60 d" in html


def test_scenarios_are_compared_side_by_side():
    target, client = growing(), signed_in(is_planner=False)
    ticked = []
    for name, change in (("one", "+150 MB"), ("two", "-20 MB")):
        made = Scenario.objects.create(name=name, created_at=timezone.now())
        PlannedChange.objects.create(
            scenario=made, target=target, metric="x_used", component="DATA", change=change, on=ahead(20)
        )
        ticked.append(f"with={made.pk}")

    html = client.get(f"{reverse('what_if')}?{'&'.join(ticked)}").content.decode()

    assert "with one" in html
    assert "with two" in html
    assert "one and two: one limited figure moves" in html


def test_a_change_is_decided_and_the_decision_taken_back_by_who_may():
    target, client = growing(), signed_in(is_planner=True)
    change = PlannedChange.objects.create(
        scenario=scenario(), target=target, metric="x_used", component="DATA", change="+150 MB", on=ahead(20)
    )
    post = reverse("change_step", args=[change.pk])

    assert signed_in(is_planner=False).post(post, {"step": "decide"}).status_code == 403
    client.post(post, {"step": "decide"})
    change.refresh_from_db()
    assert change.decided_by == User.objects.get(username="planner")
    answer = client.post(reverse("scenario_remove", args=[change.scenario_id]), follow=True).content.decode()
    assert "holds changes that are decided" in answer
    client.post(post, {"step": "take_back"})
    client.post(reverse("scenario_remove", args=[change.scenario_id]))
    assert not Scenario.objects.exists()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"on": "2020-03-01"}, "2020-03-01 has passed: what happened is in the figures already."),
        ({"on": "soon"}, "This is not a day"),
        ({"on": ""}, "Give the day from which it applies."),
        ({"change": "+150 ms"}, "“ms” is not a unit of used, which is in MB"),
        ({"change": "150"}, "is not a change; expected"),
        (
            {"change": "-200 MB"},
            "“-200 MB” takes away more than there is: SCRIPT, DATA has 159 MB. Give less, or a percentage such as -20 %.",
        ),
        ({"change": ""}, "Say what changes"),
        ({"change": "4 -> 8 cores"}, "is no share of one"),
        ({"others": ["x_free"]}, "Select a valid choice"),
        ({"metric": "x_redo", "component": "", "others": ["x_used"]}, "“MB” is not a unit of redo"),
        (
            {"metric": "x_redo", "component": "", "change": "+5 GB/day", "others": ["x_used"]},
            "“GB/day” is not a unit of used",
        ),
        (
            {"metric": "x_free", "change": "+150 GB", "others": ["x_used"]},
            "“+150 GB” is an amount of one statistic",
        ),
        (
            {"metric": "x_redo", "change": "+20 %", "others": ["x_used"]},
            "redo has no components; leave it empty.",
        ),
        ({"metric": "nothing"}, "No statistic is called “nothing”."),
        ({"metric": "x_redo", "change": "+1 GB/day"}, "redo has no components; leave it empty."),
        ({"target": "999"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_planned_gets_a_sentence_and_is_kept_as_typed(typed, words):
    target, client = growing(), signed_in(is_planner=True)

    html = client.post(scenario().get_absolute_url(), change_of(target) | typed).content.decode()

    assert words in html
    assert not PlannedChange.objects.exists()


@pytest.mark.parametrize(
    ("change", "is_refused"), [("4 -> 8 cores", True), ("16 -> 32 cores", False), ("8 -> 16 cores", False)]
)
def test_a_capacity_begins_with_what_is_there(change, is_refused):
    """W20: "4 -> 8 cores" was accepted on a host with 16; 8 are 16 where each runs two threads."""
    host = Target.objects.create(
        name="dbx-mart", kind="host", platform="linux", collector="none", registered_at=BOOT
    )
    Fact.objects.create(target=host, name="cpus", component="", since=BOOT, value="16")
    fields = {"target": host.pk, "metric": "host_cpu_busy_pct", "change": change, "on": ahead(20)}

    form = ChangeForm(fields, today=timezone.now().date())

    errors = list(form.errors.get("change") or [])
    assert errors == (
        ["“4 -> 8 cores” begins with 4 cores, and dbx-mart has 16: write for example 16 -> 32 cores."]
        if is_refused
        else []
    )


@pytest.mark.parametrize("has_group", [True, False])
def test_W20_a_capacity_of_several_targets_begins_with_what_each_of_them_has(has_group):
    group = Group.objects.create(name="marts")
    for name, cpus in (("dbx-a", "4"), ("dbx-b", "16"), ("dbx-c", "32")):
        host = Target.objects.create(
            name=name, kind="host", platform="linux", collector="none", registered_at=BOOT, group=group
        )
        Fact.objects.create(target=host, name="cpus", component="", since=BOOT, value=cpus)
    fields: dict[str, object] = {"metric": "host_cpu_busy_pct", "change": "4 -> 8 cores", "on": ahead(20)}

    form = ChangeForm(fields | ({"group": group.pk} if has_group else {}), today=timezone.now().date())

    assert form.errors["change"] == [
        "“4 -> 8 cores” begins with 4 cores, and dbx-b has 16, dbx-c has 32: plan one change for each target."
    ]


def test_PRE7_one_change_moves_several_statistics_alike():
    target, client = growing(), signed_in(is_planner=True)
    story = Story(target)
    for day in range(1, 61):
        story.day(ahead(day - 61), redo=10.0)
    add_threshold("x_redo", "<=11.5", now=BOOT, target=target)
    made = scenario()

    posted = client.post(
        made.get_absolute_url(),
        {
            "target": target.pk,
            "metric": "x_used",
            "others": ["x_redo", "x_used"],
            "change": "+90 %",
            "on": ahead(20),
        },
        follow=True,
    )

    html = posted.content.decode()
    change = PlannedChange.objects.get()
    assert (change.metric, change.others) == ("x_used", ["x_redo"])
    assert "CRM goes live: two limited figures move" in html
    assert "; two limits break that would hold" in html
    assert "used, redo" in html


def test_a_reader_plans_nothing():
    target, client = growing(), signed_in(is_planner=False)
    made = scenario()

    assert client.post(made.get_absolute_url(), change_of(target)).status_code == 403
    assert client.post(reverse("what_if"), {"name": "x"}).status_code == 403
    assert client.get(made.get_absolute_url()).status_code == 200


def test_a_name_that_is_taken_is_told():
    scenario()

    html = signed_in(is_planner=True).post(reverse("what_if"), {"name": "CRM goes live"}).content.decode()

    assert "There is a scenario of this name." in html


@pytest.mark.parametrize("query", ["with=x", "with=999", "with=%00", "with="])
def test_an_impossible_choice_is_answered_by_a_page(query):
    assert signed_in(is_planner=False).get(f"{reverse('what_if')}?{query}").status_code == 200


def moved(threshold: Threshold, target: Target, day: int) -> MovedFigure:
    """A figure whose every future crosses on the same day ahead, as it is decided and in a scenario."""
    curve = (np.arange(1, 181) >= day).astype(float)
    prediction = Prediction(within=180, chance=1.0, curve=curve, day=day)
    return MovedFigure(
        target=target, threshold=threshold, component="DATA", on=ahead(-1), value=1.0, baseline=prediction,
        outcomes=[prediction],
    )  # fmt: skip


@pytest.mark.parametrize(("day", "kind"), [(3, "over"), (60, "risk"), (120, "far")])
def test_a_cell_is_coloured_as_lists_would_colour_it(day, kind):
    target = growing()
    threshold = Threshold.objects.get(target=target)

    (row,) = moves_of([moved(threshold, target, day)], ["CRM"], lambda figure: None).rows

    assert [cell["kind"] for cell in row["cells"]] == [kind, kind]


def test_of_what_is_closing_no_day_is_told():
    target = closing_target()
    threshold = Threshold.objects.get(target=target)
    figure = replace(moved(threshold, target, 30), component=SYNC)

    (row,) = moves_of([figure], ["CRM"], find_outlooks([figure], timezone.now())).rows

    assert [(cell["day"], cell["slack"], cell["kind"]) for cell in row["cells"]] == [
        ("closing, day 5 of 7", "", "far")
    ] * 2
