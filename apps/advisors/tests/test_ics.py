"""Calendar files: written as RFC 5545 asks, and read back by a plain reader of its rules."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.advisors.calendar_entries import entries_of_person, entries_of_violation
from apps.advisors.engine.ics import CalendarEntry, calendar_file, fold
from apps.advisors.models import Action
from apps.advisors.plan import plan_actions
from apps.advisors.steps import add_action, change_action
from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.people.models import User
from apps.thresholds.case_steps import take_step
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
Event = dict[str, str]


def read(text: str) -> list[Event]:
    """The events of a calendar: lines unfolded, names without their parameters, texts as they were."""
    assert text.endswith("\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    events: list[Event] = []
    for line in text.replace("\r\n ", "").split("\r\n")[:-1]:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            events.append({})
        elif events and name not in ("END", "BEGIN"):
            assert name not in events[-1]
            events[-1][name] = unescaped(value) if name in ("SUMMARY", "DESCRIPTION") else value
    return events


def unescaped(value: str) -> str:
    text, signs = "", iter(value)
    for sign in signs:
        if sign != "\\":
            assert sign not in ";,"
            text += sign
        else:
            text += {"n": "\n"}.get(follows := next(signs), follows)
    return text


def test_a_day_is_an_event_of_a_whole_day():
    entry = CalendarEntry(
        "step-1@headroom",
        date(2026, 12, 31),
        "Add files; check, then watch",
        "DATA\nDWPRD",
        "http://h/v/1",
        3,
    )

    text = calendar_file("DATA on DWPRD", [entry], NOW)

    assert text.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Headroom//")
    (event,) = read(text)
    assert event == {
        "UID": "step-1@headroom",
        "DTSTAMP": "20260701T060000Z",
        "DTSTART;VALUE=DATE": "20261231",
        "DTEND;VALUE=DATE": "20270101",
        "SUMMARY": "Add files; check, then watch",
        "DESCRIPTION": "DATA\nDWPRD",
        "URL": "http://h/v/1",
        "SEQUENCE": "3",
        "STATUS": "CONFIRMED",
        "TRANSP": "TRANSPARENT",
    }


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_whatever_is_written_comes_back_folded_and_escaped(text):
    (event,) = read(calendar_file("x", [CalendarEntry("u", date(2026, 1, 1), f"x{text}", f"x{text}")], NOW))

    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    expected = "".join(s for s in plain if s in "\n\t" or (ord(s) >= 32 and ord(s) != 127))
    assert event["SUMMARY"] == event["DESCRIPTION"] == f"x{expected}"


def test_a_line_is_never_folded_inside_a_sign():
    parts = list(fold("SUMMARY:" + "ü" * 80))

    assert [len(part.encode()) for part in parts] == [74, 75, 21]
    assert "".join(part.removeprefix(" ") for part in parts) == "SUMMARY:" + "ü" * 80


def test_nobody_writes_a_line_of_their_own_into_a_calendar():
    entry = CalendarEntry("u", date(2026, 1, 1), "x\r\nEND:VEVENT\r\nBEGIN:VEVENT", url="http://h/\r\nX:1")

    assert len(read(calendar_file("x\r\nBEGIN:VEVENT", [entry], NOW))) == 1


def test_the_last_day_there_is_has_no_end():
    (event,) = read(calendar_file("x", [CalendarEntry("u", date.max, "x")], NOW))

    assert "DTEND;VALUE=DATE" not in event


# ── of a violation, of a person ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def violation(db: None) -> Violation:
    prepare()
    target = instance()
    owner = User.objects.create(username="dba", first_name="T.", last_name="Okafor")
    add_threshold("x_used", "10", now=BOOT, target=target, owner=owner, plan="Add a file.", lead_time_days=14)
    levels(target, [11])
    (opened,) = check_thresholds(target, TODAY, NOW).opened
    plan_actions(opened, TODAY, NOW)
    return opened


def address(violation: Violation) -> str:
    return f"http://h/violations/{violation.pk}"


def test_its_own_day_and_those_of_its_steps_are_in_the_file(violation):
    entries = list(entries_of_violation(violation, address))

    assert [(entry.on, entry.summary) for entry in entries] == [
        (date(2026, 7, 14), "Due: DATA on SCRIPT"),
        (date(2026, 7, 14), "Add a file."),
    ]
    assert entries[1].description == "DATA on SCRIPT, to do, by T. Okafor"


def test_an_entry_keeps_its_name_and_grows_with_each_change(violation):
    before = {entry.uid: entry.sequence for entry in entries_of_violation(violation, address)}
    dba = User.objects.get()

    change_action(Action.objects.get(), {"due_on": date(2026, 7, 20)}, by=dba, now=NOW)
    take_step(violation, "accepted", by=dba, why="Known.", now=NOW, review_on=date(2026, 9, 1))
    violation.refresh_from_db()
    after = {entry.uid: entry for entry in entries_of_violation(violation, address)}

    assert set(before) < set(after)
    assert all(after[uid].sequence == sequence + 1 for uid, sequence in before.items())
    (new,) = set(after) - set(before)
    assert (after[new].on, after[new].summary) == (
        date(2026, 9, 1),
        "Look again: DATA on SCRIPT, accepted risk",
    )


def test_what_was_dropped_is_cancelled_and_what_is_done_says_so(violation):
    dba = User.objects.get()
    done = add_action(violation, "Ask.", by=dba, now=NOW, due_on=date(2026, 7, 3))
    change_action(done, {"state": "done"}, by=dba, now=NOW)
    change_action(Action.objects.get(text="Add a file."), {"state": "dropped"}, by=dba, now=NOW)

    cancelled = {entry.summary: entry.is_cancelled for entry in entries_of_violation(violation, address)}

    assert cancelled == {"Due: DATA on SCRIPT": False, "Add a file.": True, "Done: Ask.": False}


def test_a_person_finds_what_is_theirs(violation):
    dba, other = User.objects.get(), User.objects.create(username="other")
    for text, owner in (("Nobody's step", None), ("Another's step", other)):
        add_action(violation, text, by=dba, now=NOW, owner=owner, due_on=date(2026, 7, 9))

    assert [entry.summary for entry in entries_of_person(dba, address)] == [
        "Due: DATA on SCRIPT",
        "Add a file.",
        "Nobody's step",
    ]
    assert [entry.summary for entry in entries_of_person(other, address)] == ["Another's step"]
