"""What happens is told once, gathered, to whom it concerns, and not in the night."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests import scripted
from apps.inventory.models import Group, Target
from apps.notices.digest import prepare_digests, start_subscription
from apps.notices.events import find_events
from apps.notices.models import Notice, Subscriber
from apps.reports.tests.scenes import MONDAY, forecast, foreseen, limit, night_after, opened, person, plan

pytestmark = pytest.mark.django_db

NOW = night_after(MONDAY) + timedelta(hours=8)
MONDAY_NOON = datetime.combine(MONDAY, time(12), UTC)


def subscriber(name: str = "ada", **fields: Any) -> Subscriber:
    return Subscriber.objects.create(name=name, **{"address": f"{name}@example.com", **fields})


def fail(target: Target, nights: int, now: datetime = NOW) -> None:
    for back in range(nights):
        run(target, timetable_of(target).last_slot(now - timedelta(days=back)))


def run(target: Target, slot: datetime, state: str = "failed") -> None:
    CollectionRun.objects.create(target=target, slot=slot, began_at=slot, state=state, reason="ORA-28001")


def test_a_violation_that_opened_is_told_once():
    subscriber()
    opened(limit(scripted.instance("DWPRD")), MONDAY)

    (delivery,) = prepare_digests(NOW)
    again = prepare_digests(NOW + timedelta(hours=2))

    assert delivery.subject == "DATA on DWPRD is over its limit at 120 MB against <100."
    assert delivery.notices[0]["url"].startswith("http")
    assert again == []


def test_a_prediction_is_told_when_its_lead_time_begins():
    subscriber()
    threshold = limit(scripted.instance(), lead_time_days=20)
    foreseen(threshold, MONDAY, NOW.date() + timedelta(days=30))
    Target.objects.update(reviewed_through=MONDAY)

    early = prepare_digests(NOW)
    forecast(threshold, MONDAY + timedelta(days=1), NOW.date() + timedelta(days=18))
    Target.objects.update(reviewed_through=MONDAY + timedelta(days=1))
    (delivery,) = prepare_digests(NOW + timedelta(days=1))

    assert early == []
    assert "the lead time is 20 days, so act now" in delivery.subject


def test_a_step_is_told_once_when_it_is_late():
    subscriber(opened=False)
    plan(opened(limit(scripted.instance(), owner=person()), MONDAY), "Add a file", due_on=NOW.date())

    on_the_day = prepare_digests(NOW)
    (delivery,) = prepare_digests(NOW + timedelta(days=1))

    assert on_the_day == []
    assert "the step “Add a file” was due on" in delivery.subject
    assert prepare_digests(NOW + timedelta(days=2)) == []


@pytest.mark.parametrize("state", ["accepted", "regression"])
def test_late_steps_of_what_was_accepted_are_not_told(state: str):
    subscriber(opened=False)
    violation = opened(limit(scripted.instance(), owner=person()), MONDAY, state=state)
    plan(violation, "Add a file", due_on=NOW.date())

    assert prepare_digests(NOW + timedelta(days=1)) == []


@pytest.mark.parametrize(("nights", "messages"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_collection_is_told_of_after_so_many_days(nights: int, messages: int):
    subscriber(failing_days=3)
    fail(scripted.instance("GISPRD"), nights)

    assert len(prepare_digests(NOW)) == messages


def test_a_collection_that_was_read_since_is_not_failing():
    subscriber(failing_days=1)
    target = scripted.instance()
    fail(target, 3, NOW - timedelta(days=1))
    CollectionRun.objects.create(target=target, slot=NOW, began_at=NOW, state="complete")

    assert prepare_digests(NOW) == []


def test_readings_by_hand_that_fail_are_no_days():
    subscriber(failing_days=2)
    target = scripted.instance("GISPRD")
    run(target, NOW - timedelta(days=1, hours=12), "complete")
    run(target, NOW - timedelta(days=1))
    run(target, NOW)

    assert prepare_digests(NOW) == []
    assert list(Notice.objects.values_list("nights", flat=True)) == [1]


def test_a_reading_by_hand_that_fails_after_a_good_night_is_nothing_to_tell():
    subscriber(failing_days=1)
    target = scripted.instance()
    run(target, NOW - timedelta(hours=8, minutes=25), "complete")
    run(target, NOW)

    assert prepare_digests(NOW) == []


@pytest.mark.parametrize(("slots", "days"), [(2, 0), (23, 0), (24, 1), (47, 1), (48, 2)])
def test_of_a_target_read_each_hour_a_day_is_all_its_slots(slots: int, days: int):
    subscriber(failing_days=1)
    target = scripted.instance(interval_minutes=60)
    first = MONDAY_NOON - timedelta(hours=slots - 1)
    for hours in range(slots):
        run(target, first + timedelta(hours=hours))

    prepare_digests(MONDAY_NOON)

    assert list(Notice.objects.values_list("nights", flat=True)) == [days] * bool(days)


def test_a_target_that_is_not_even_tried_any_more_is_told_of():
    subscriber(failing_days=2)
    target = scripted.instance(
        "GISPRD", interval_minutes=60, blocked_because="ORA-28000: the account is locked."
    )
    run(target, MONDAY_NOON)

    early, late = (prepare_digests(MONDAY_NOON + timedelta(hours=hours)) for hours in (46, 49))

    assert early == []
    assert late[0].subject == "GISPRD was not read for 2 days: ORA-28000: the account is locked."


def test_the_day_on_which_clocks_change_is_one_day():
    target = scripted.instance(time_zone="Europe/Berlin", collect_at=time(0, 5))
    for day in (28, 29):  # of March 2026; the second has 23 hours
        run(target, datetime(2026, 3, day, 0, 5, tzinfo=target.zone))
    run(target, datetime(2026, 3, 30, 0, 5, tzinfo=target.zone))

    notices = find_events(datetime(2026, 3, 30, 1, tzinfo=target.zone))

    assert [notice.nights for notice in notices] == [3]


def test_many_things_come_in_one_message_and_not_more_often_than_asked():
    subscriber(digest_minutes=60)
    target = scripted.instance()
    for name in "ABC":
        opened(limit(target, component=name), MONDAY, component=name)
    (first,) = prepare_digests(NOW)
    opened(limit(target, component="D"), MONDAY, component="D")

    soon, later = prepare_digests(NOW + timedelta(minutes=30)), prepare_digests(NOW + timedelta(minutes=61))

    assert (first.subject, len(first.notices)) == ("3 violations opened", 3)
    assert (soon, len(later[0].notices)) == ([], 1)


def test_each_is_told_of_its_group_and_of_what_it_asked_for():
    ours = Group.objects.create(name="ours")
    subscriber("ours", group=ours)
    subscriber("all")
    subscriber("steps", opened=False, predicted=False, failing=False)
    subscriber("gone", is_active=False)
    opened(limit(scripted.instance("A", group=ours)), MONDAY)
    opened(limit(scripted.instance("B")), MONDAY)

    counts = {delivery.recipient: len(delivery.notices) for delivery in prepare_digests(NOW)}

    assert counts == {"ours@example.com": 1, "all@example.com": 2}


def test_quiet_hours_go_over_midnight_in_the_zone_of_the_subscriber():
    in_tokyo = subscriber(quiet_from=time(22), quiet_until=time(7), time_zone="Asia/Tokyo")
    opened(limit(scripted.instance()), MONDAY)
    night = datetime(2026, 6, 23, 15, tzinfo=UTC)  # midnight in Tokyo

    quiet, morning = prepare_digests(night), prepare_digests(night + timedelta(hours=7, minutes=1))

    assert (quiet, len(morning)) == ([], 1)
    assert in_tokyo.is_quiet(night)
    assert not in_tokyo.is_quiet(night + timedelta(hours=9))


def test_a_new_subscriber_is_not_told_what_is_past():
    subscriber()
    opened(limit(scripted.instance()), MONDAY)
    prepare_digests(NOW)
    new = subscriber("new")
    start_subscription(new)
    new.save()

    assert prepare_digests(NOW + timedelta(hours=2)) == []
    assert Notice.objects.count() == 1


def test_what_happened_long_ago_is_not_told_after_a_stop():
    subscriber()
    opened(limit(scripted.instance()), MONDAY - timedelta(days=10))

    assert prepare_digests(NOW) == []
