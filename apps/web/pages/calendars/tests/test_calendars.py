"""The pages of calendars, and where a day that was left out is told."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, Story, instance, prepare
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.calendar_register import save_calendar, withdraw_calendar
from apps.thresholds.calendars import Calendar
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

MONTH_END = {"name": "month end", "kind": "peak", "days": "last 3 days of the month"}


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


@pytest.fixture
def target() -> Target:
    yesterday = timezone.now().date() - timedelta(days=1)
    prepare(yesterday)
    target = instance()
    add_threshold("x_used", "10", now=BOOT, target=target)
    Story(target).day(yesterday, used={"DATA": 11})
    return target


def test_a_calendar_is_added_listed_changed_and_withdrawn(planner):
    added = planner.post(reverse("calendar_add"), MONTH_END)
    calendar = Calendar.objects.get()
    assert (added.status_code, str(calendar.set_by)) == (302, "planner")
    assert "last 3 days of the month" in planner.get(reverse("calendars")).content.decode()

    planner.post(calendar.get_absolute_url(), MONTH_END | {"days": "last 2 days of the month"})
    calendar = Calendar.objects.get()
    assert calendar.days == "last 2 days of the month"

    planner.post(calendar.get_absolute_url(), {"withdraw": "1"})
    assert "Every day is judged" in planner.get(reverse("calendars")).content.decode()
    html = planner.get(calendar.get_absolute_url()).content.decode()
    assert "month end is not in force." in html
    assert [f"{change.by} {change.words}" for change in calendar.changes.order_by("pk")] == [
        "planner set last 3 days of the month",
        "planner changed days last 3 days of the month → last 2 days of the month",
        "planner withdrawn last 2 days of the month",
    ]
    assert "changed days last 3 days of the month → last 2 days of the month" in html


def test_saving_a_calendar_as_it_is_changes_nothing(planner):
    planner.post(reverse("calendar_add"), MONTH_END)
    calendar = Calendar.objects.get()

    planner.post(calendar.get_absolute_url(), MONTH_END | {"read": calendar.set_at.isoformat()})

    assert calendar.changes.count() == 1
    assert Calendar.objects.get().set_at == calendar.set_at


@pytest.mark.parametrize("typed", [MONTH_END | {"days": "every Sunday"}, {"withdraw": "1"}])
def test_the_second_of_two_people_is_told_what_the_first_changed_of_a_calendar(planner, typed):
    planner.post(reverse("calendar_add"), MONTH_END)
    calendar = Calendar.objects.get()
    read = calendar.set_at.isoformat()
    dana = User.objects.create_user("dana", may_change=True)
    calendar.days, calendar.kind = "last day of the month", "maintenance"
    save_calendar(calendar, by=dana, now=timezone.now())

    page = planner.post(calendar.get_absolute_url(), typed | {"read": read}).content.decode()

    assert "dana changed this calendar at" in page
    assert (
        "changed kind known peak → maintenance window, days last 3 days of the month → last day of the month"
        in page
    )
    assert Calendar.objects.in_force().get().days == "last day of the month"

    planner.post(calendar.get_absolute_url(), typed | {"read": calendar.set_at.isoformat()})
    assert not Calendar.objects.in_force().filter(days="last day of the month").exists()


def test_a_slip_of_the_pen_does_not_hide_what_another_changed_of_a_calendar(planner):
    calendar = Calendar.objects.create(name="patch", days="every Sunday", set_at=BOOT)

    page = planner.post(
        calendar.get_absolute_url(), MONTH_END | {"days": "whenever", "read": "2026-01-01T00:00"}
    )

    assert 'name="read" value="2026-01-01T00:00"' in page.content.decode()


def test_what_was_typed_after_somebody_withdrew_a_calendar_is_not_saved(planner):
    calendar = Calendar.objects.create(name="patch", days="every Sunday", set_at=BOOT)
    withdraw_calendar(calendar, by=None, now=timezone.now())
    withdraw_calendar(calendar, by=None, now=timezone.now())

    answer = planner.post(calendar.get_absolute_url(), MONTH_END, follow=True).content.decode()

    assert "patch was withdrawn after you opened it; nothing is saved." in answer
    assert calendar.changes.count() == 1


def test_a_calendar_of_a_retired_target_stays_as_it_is_and_never_becomes_one_for_all(planner, target):
    calendar = Calendar.objects.create(name="patch", days="every Sunday", target=target, set_at=BOOT)
    target.retire(timezone.now())

    listed = planner.get(reverse("calendars")).content.decode()
    html = planner.get(calendar.get_absolute_url()).content.decode()
    answer = planner.post(calendar.get_absolute_url(), MONTH_END, follow=True).content.decode()
    begun = planner.get(reverse("calendar_add"), {"target": target.pk}, follow=True).content.decode()

    assert "Every day is judged" in listed
    assert "SCRIPT was retired on" in html
    assert "patch is of a target that was retired; nothing is saved." in answer
    assert "SCRIPT was retired; none of its days is judged." in begun
    assert Calendar.objects.get().target == target


def test_the_list_tells_the_last_changes_of_all_calendars(planner):
    planner.post(reverse("calendar_add"), MONTH_END)

    html = planner.get(reverse("calendars")).content.decode()

    assert "set last 3 days of the month" in html


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"days": "whenever"}, "“whenever” does not name days"),
        ({"days": ""}, "Days is missing. One rule a line:"),
        ({"days": "2026-02-30"}, "2026-02-30 is not a day"),
        ({"name": "taken"}, "There is a calendar named taken already"),
        ({"name": " "}, "Name is missing. What people call it"),
        ({"kind": "holiday"}, "Kind: “holiday” is not one of those offered; choose one from the list."),
    ],
)
def test_what_is_wrong_with_a_calendar_is_said_and_what_was_typed_stays(planner, wrong, sentence):
    Calendar.objects.create(name="taken", days="every Sunday", set_at=BOOT)

    refused = planner.post(reverse("calendar_add"), MONTH_END | wrong)

    assert refused.status_code == 200
    assert sentence in refused.content.decode()
    assert Calendar.objects.count() == 1


def test_a_calendar_is_of_a_target_or_a_group_and_not_of_both(planner, target):
    group = Group.objects.create(name="Warehouse")

    refused = planner.post(reverse("calendar_add"), MONTH_END | {"target": target.pk, "group": group.pk})

    assert "Give a target or a group, not both." in refused.content.decode()


def test_the_pages_of_a_target_say_which_days_are_left_out_and_why(planner, target):
    day = timezone.now().date() - timedelta(days=1)
    Calendar.objects.create(name="patch night", days=str(day), set_at=BOOT)

    profile = planner.get(target.get_absolute_url(), {"on": str(day)}).content.decode()
    history = planner.get(reverse("statistic", args=[target.pk, "x_used"]), {"component": "DATA"})

    assert "is left out: maintenance window “patch night”." in profile
    assert "No limit is judged on this day." in profile
    assert "not judged: maintenance window “patch night”" in history.content.decode()


def test_a_dry_run_leaves_them_out_and_names_them(planner, target):
    day = timezone.now().date() - timedelta(days=1)
    Calendar.objects.create(name="quarter end", kind="peak", days=str(day), set_at=BOOT)
    limit = {"target": target.pk, "metric": "x_used", "notation": "10"}

    judged = planner.get(reverse("threshold_preview"), limit).content.decode()
    left_out = planner.get(reverse("threshold_preview"), limit | {"leaves_out_peaks": "on"}).content.decode()

    assert "would have fired on 1 of the last 90 days" in judged
    assert "would have fired on 0 of the last 90 days" in left_out
    assert "(known peak “quarter end”)" in left_out
