"""The top row of a case, its time line, its stream, and what grew."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.advisors.growers import Grower, SpaceGrowth
from apps.advisors.models import Action, Comment
from apps.advisors.steps import add_action
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.people.models import User
from apps.thresholds.case_steps import last_step
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import withdraw_threshold
from apps.web.pages.case.case_line import draw_case_line
from apps.web.pages.case.case_top import state_note, top_facts
from apps.web.pages.case.growth_table import growth_rows, tell_growth
from apps.web.pages.case.stream import initials_of
from apps.web.pages.case.tests.scenes import page, post

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 21)
LIMIT = {"metric": "x_used", "component": "DATA", "notation": "<=1800", "unit": "GB"}


def outlook(**fields: object) -> Outlook:
    """How DATA stands under 1,800 GB, 14 days from the shelf."""
    target = Target(name="DWPRD", time_zone="UTC")
    threshold = Threshold(form="at_most", high=1800.0, lead_time_days=14, closes_after=7, **LIMIT)
    case = Violation(target=target, threshold=threshold, severity="warning", **LIMIT, **fields)
    likely = {
        "soonest_on": date(2026, 12, 10),
        "likely_on": date(2026, 12, 18),
        "latest_on": date(2027, 1, 3),
    }
    forecast = Forecast(made_on=DAY, horizon=90, value=1662.0, chance=0.97, **LIMIT, **likely)
    return Outlook(target, "x_used", "DATA", "value", DAY, threshold, case, forecast)


def facts_of(standing: Outlook) -> list[str]:
    row = [
        f"{fact.label}: {fact.value} {fact.aside} ({fact.note})"
        for fact in top_facts(standing, "4 Dec, in 13 days")
    ]
    return [text.replace("\u00a0", " ").replace("  ", " ") for text in row]


def test_what_is_at_risk_has_its_room_its_days_and_the_day_to_act_by():
    standing = outlook(predicted_on=date(2026, 11, 15), value=1662.0, judged_on=DAY)

    assert state_note(standing).replace("\u00a0", " ") == "predicted on 15 Nov, chance > 95 %"
    assert facts_of(standing) == [
        "room left: 138 of ≤1,800 GB (7.67 % of the limit, on 21 Nov)",
        "soonest · likely · latest: 18 Dec (10 Dec to 3 Jan, in 19 to 43 days)",
        "act by: 4 Dec (in 13 days; acting takes 14 days)",
    ]


def test_what_is_over_has_its_distance_its_age_and_its_due_day():
    standing = outlook(opened_on=date(2026, 11, 18), value=1890.0, worst_value=1900.0, judged_on=DAY)

    assert facts_of(standing) == [
        "over its limit by: 90 of ≤1,800 GB (5 % of the limit, on 21 Nov)",
        "over for: four days (since 18 Nov, worst 1,900 GB)",
        "due: 4 Dec (in 13 days)",
    ]


def test_what_is_closing_says_when_if_its_good_days_hold():
    standing = outlook(opened_on=date(2026, 11, 1), value=1700.0, judged_on=DAY, days_inside=5)

    assert facts_of(standing)[1] == "closes: 23 Nov (5 of 7 good days, if that holds)"
    line = draw_case_line(standing, [], [])
    assert [event.words.replace("\u00a0", " ") for event in line.events] == [
        "today 21 Nov",
        "resolved 23 Nov, if it holds",
    ]


def test_the_next_step_is_the_first_of_the_plan_and_its_button_does_it(planner, violation, other):
    html = page(planner, violation)
    assert "next step, 1 of 2" in html
    first = Action.objects.order_by("position")[0]

    post(planner, violation, f"actions/{first.pk}", {"state": "done", "version": str(first.version)})

    assert "next step, 2 of 2" in page(planner, violation)


def test_without_a_plan_the_next_step_is_to_acknowledge(planner, violation):
    Action.objects.all().delete()
    assert ">Acknowledge</button>" in page(planner, violation)

    post(planner, violation, "step", {"to": "acknowledged", "seen": str(last_step(violation))})

    html = page(planner, violation)
    assert "No step is planned" in html
    assert ">Acknowledge</button>" not in html


def test_comments_and_history_are_one_stream_newest_first(planner, violation, other):
    add_action(violation, "Ask.", by=other, now=datetime.now(UTC))
    post(planner, violation, "comments", {"text": "The quote is here."})
    post(planner, violation, "step", {"to": "acknowledged", "why": "I order on Friday."})

    stream = page(planner, violation).partition('<ol class="stream">')[2]

    assert (
        stream.index("I order on Friday.") < stream.index("The quote is here.") < stream.index("the review")
    )
    assert Comment.objects.count() == 1


@pytest.mark.parametrize(
    ("person", "letters"),
    [(User(first_name="R.", last_name="Lindqvist"), "RL"), (User(username="dana"), "D"), (None, "–")],
)
def test_a_comment_has_the_initials_of_who_wrote_it(person, letters):
    assert initials_of(person) == letters


def test_of_a_withdrawn_limit_the_open_case_says_what_the_next_review_does(planner, violation, other):
    assert violation.threshold is not None
    withdraw_threshold(violation.threshold, by=other, now=datetime.now(UTC))

    assert "The next review closes the case" in page(planner, violation)


def grower(name: str, *sizes: float) -> Grower:
    days = [DAY - timedelta(days=7 * back) for back in reversed(range(len(sizes)))]
    return Grower(name, "MB", list(zip(days, sizes, strict=True)))


def test_what_grew_comes_to_the_growth_of_the_space():
    things = [grower("SALES", 300.0, 400.0), grower("CLICK", 200.0, 230.0), grower("OLD", 50.0, 40.0)]
    growth = SpaceGrowth(grower("DATA", 1000.0, 1150.0), things)

    rows = growth_rows(growth)

    assert [(row.name, row.before, row.now, row.share) for row in rows] == [
        ("SALES", 300.0, 400.0, pytest.approx(66.67, abs=0.01)),
        ("CLICK", 200.0, 230.0, 20.0),
        ("everything else", 500.0, 520.0, pytest.approx(13.33, abs=0.01)),
        ("DATA", 1000.0, 1150.0, 100.0),
    ]


def test_large_sizes_stand_in_gb():
    growth = SpaceGrowth(grower("DATA", 1_600_000.0, 1_701_888.0), [grower("SALES", 1.0, 2.0)])

    assert tell_growth(growth).replace("\u00a0", " ") == "GB, 14 Nov to 21 Nov, 7 days"
