"""Notes on days: written, shown with their days, changed by two people at once, removed; and whatever is typed."""

import csv
import io
import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import Story, days_before, instance, prepare
from apps.inventory.models import Group, Target
from apps.profiles.models import Note
from apps.web.tests.scenes import FORMULA, NASTY, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def last() -> date:
    return timezone.now().date() - timedelta(days=2)


@pytest.fixture(scope="module")
def target_pk(module_db: None, last: date) -> int:
    prepare(last)
    made = instance("DWPRD", group=Group.objects.create(name="Warehouse"))
    story = Story(made)
    for number, on in enumerate(days_before(last, 5)):
        story.day(on, redo=5 + number)
    return made.pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def planner(target: Target) -> Client:
    return signed_in("lindqvist", is_planner=True)


def first_match(pattern: str, html: str) -> str:
    """The part of a page in brackets of the pattern."""
    match = re.search(pattern, html)
    assert match
    return match[1]


def write(client: Client, **fields: object):
    return client.post(
        reverse("note_add"), {"text": "the array was moved", "first_day": "2026-01-31", **fields}
    )


def statistic(target: Target) -> str:
    return reverse("statistic", args=[target.pk, "x_redo"])


def test_a_note_is_written_from_the_page_of_a_statistic_and_leads_back_to_it(planner, target, last):
    page = planner.get(statistic(target)).content.decode()
    address = first_match(r'href="(/notes/add[^"]+)"', page).replace("&amp;", "&")
    form = planner.get(address).content.decode()

    answer = write(planner, target=target.pk, first_day=last.isoformat(), next=statistic(target))

    assert f'value="{last.isoformat()}"' in form
    assert f'<option value="{target.pk}" selected>' in form
    assert answer["Location"] == statistic(target)
    note = Note.objects.get()
    assert (note.text, note.first_day, note.last_day, note.target) == (
        "the array was moved",
        last,
        last,
        target,
    )
    assert (str(note.written_by), note.changed_at) == ("lindqvist", None)


def test_it_is_drawn_into_the_chart_keyed_and_listed(planner, target, last):
    write(planner, target=target.pk, first_day=last - timedelta(days=1), text=NASTY)
    write(
        planner, target=target.pk, first_day=last - timedelta(days=120), last_day=last - timedelta(days=118)
    )

    html = planner.get(statistic(target)).content.decode()
    earlier = planner.get(f"{statistic(target)}?days=365").content.decode()

    assert "<dt>A</dt>" in html
    assert "<dt>B</dt>" not in html  # the other lies before the days shown
    assert "&lt;script&gt;alert" in html
    assert "<script>alert" not in html
    assert f'"x0": "{(last - timedelta(days=1)).isoformat()}"' in html
    assert "<dt>B</dt>" in earlier
    assert f'"x0": "{(last - timedelta(days=120)).isoformat()}", "x1": "{(last - timedelta(days=117)).isoformat()}"' in earlier  # fmt: skip


def test_it_is_shown_on_the_profile_of_its_days_alone(planner, target, last):
    write(planner, target=target.pk, first_day=last - timedelta(days=2), last_day=last - timedelta(days=1))
    address = reverse("target", args=[target.pk])

    is_there = [
        "the array was moved" in planner.get(f"{address}?on={last - timedelta(days=back)}").content.decode()
        for back in range(4)
    ]

    assert is_there == [False, True, True, False]


@pytest.mark.parametrize("scope", ["target", "group", "all", "other target", "other group"])
def test_notes_of_its_group_and_of_the_estate_concern_a_target_too(planner, target, last, scope):
    other = instance("OTHER", group=Group.objects.create(name="Elsewhere"))
    typed = {
        "target": {"target": target.pk},
        "group": {"group": target.group_id},
        "all": {},
        "other target": {"target": other.pk},
        "other group": {"group": other.group_id},
    }[scope]
    write(planner, first_day=last, **typed)

    html = planner.get(reverse("target", args=[target.pk])).content.decode()
    listed = planner.get(f"{reverse('notes')}?target={target.pk}").content.decode()

    assert ("the array was moved" in html) is not scope.startswith("other")
    assert ("the array was moved" in listed) is not scope.startswith("other")
    assert "the array was moved" in planner.get(reverse("notes")).content.decode()


def test_a_note_is_changed_and_says_by_whom(planner, target, last):
    write(planner, target=target.pk, first_day=last)
    note = Note.objects.get()
    other = signed_in("okafor", is_planner=True)

    other.post(
        reverse("note", args=[note.pk]), {"text": "quarter end", "first_day": last, "target": target.pk}
    )

    html = planner.get(reverse("notes")).content.decode()
    assert "quarter end" in html
    assert "lindqvist, " in html
    assert "changed by okafor" in html


