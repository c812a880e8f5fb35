"""The plan of a case file, and the templates it may begin with."""

from datetime import UTC, datetime

import pytest

from apps.advisors.models import Action, PlanTemplate
from apps.web.pages.case.tests.scenes import NASTY, SOON, page, post, steps

pytestmark = pytest.mark.django_db


def test_steps_are_added_changed_moved_and_dropped(planner, violation, other):
    post(planner, violation, "actions", {"text": f"Look at it. {NASTY}", "due_on": SOON.isoformat()})
    first, second, third = Action.objects.order_by("position")
    post(
        planner,
        violation,
        f"actions/{third.pk}",
        {
            "text": "Look at it twice.",
            "state": "under_way",
            "owner": other.pk,
            "due_on": SOON.isoformat(),
            "notes": NASTY,
            "version": "0",
        },
    )
    post(planner, violation, f"actions/{third.pk}/order", {"to": "up"})
    post(planner, violation, f"actions/{first.pk}", {"state": "done", "version": "0"})
    post(planner, violation, f"actions/{second.pk}", {"state": "dropped", "version": "0"})

    assert steps() == ["Add a file.", "Look at it twice.", "Ask for a disk."]
    assert list(Action.objects.order_by("position").values_list("state", flat=True)) == [
        "done",
        "under_way",
        "dropped",
    ]
    first.refresh_from_db()
    assert first.done_on == datetime.now(UTC).date()
    html = page(planner, violation)
    assert "1 of 3 steps done" in html
    assert "<script>alert" not in html


def test_a_step_says_what_it_costs_and_how_many_days_it_wins(planner, violation):
    post(
        planner,
        violation,
        "actions",
        {"text": "Buy a shelf.", "cost": f"4,000 EUR {NASTY}", "days_won": "120"},
    )

    *_, step = Action.objects.order_by("position")
    assert (step.cost, step.days_won) == (f"4,000 EUR {NASTY}", 120)
    html = page(planner, violation)
    assert "costs 4,000 EUR &lt;" in html
    assert "wins 120 days" in html
    rows = planner.get(f"/violations/{violation.pk}?format=csv&table=plan-steps").text.splitlines()
    assert rows[0].endswith(",cost,days won")
    assert rows[-1].endswith(",120")

    answer = post(
        planner,
        violation,
        f"actions/{step.pk}",
        {"text": "x", "state": "to_do", "days_won": "0", "version": "0"},
    )
    assert "greater than or equal to 1" in answer
    step.refresh_from_db()
    assert step.days_won == 120


def test_a_step_at_the_end_stays_where_it_is(planner, violation):
    first, second = Action.objects.order_by("position")

    post(planner, violation, f"actions/{first.pk}/order", {"to": "up"})
    post(planner, violation, f"actions/{second.pk}/order", {"to": "down"})
    post(planner, violation, f"actions/{second.pk}/order", {"to": "sideways"})

    assert steps() == ["Add a file.", "Ask for a disk."]


def test_the_second_who_changes_a_step_is_told_and_keeps_what_was_typed(planner, violation):
    action = Action.objects.order_by("position")[0]
    change = {"text": "Add two files.", "state": "to_do", "version": "0"}
    post(planner, violation, f"actions/{action.pk}", change)

    answer = post(planner, violation, f"actions/{action.pk}", change | {"text": "Add three files."})
    by_state = post(planner, violation, f"actions/{action.pk}", {"state": "done", "version": "0"})

    assert "T. Okafor changed this at" in answer
    assert 'value="Add three files."' in answer
    assert "“Add two files”, to do now" in by_state
    assert steps()[0] == "Add two files."


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"text": ""}, "This field is required"),
        ({"text": "x" * 401}, "at most 400 characters"),
        ({"text": "Look.", "due_on": "2001-01-01"}, "1 January 2001 has gone by; give"),
        ({"text": "Look.", "due_on": "31/31/2030"}, "Enter a valid date"),
        ({"text": "Look.", "owner": "999999"}, "Select a valid choice"),
        ({"text": "Look.\0"}, "Null characters are not allowed"),
    ],
)
def test_a_step_that_cannot_be_gets_a_sentence(planner, violation, typed, words):
    answer = post(planner, violation, "actions", typed)

    assert words in answer
    assert len(steps()) == 2


def test_a_state_that_is_none_gets_a_sentence(planner, violation):
    action = Action.objects.order_by("position")[0]

    answer = post(planner, violation, f"actions/{action.pk}", {"state": "eaten", "version": "0"})

    assert "“eaten” is not a state of a step" in answer


def test_ACT6_causes_have_shares_of_the_gain_that_add_up(planner, violation):
    for text in ("Third", "Fourth", "Fifth"):
        post(planner, violation, "actions", {"text": text})
    for action, share in zip(Action.objects.order_by("position"), (50, 20, 15, 10, 5), strict=True):
        post(
            planner, violation, f"actions/{action.pk}", {"text": action.text, "state": "done", "share": share}
        )

    assert "Shares of the gain: 50 + 20 + 15 + 10 + 5 = 100 %." in page(planner, violation)
    last = Action.objects.order_by("position").last()
    assert last is not None
    answer = post(planner, violation, f"actions/{last.pk}", {"text": "Fifth", "state": "done", "share": "6"})
    assert "The other steps have 95 % of the gain; 6 % more makes 101 %. Give at most 5 %." in answer


TEMPLATE = {
    "name": "A full tablespace",
    "family": "Space",
    "diagnosis": "",
    "steps": "Find what grew | 2\nAdd | 3",
}


def test_a_template_is_kept_used_changed_and_withdrawn(planner, violation):
    assert "There is no plan template yet" in planner.get("/plan-templates").content.decode()
    planner.post("/plan-templates/add", TEMPLATE)
    made = PlanTemplate.objects.get()

    assert "A full tablespace" in page(planner, violation)
    post(planner, violation, "template", {"template": made.pk})
    assert steps() == ["Add a file.", "Ask for a disk.", "Find what grew", "Add"]
    again = post(planner, violation, "template", {"template": made.pk})
    assert "is in the plan already" in again

    planner.post(f"/plan-templates/{made.pk}", TEMPLATE | {"name": "Full", "version": "1"})
    answer = planner.post(f"/plan-templates/{made.pk}", TEMPLATE | {"name": "Fuller", "version": "1"})
    assert "T. Okafor changed this template" in answer.content.decode()
    assert "Fuller" in answer.content.decode()
    planner.post(f"/plan-templates/{made.pk}", {"withdraw": "1"})
    assert not PlanTemplate.objects.exists()
    assert len(steps()) == 4


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"steps": "Look | soon"}, "Line 1: “soon” is no number of days"),
        ({"name": ""}, "This field is required"),
        ({"family": "Astrology"}, "Select a valid choice"),
        ({"steps": " "}, "This field is required"),
    ],
)
def test_a_template_that_cannot_be_gets_a_sentence(planner, wrong, words):
    answer = planner.post("/plan-templates/add", TEMPLATE | wrong).content.decode()

    assert words.replace("“", "“") in answer
    assert not PlanTemplate.objects.exists()


def test_the_steps_of_a_plan_begin_a_template(planner, violation):
    html = planner.get(f"/plan-templates/add?violation={violation.pk}").content.decode()

    assert "Add a file.\nAsk for a disk." in html
    assert planner.get("/plan-templates/add?violation=99999999999999999999").status_code == 200
