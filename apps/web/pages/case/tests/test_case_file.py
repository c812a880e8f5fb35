"""The case file: what people do in it, what they see, and what becomes of what they typed."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from apps.advisors.models import ActionPlan
from apps.charts import figures
from apps.collection.tests.scripted import days_before, levels, prepare
from apps.people.models import User
from apps.review.nightly import review_targets
from apps.thresholds.case_steps import last_step, take_step
from apps.thresholds.models import Threshold, Violation
from apps.web.pages.case.tests.scenes import NASTY, SOON, page, post

pytestmark = pytest.mark.django_db


def test_a_violation_is_taken_through_its_steps(planner, violation):
    post(planner, violation, "step", {"to": "acknowledged", "why": NASTY, "review_on": SOON.isoformat()})
    refused = post(planner, violation, "step", {"to": "accepted", "why": "month end"})

    violation.refresh_from_db()
    assert (violation.state, violation.review_on) == ("acknowledged", SOON)
    assert "Accepting a risk needs a reason and the day" in refused
    assert "month end" in refused
    assert "<script>alert" not in refused


def test_of_two_people_the_second_gets_a_sentence_and_keeps_what_was_typed(planner, violation, other):
    newest = last_step(violation)
    take_step(violation, "in_progress", by=other, why="Mine.", now=datetime.now(UTC))

    answer = post(
        planner,
        violation,
        "step",
        {"to": "acknowledged", "why": "I look at it tomorrow.", "seen": str(newest)},
    )

    assert "R. Lindqvist changed this at" in answer
    assert "I look at it tomorrow." in answer
    violation.refresh_from_db()
    assert violation.state == "in_progress"
    again = {
        "to": "accepted",
        "why": "Known.",
        "review_on": SOON.isoformat(),
        "seen": str(last_step(violation)),
    }
    post(planner, violation, "step", again)
    violation.refresh_from_db()
    assert violation.state == "accepted"


def test_an_owner_and_a_day_are_given(planner, violation, other):
    post(planner, violation, "owner", {"owner": other.pk, "due_on": SOON.isoformat()})

    violation.refresh_from_db()
    assert (violation.owner, violation.due_on) == (other, SOON)
    assert f"Owned by R. Lindqvist, due on {SOON:%-d %B %Y}." in page(planner, violation)


@pytest.mark.parametrize(
    ("diagnosis", "why", "words"),
    [
        ("undetermined", "", "confirmed by T. Okafor"),
        ("capacity", "The disks are full.", "Decided against the figures by T. Okafor"),
        ("capacity", " ", "to overrule them with capacity constraint give the reason"),
        ("witchcraft", "It was.", "Select a valid choice"),
    ],
)
def test_a_diagnosis_is_confirmed_or_overruled_with_a_reason(planner, violation, diagnosis, why, words):
    answer = post(planner, violation, "diagnosis", {"diagnosis": diagnosis, "why": why})

    assert words in " ".join(answer.split())
    assert why.strip() in answer


def test_a_case_decided_against_the_figures_says_so_with_what_they_say_now(planner, violation):
    post(planner, violation, "diagnosis", {"diagnosis": "capacity", "why": "The disks are full."})
    ActionPlan.objects.update(proposed="performance", proposed_on=date(2026, 6, 29))

    html = page(planner, violation).replace("\u00a0", " ")

    assert "Decided against the figures by T. Okafor" in " ".join(html.split())
    assert "The figures of 29 Jun say performance problem. The disks are full." in " ".join(html.split())


def test_evidence_is_written_in_the_readers_marks_and_no_side_is_ever_empty(planner, violation):
    change = {"name": "redo size", "unit": "GB/day", "before": 1000.5, "now": 1500.75}
    piece = {"kind": "work_grew", "speaks_for": "capacity", "changes": [change], "numbers": {}}
    ActionPlan.objects.update(diagnosis="capacity", evidence=[piece])
    planner.post(reverse("preferences"), {"locale": "de-DE", "waits_in": "cs"})

    html = page(planner, violation).replace("\u00a0", " ")

    assert "The work grew with it: redo size 1.001 → 1.501 GB/day (+50,0 %)." in html
    assert "Nothing." not in html


def test_the_second_who_decides_a_diagnosis_is_told(planner, violation, other):
    plan = ActionPlan.objects.get()
    version = plan.version
    post(planner, violation, "diagnosis", {"diagnosis": "capacity", "why": "Full.", "version": str(version)})

    answer = post(
        planner, violation, "diagnosis", {"diagnosis": "performance", "why": "SQL", "version": str(version)}
    )

    assert "T. Okafor changed this at" in answer
    assert "it is capacity constraint now" in answer
    assert ">SQL</textarea>" in answer.replace("\n", "")


def test_it_says_how_many_good_days_are_left(planner, target):
    violation = Violation.objects.get()
    today = datetime.now(UTC).date()
    prepare(*days_before(today, 9), today + timedelta(days=9))
    days = levels(target, [9, 8], last=today + timedelta(days=1))
    for on in days:
        review_targets([target], on, datetime.now(UTC) + timedelta(days=2))

    html = page(planner, violation)

    closes = today + timedelta(days=2)
    assert f"2 of 3 good days: it closes on {closes:%-d %B} if that holds." in html


def test_it_says_that_it_was_not_measured(planner, violation):
    judged = violation.judged_on
    assert judged is not None
    Violation.objects.update(reviewed_on=judged + timedelta(days=7))

    assert f"has not been measured since {judged:%-d %B}" in page(planner, violation)


def test_whoever_may_only_read_sees_all_and_changes_nothing(client, violation):
    client.force_login(User.objects.create(username="reader"))

    html = page(client, violation)

    assert "Add a file." in html
    assert "an administrator can give it to you" in html
    assert html.count('<form method="post"') == 1  # to sign out


def test_a_day_far_away_is_no_trouble(planner, violation):
    post(planner, violation, "owner", {"due_on": "9999-12-31"})

    assert planner.get(f"{violation.get_absolute_url()}/due.ics").status_code == 200
    assert Violation.objects.get().due_on == date(9999, 12, 31)


def test_the_case_of_a_statistic_that_left_the_catalogue_is_still_told(planner, violation):
    Violation.objects.update(metric="x_gone")
    Threshold.objects.update(metric="x_gone")

    response = planner.get(violation.get_absolute_url())

    assert response.status_code == 200
    assert "x_gone" in response.content.decode()


@pytest.mark.parametrize(("days", "words"), [(3, "in three days"), (0, "today"), (-2, "two days late")])
def test_the_day_that_is_set_is_counted_from_that_of_the_figures(planner, violation, days, words):
    due = violation.reviewed_on + timedelta(days=days)
    Violation.objects.update(due_on=due)

    assert f"{figures.short_day(due)}, {words}<" in page(planner, violation)