def test_who_saves_second_is_told_and_nothing_typed_is_lost(planner, target, last):
    write(planner, target=target.pk, first_day=last)
    note = Note.objects.get()
    address = reverse("note", args=[note.pk])
    read = first_match(r'name="read" value="([^"]+)"', planner.get(address).content.decode())
    typed = {"first_day": last, "target": target.pk}
    planner.post(address, typed | {"text": "theirs", "read": read})

    refused = planner.post(address, typed | {"text": "mine", "read": read}).content.decode()
    again = first_match(r'name="read" value="([^"]+)"', refused)

    assert "lindqvist changed this note at" in refused
    assert "theirs is “theirs”" in refused
    assert ">\nmine</textarea>" in refused
    assert planner.post(address, typed | {"text": "mine", "read": again}).status_code == 302
    assert Note.objects.get().text == "mine"


def test_a_removed_note_is_gone_everywhere_and_kept_in_the_database(planner, target, last):
    write(planner, target=target.pk, first_day=last)
    note = Note.objects.get()

    planner.post(reverse("note", args=[note.pk]), {"remove": "1"})

    assert Note.objects.get().removed_at is not None
    for address in (reverse("notes"), reverse("target", args=[target.pk]), statistic(target)):
        assert "the array was moved</strong>" not in planner.get(address).content.decode()
    assert planner.get(reverse("note", args=[note.pk])).status_code == 404


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"text": ""}, "Say what happened, for example month end close."),
        ({"text": "   "}, "Say what happened, for example month end close."),
        ({"text": "x" * 401}, "These are 401 letters; 400 are kept."),
        ({"first_day": ""}, "Give the day, for example 2026-01-31."),
        ({"first_day": "2026-02-30"}, "This is not a day of the calendar."),
        ({"first_day": "yesterday"}, "This is not a day of the calendar."),
        ({"first_day": "0001-01-01"}, "0001-01-01 is no day that was measured"),
        ({"last_day": "2026-01-30"}, "lies before"),
        ({"last_day": "2028-01-31"}, "This period has 731 days; give at most 366."),
        ({"last_day": "soon"}, "This is not a day of the calendar."),
        ({"target": "99999999"}, "Select a valid choice"),
        ({"both": "1"}, "Give a target or a group, not both."),
    ],
)
def test_bad_input_gets_a_sentence_and_is_shown_again(planner, target, typed, sentence):
    if typed.pop("both", ""):
        typed = {"target": target.pk, "group": target.group_id}

    answer = write(planner, **{"text": FORMULA} | typed)

    html = answer.content.decode()
    assert answer.status_code == 200
    assert sentence in html
    assert not Note.objects.exists()
    if "text" not in typed:
        assert "=HYPERLINK(&quot;http://evil&quot;)" in html


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_it_never_leads_away_from_this_site(planner, target, elsewhere):
    assert write(planner, next=elsewhere)["Location"] == reverse("notes")


def test_a_reader_reads_them_and_changes_none(planner, target, last):
    write(planner, target=target.pk, first_day=last)
    note = Note.objects.get()
    reader = signed_in(is_planner=False)

    html = reader.get(statistic(target)).content.decode()

    assert "the array was moved" in html
    assert "/notes/add" not in html
    assert reverse("note", args=[note.pk]) not in html
    for address in (reverse("note_add"), reverse("note", args=[note.pk])):
        assert (
            reader.post(address, {"text": "x", "first_day": "2026-01-31", "remove": "1"}).status_code == 403
        )
    assert Note.objects.get().removed_at is None


def test_the_list_is_a_file_too(planner, target):
    write(planner, text=FORMULA, last_day="2026-02-02")

    rows = list(csv.DictReader(io.StringIO(planner.get(f"{reverse('notes')}?format=csv").content.decode())))

    assert [(row["first day"], row["last day"], row["note"]) for row in rows] == [
        ("2026-01-31", "2026-02-02", f"'{FORMULA}")
    ]


def test_many_notes_cost_no_more_questions_than_few(planner, target, last, django_assert_max_num_queries):
    for number in range(30):
        write(planner, target=target.pk, first_day=last, text=f"note {number}")
    planner.get(statistic(target))  # what is asked once is asked now

    with django_assert_max_num_queries(60) as queries:
        planner.get(statistic(target))
    with django_assert_max_num_queries(60) as few:
        Note.objects.exclude(text="note 0").delete()
        planner.get(statistic(target))

    assert len(queries) <= len(few)
