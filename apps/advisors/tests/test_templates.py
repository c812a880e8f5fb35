"""Courses of action: those that come along, those that people keep, and what a plan becomes by them."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.advisors.models import Action, ActionPlan, PlanTemplate
from apps.advisors.plan import plan_actions
from apps.advisors.plan_outlines import PlanOutline
from apps.advisors.templates import (
    apply_template,
    install_templates,
    save_template,
    steps_in,
    suitable_templates,
    withdraw_template,
)
from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.people.models import User
from apps.thresholds.case_steps import EditConflict, Refusal
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)


@pytest.fixture
def dba() -> User:
    return User.objects.create(username="dba", first_name="T.", last_name="Okafor")


@pytest.fixture
def violation(dba: User) -> Violation:
    prepare()
    target = instance()
    add_threshold("x_used", "10", now=BOOT, target=target, owner=dba, plan="Ask for a disk.")
    levels(target, [11])
    (opened,) = check_thresholds(target, TODAY, NOW).opened
    plan_actions(opened, TODAY, NOW)
    return opened


def make_template(name: str, family: str = "", diagnosis: str = "", steps: str = "Look | 1") -> PlanTemplate:
    return PlanTemplate.objects.create(name=name, family=family, diagnosis=diagnosis, steps=steps)


def test_its_steps_are_due_one_after_another_and_come_once(violation, dba):
    template = make_template(
        "Full", steps="Find what grew | 2\nAsk for a disk.\n\nAdd a file | 14 days\nClose|1"
    )

    for _ in range(2):
        apply_template(violation, template, by=dba, now=NOW)

    steps = Action.objects.order_by("position").values_list("text", "due_on", "owner")
    assert list(steps[1:]) == [
        ("Find what grew", date(2026, 7, 3), dba.pk),
        ("Add a file", date(2026, 7, 17), dba.pk),
        ("Close", date(2026, 7, 18), dba.pk),
    ]


def test_a_violation_without_a_plan_gets_one(violation, dba):
    ActionPlan.objects.all().delete()

    apply_template(violation, make_template("Full"), by=dba, now=NOW)

    assert [action.text for action in Action.objects.all()] == ["Ask for a disk.", "Look"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Give at least one step"),
        (" \n \n", "Give at least one step"),
        ("| 3", "Line 1 has no step before the bar"),
        ("Look\nAct | soon", "Line 2: “soon” is no number of days"),
        ("Look | 9999", "Line 1: “9999” is no number of days"),
        ("Look | -1", "Line 1: “-1” is no number of days"),
        ("x" * 401, "Line 1 has 401 characters; give at most 400"),
        ("Look\n" * 41, "41 steps are too many"),
    ],
)
def test_steps_that_are_none_get_a_sentence(text, words):
    with pytest.raises(Refusal, match=words):
        steps_in(text)


def test_a_step_may_have_a_bar_of_its_own():
    assert steps_in("a | b | 3\nps -ef | grep pmon | 1") == [("a | b", 3), ("ps -ef | grep pmon", 1)]


def test_what_suits_is_offered_first_and_what_contradicts_is_not(violation):
    for name, family, diagnosis in (
        ("any", "", ""),
        ("space", "Space", ""),
        ("space and capacity", "Space", "capacity"),
        ("space and performance", "Space", "performance"),
        ("waits", "Waits", "capacity"),
    ):
        make_template(name, family, diagnosis)
    plan = ActionPlan.objects.get()

    plan.diagnosis = "capacity"
    offered = [template.name for template in suitable_templates(violation, plan)]

    assert offered == ["space and capacity", "space", "any"]
    plan.diagnosis = "undetermined"
    assert {template.name for template in suitable_templates(violation, plan)} >= {
        "space and performance",
        "space and capacity",
    }


def test_what_comes_along_is_installed_once_and_left_as_people_made_it(dba, monkeypatch):
    course = PlanOutline("k", "Redo", "Redo", "", (("Look", 1), ("Act", 2)))
    monkeypatch.setattr("apps.advisors.templates.PLAN_OUTLINES", {"k": course})
    install_templates()
    made = PlanTemplate.objects.get(key="k")
    assert made.steps == "Look | 1\nAct | 2"
    save_template(made, name="Redo", family="", diagnosis="", steps="Act", by=dba, now=NOW)

    install_templates()

    assert PlanTemplate.objects.get(key="k").steps == "Act"
    withdraw_template(PlanTemplate.objects.get(key="k"), by=dba, now=NOW)
    install_templates()
    assert PlanTemplate.objects.get(key="k").is_withdrawn


def test_the_second_of_two_who_change_one_is_told(dba):
    template = make_template("Full")
    save_template(template, name="A", family="", diagnosis="", steps="Act", by=dba, now=NOW, version=0)

    with pytest.raises(EditConflict, match=r"T\. Okafor changed this template at 06:00 UTC"):
        save_template(template, name="B", family="", diagnosis="", steps="Act", by=dba, now=NOW, version=0)

    assert PlanTemplate.objects.get().name == "A"


def test_two_templates_cannot_have_one_name(dba):
    make_template("Full")

    with pytest.raises(Refusal, match="There is a template named Full already"):
        save_template(PlanTemplate(), name=" Full ", family="", diagnosis="", steps="Act", by=dba, now=NOW)


def test_a_step_of_a_limit_may_say_how_many_days_it_takes(dba):
    prepare()
    target = instance("OTHER")
    plan = "Measure it (DBA, 4 days).\nMove the LUNs (storage, 10 days).\nWatch."
    add_threshold("x_used", "10", now=BOOT, target=target, plan=plan, lead_time_days=30)
    levels(target, [11])
    (opened,) = check_thresholds(target, TODAY, NOW).opened

    plan_actions(opened, TODAY, NOW)

    due = list(Action.objects.order_by("position").values_list("due_on", flat=True))
    assert due == [TODAY + timedelta(days=days) for days in (4, 14, 30)]
