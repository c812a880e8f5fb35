"""The case file: what people do in it, what they keep in it, and what becomes of what they typed."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.advisors.models import Action, ActionPlan, Attachment, Comment, PlanTemplate, StudyFigure
from apps.collection.tests.scripted import BOOT, days_before, instance, levels, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.review.nightly import review_targets
from apps.thresholds.life import last_step, take_step
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NASTY = "<script>alert('x')</script>"
SOON = (datetime.now(UTC) + timedelta(days=20)).date()
MB = 1024 * 1024


@pytest.fixture
def target() -> Target:
    now = datetime.now(UTC)
    today = now.date() - timedelta(days=1)
    prepare(*days_before(today, 9), now.date())
    made = instance(registered_at=BOOT)
    add_threshold("x_used", "10", now=BOOT, target=made, component="DATA", plan="Add a file. Ask for a disk.")
    for on in levels(made, [9, 11, 12], last=today):
        review_targets([made], on, now)
    return made


@pytest.fixture
def found(target: Target) -> Violation:
    return Violation.objects.get()


@pytest.fixture
def other() -> User:
    return User.objects.create(username="other", first_name="R.", last_name="Lindqvist", may_change=True)


@pytest.fixture
def planner(client: Client) -> Client:
    user = User.objects.create(username="planner", first_name="T.", last_name="Okafor", may_change=True)
    client.force_login(user)
    return client


def page(client: Client, found: Violation) -> str:
    return client.get(found.get_absolute_url()).content.decode()


def post(client: Client, found: Violation, to: str, what: dict[str, Any]) -> str:
    return client.post(f"{found.get_absolute_url()}/{to}", what, follow=True).content.decode()


def test_a_violation_is_taken_through_its_steps(planner, found):
    post(planner, found, "step", {"to": "acknowledged", "why": NASTY, "review_on": SOON.isoformat()})
    refused = post(planner, found, "step", {"to": "accepted", "why": "month end"})

    found.refresh_from_db()
    assert (found.state, found.review_on) == ("acknowledged", SOON)
    assert "Accepting a risk needs a reason and the day" in refused
    assert "month end" in refused
    assert "<script>alert" not in refused


def test_of_two_people_the_second_gets_a_sentence_and_keeps_what_was_typed(planner, found, other):
    seen = last_step(found)
    take_step(found, "in_progress", by=other, why="Mine.", now=datetime.now(UTC))

    told = post(
        planner, found, "step", {"to": "acknowledged", "why": "I look at it tomorrow.", "seen": str(seen)}
    )

    assert "R. Lindqvist changed this at" in told
    assert "I look at it tomorrow." in told
    found.refresh_from_db()
    assert found.state == "in_progress"
    again = {
        "to": "accepted",
        "why": "Known.",
        "review_on": SOON.isoformat(),
        "seen": str(last_step(found)),
    }
    post(planner, found, "step", again)
    found.refresh_from_db()
    assert found.state == "accepted"


def test_an_owner_and_a_day_are_given(planner, found, other):
    post(planner, found, "owner", {"owner": other.pk, "due_on": SOON.isoformat()})

    found.refresh_from_db()
    assert (found.owner, found.due_on) == (other, SOON)
    assert f"R. Lindqvist looks after it, due on {SOON:%-d %B %Y}." in page(planner, found)


@pytest.mark.parametrize(
    ("diagnosis", "why", "words"),
    [
        ("undetermined", "", "confirmed by T. Okafor"),
        ("capacity", "The disks are full.", "Decided against the figures by T. Okafor"),
        ("capacity", " ", "to overrule them with capacity constraint give the reason"),
        ("witchcraft", "It was.", "Select a valid choice"),
    ],
)
def test_a_diagnosis_is_confirmed_or_overruled_with_a_reason(planner, found, diagnosis, why, words):
    told = post(planner, found, "diagnosis", {"diagnosis": diagnosis, "why": why})

    assert words in told
    assert why.strip() in told


def test_a_case_decided_against_the_figures_says_so_with_what_they_say_now(planner, found):
    post(planner, found, "diagnosis", {"diagnosis": "capacity", "why": "The disks are full."})
    ActionPlan.objects.update(proposed="performance", proposed_on=date(2026, 6, 29))

    shown = page(planner, found).replace("\u00a0", " ")

    assert "Decided against the figures by T. Okafor" in shown
    assert "The figures of 29 Jun say performance problem. The disks are full." in shown


def test_evidence_is_written_in_the_readers_marks_and_no_side_is_ever_empty(planner, found):
    change = {"name": "redo size", "unit": "GB/day", "before": 1000.5, "now": 1500.75}
    piece = {"kind": "work_grew", "speaks_for": "capacity", "changes": [change], "numbers": {}}
    ActionPlan.objects.update(diagnosis="capacity", evidence=[piece])
    planner.post(reverse("preferences"), {"locale": "de-DE", "waits_in": "cs"})

    shown = page(planner, found).replace("\u00a0", " ")

    assert "The work grew with it: redo size 1.001 → 1.501 GB/day (+50,0 %)." in shown
    assert "Nothing." not in shown


def test_the_second_who_decides_a_diagnosis_is_told(planner, found, other):
    plan = ActionPlan.objects.get()
    seen = plan.version
    post(planner, found, "diagnosis", {"diagnosis": "capacity", "why": "Full.", "version": str(seen)})

    told = post(planner, found, "diagnosis", {"diagnosis": "performance", "why": "SQL", "version": str(seen)})

    assert "T. Okafor changed this at" in told
    assert "it is capacity constraint now" in told
    assert ">SQL</textarea>" in told.replace("\n", "")


# ── the plan ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def steps() -> list[str]:
    return [action.text for action in Action.objects.order_by("position")]


def test_steps_are_added_changed_moved_and_dropped(planner, found, other):
    post(planner, found, "actions", {"text": f"Look at it. {NASTY}", "due_on": SOON.isoformat()})
    first, second, third = Action.objects.order_by("position")
    post(
        planner,
        found,
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
    post(planner, found, f"actions/{third.pk}/order", {"to": "up"})
    post(planner, found, f"actions/{first.pk}", {"state": "done", "version": "0"})
    post(planner, found, f"actions/{second.pk}", {"state": "dropped", "version": "0"})

    assert steps() == ["Add a file.", "Look at it twice.", "Ask for a disk."]
    assert list(Action.objects.order_by("position").values_list("state", flat=True)) == [
        "done",
        "under_way",
        "dropped",
    ]
    first.refresh_from_db()
    assert first.done_on == datetime.now(UTC).date()
    shown = page(planner, found)
    assert "1 of 3 steps done" in shown
    assert "<script>alert" not in shown


def test_a_step_at_the_end_stays_where_it_is(planner, found):
    first, second = Action.objects.order_by("position")

    post(planner, found, f"actions/{first.pk}/order", {"to": "up"})
    post(planner, found, f"actions/{second.pk}/order", {"to": "down"})
    post(planner, found, f"actions/{second.pk}/order", {"to": "sideways"})

    assert steps() == ["Add a file.", "Ask for a disk."]


def test_the_second_who_changes_a_step_is_told_and_keeps_what_was_typed(planner, found):
    action = Action.objects.order_by("position")[0]
    change = {"text": "Add two files.", "state": "to_do", "version": "0"}
    post(planner, found, f"actions/{action.pk}", change)

    told = post(planner, found, f"actions/{action.pk}", change | {"text": "Add three files."})
    by_state = post(planner, found, f"actions/{action.pk}", {"state": "done", "version": "0"})

    assert "T. Okafor changed this at" in told
    assert 'value="Add three files."' in told
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
def test_a_step_that_cannot_be_gets_a_sentence(planner, found, typed, words):
    told = post(planner, found, "actions", typed)

    assert words in told
    assert len(steps()) == 2


def test_a_state_that_is_none_gets_a_sentence(planner, found):
    action = Action.objects.order_by("position")[0]

    told = post(planner, found, f"actions/{action.pk}", {"state": "eaten", "version": "0"})

    assert "“eaten” is not a state of a step" in told


def test_ACT6_causes_have_shares_of_the_gain_that_add_up(planner, found):
    for text in ("Third", "Fourth", "Fifth"):
        post(planner, found, "actions", {"text": text})
    for action, share in zip(Action.objects.order_by("position"), (50, 20, 15, 10, 5), strict=True):
        post(planner, found, f"actions/{action.pk}", {"text": action.text, "state": "done", "share": share})

    assert "Shares of the gain: 50 + 20 + 15 + 10 + 5 = 100 %." in page(planner, found)
    last = Action.objects.order_by("position").last()
    assert last is not None
    told = post(planner, found, f"actions/{last.pk}", {"text": "Fifth", "state": "done", "share": "6"})
    assert "The other steps have 95 % of the gain; 6 % more makes 101 %. Give at most 5 %." in told


# ── comments and files ────────────────────────────────────────────────────────────────────────────────────────────────


def test_people_talk_and_say_a_thing_once(planner, found):
    for _ in range(2):
        post(planner, found, "comments", {"text": f"Five good days.\n{NASTY}"})

    assert Comment.objects.count() == 1
    shown = page(planner, found)
    assert "Five good days.<br>" in shown
    assert "<script>alert" not in shown


@pytest.mark.parametrize(
    ("text", "words"), [(" ", "an empty comment is not kept"), ("x" * 4001, "has 4,001")]
)
def test_a_comment_that_cannot_be_kept_gets_a_sentence(planner, found, text, words):
    told = post(planner, found, "comments", {"text": text})

    assert words in told
    assert text.strip() in told
    assert not Comment.objects.exists()


def test_a_file_comes_back_as_it_was_and_only_as_a_download(planner, found):
    page_of_evil = b"<!doctype html><script>alert(document.cookie)</script>"
    file = SimpleUploadedFile("../../etc/evil\u202egnp.html", page_of_evil, "text/html")
    post(planner, found, "files", {"file": file})

    kept = Attachment.objects.get()
    got = planner.get(f"{found.get_absolute_url()}/files/{kept.pk}")

    assert kept.name == "evilgnp.html"
    assert got.content == page_of_evil
    assert got["Content-Type"] == "application/octet-stream"
    assert got["Content-Disposition"] == 'attachment; filename="evilgnp.html"'
    assert got["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in got["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "plan.txt is empty"),
        (5 * MB + 1, "plan.txt has 5.0 MB; give a file of at most 5 MB"),
        (17 * MB, "The file has 17.0 MB; give a file of at most 5 MB"),
    ],
)
def test_a_file_that_cannot_be_kept_gets_a_sentence(planner, found, size, words):
    told = post(planner, found, "files", {"file": SimpleUploadedFile("plan.txt", b"x" * size)})

    assert words in told
    assert not Attachment.objects.exists()


def test_without_a_file_nothing_is_kept(planner, found):
    assert "Choose a file first." in post(planner, found, "files", {})


def test_files_together_have_a_limit(planner, found):
    for number in range(6):
        told = post(
            planner, found, "files", {"file": SimpleUploadedFile(f"{number}", b"x" * (4 * MB + MB // 2))}
        )

    assert Attachment.objects.count() == 5
    assert "With this file there would be 27.0 MB" in told


def test_a_file_is_removed_after_a_question_and_with_its_violation(planner, found):
    for name in ("a.txt", "b.txt"):
        post(planner, found, "files", {"file": SimpleUploadedFile(name, b"x")})
    kept = Attachment.objects.get(name="a.txt")
    address = f"{found.get_absolute_url()}/files/{kept.pk}/remove"

    assert "Remove a.txt?" in planner.get(address).content.decode()
    planner.post(address)
    assert [one.name for one in Attachment.objects.all()] == ["b.txt"]
    found.target.delete()
    assert not Attachment.objects.exists()


def test_a_file_of_one_violation_is_not_found_at_another(planner, found):
    post(planner, found, "files", {"file": SimpleUploadedFile("a.txt", b"x")})
    kept = Attachment.objects.get()

    assert planner.get(f"/violations/{found.pk + 1}/files/{kept.pk}").status_code == 404


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_says_how_many_good_days_are_left(planner, target):
    found = Violation.objects.get()
    today = datetime.now(UTC).date()
    prepare(*days_before(today, 9), today + timedelta(days=9))
    days = levels(target, [9, 8], last=today + timedelta(days=1))
    for on in days:
        review_targets([target], on, datetime.now(UTC) + timedelta(days=2))

    shown = page(planner, found)

    closes = today + timedelta(days=2)
    assert f"2 of 3 good days: it closes on {closes:%-d %B} if that holds." in shown


def test_it_says_that_it_was_not_measured(planner, found):
    judged = found.judged_on
    assert judged is not None
    Violation.objects.update(reviewed_on=judged + timedelta(days=7))

    assert f"was not measured since {judged:%-d %B}" in page(planner, found)


def test_whoever_may_only_read_sees_all_and_changes_nothing(client, found):
    client.force_login(User.objects.create(username="reader"))

    shown = page(client, found)

    assert "Add a file." in shown
    assert "an administrator can give it to you" in shown
    assert shown.count('<form method="post"') == 1  # to sign out


def test_a_day_far_away_is_no_trouble(planner, found):
    post(planner, found, "owner", {"due_on": "9999-12-31"})

    assert planner.get(f"{found.get_absolute_url()}/due.ics").status_code == 200
    assert Violation.objects.get().due_on == date(9999, 12, 31)


# ── templates ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TEMPLATE = {
    "name": "A full tablespace",
    "family": "Space",
    "diagnosis": "",
    "steps": "Find what grew | 2\nAdd | 3",
}


def test_a_template_is_kept_used_changed_and_withdrawn(planner, found):
    assert "No course of action is kept yet" in planner.get("/plan-templates").content.decode()
    planner.post("/plan-templates/add", TEMPLATE)
    made = PlanTemplate.objects.get()

    assert "A full tablespace" in page(planner, found)
    post(planner, found, "template", {"template": made.pk})
    assert steps() == ["Add a file.", "Ask for a disk.", "Find what grew", "Add"]
    again = post(planner, found, "template", {"template": made.pk})
    assert "is in the plan already" in again

    planner.post(f"/plan-templates/{made.pk}", TEMPLATE | {"name": "Full", "version": "1"})
    told = planner.post(f"/plan-templates/{made.pk}", TEMPLATE | {"name": "Fuller", "version": "1"})
    assert "T. Okafor changed this template" in told.content.decode()
    assert "Fuller" in told.content.decode()
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
    told = planner.post("/plan-templates/add", TEMPLATE | wrong).content.decode()

    assert words.replace("“", "“") in told
    assert not PlanTemplate.objects.exists()


def test_the_steps_of_a_plan_begin_a_template(planner, found):
    shown = planner.get(f"/plan-templates/add?violation={found.pk}").content.decode()

    assert "Add a file.\nAsk for a disk." in shown
    assert planner.get("/plan-templates/add?violation=99999999999999999999").status_code == 200


# ── the study ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_study_is_set_up_and_shown(planner, found):
    assert "The study begins once a step of the plan is done" in page(planner, found)
    last = found.reviewed_on
    assert last is not None
    days = dict(zip(("before_from", "before_to", "after_from", "after_to"), (2, 2, 1, 0), strict=True))
    typed = {name: (last - timedelta(days=back)).isoformat() for name, back in days.items()}

    post(planner, found, "study/windows", typed)
    wrong = post(planner, found, "study/figures", {"figure": "x_used|DATA", "aim": "2 parsecs"})
    post(planner, found, "study/figures", {"figure": "x_used|DATA", "aim": "<5"})

    assert "A multiple such as &gt;=4x is one too." in wrong
    assert 'value="2 parsecs"' in wrong
    shown = page(planner, found)
    assert "Means of the days: before 1 day; after 2 days" in shown
    figure = StudyFigure.objects.get()
    assert figure.aim == "<5"
    post(planner, found, f"study/figures/{figure.pk}/remove", {})
    assert not StudyFigure.objects.exists()
    post(planner, found, "study/windows", {"by_steps": "1"})
    assert "The study begins once a step of the plan is done" in page(planner, found)


def test_windows_that_cannot_be_get_a_sentence(planner, found):
    typed = {
        "before_from": "2026-01-09",
        "before_to": "2026-01-02",
        "after_from": "2026-01-10",
        "after_to": "",
    }

    assert "This field is required" in post(planner, found, "study/windows", typed)
    told = post(planner, found, "study/windows", typed | {"after_to": "2026-01-12"})
    assert "2026-01-02 lies before 2026-01-09; exchange them." in told
    assert 'value="2026-01-02"' in told


def test_the_case_of_a_statistic_that_left_the_catalogue_is_still_told(planner, found):
    Violation.objects.update(metric="x_gone")
    Threshold.objects.update(metric="x_gone")

    shown = planner.get(found.get_absolute_url())

    assert shown.status_code == 200
    assert "x_gone" in shown.content.decode()
