"""How one person reads: their marks, their clock, their unit of waits, their columns; nobody else's, and no file's."""

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from apps.charts import figures
from apps.charts.names import NAMES
from apps.charts.reader import Style, use_style
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.people.models import Preferences
from apps.thresholds.models import Step
from apps.thresholds.register import add_threshold
from apps.web.help_lines import HELP
from apps.web.reader_style import style_of
from apps.web.tests.scenes import signed_in
from apps.web.urls import urlpatterns

GERMAN, FRENCH = Style(",", ".", "day"), Style(",", "\u202f", "day")
BERLIN = Style(",", ".", "day", ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("style", "written"),
    [
        (Style(), ("1,662", "2.1", "1,784,558,911,488 bytes", "+1,204", "14 Mar")),
        (GERMAN, ("1.662", "2,1", "1.784.558.911.488 bytes", "+1.204", "14 Mar")),
        (
            FRENCH,
            ("1\u202f662", "2,1", "1\u202f784\u202f558\u202f911\u202f488 bytes", "+1\u202f204", "14 Mar"),
        ),
        (Style(order="month"), ("1,662", "2.1", "1,784,558,911,488 bytes", "+1,204", "Mar 14")),
        (Style(order="year"), ("1,662", "2.1", "1,784,558,911,488 bytes", "+1,204", "2026-03-14")),
    ],
)
def test_numbers_and_days_are_written_as_their_reader_wants_them(style, written):
    with use_style(style):
        columns = (
            figures.figure(1662.3), figures.figure(2.1), figures.exact(1662, "GB").partition("(")[2].rstrip(")"),
            figures.delta(1204), figures.short_day(date(2026, 3, 14)).replace("\u00a0", " "),
        )  # fmt: skip

    assert columns == written


@pytest.mark.parametrize(
    ("locale", "long", "short", "full", "and_year", "month"),
    [
        ("en-GB", "1 March", "14 Dec", "Sat 14 Mar 2026", "1 Mar 2026", "Mar"),
        ("en-US", "March 1", "Dec 14", "Sat Mar 14, 2026", "Mar 1, 2026", "Mar"),
        ("de-DE", "1. März", "14. Dez", "Sa 14. Mär 2026", "1. Mär 2026", "Mär"),
        ("fr-FR", "1 mars", "14 déc", "sam 14 mars 2026", "1 mars 2026", "mars"),
        ("de-CH", "1. März", "14. Dez", "Sa 14. Mär 2026", "1. Mär 2026", "Mär"),
        ("sv-SE", "2026-03-01", "2026-12-14", "lör 2026-03-14", "2026-03-01", "mars"),
    ],
)
def test_months_and_weekdays_are_named_in_the_language_of_the_reader(
    locale, long, short, full, and_year, month
):
    with use_style(style_of(Preferences(locale=locale))):
        columns = (
            figures.long_day(date(2026, 3, 1)), figures.short_day(date(2026, 12, 14)),
            figures.full_day(date(2026, 3, 14)), figures.day_and_year(date(2026, 3, 1)),
            figures.month(date(2026, 3, 1)),
        )  # fmt: skip

    assert [text.replace("\u00a0", " ") for text in columns] == [long, short, full, and_year, month]


def test_every_language_names_twelve_months_and_seven_days():
    for names in NAMES.values():
        assert [len(set(listed)) for listed in (names.months, names.short_months)] == [12, 12]
        assert [len(set(listed)) for listed in (names.weekdays, names.short_weekdays)] == [7, 7]


def test_a_limit_and_what_a_review_found_are_shown_in_the_readers_marks():
    limit = {"sign": "<", "edge": 1800.5}
    over = Step(facts={"kind": "over", "is_back": False, "value": 1850, "unit": "GB", "limit": limit})
    by_a_person = Step(why="It is 1,662.5 GB; 10.0.0.7 answered.")

    with use_style(GERMAN):
        assert figures.threshold("<=1,800.5 GB/day") == "≤1.800,5 GB/day"
        assert figures.threshold("10..20") == "10..20"
        assert over.sentence == "Over its limit: 1.850 GB against <1.801."
        assert by_a_person.sentence == "It is 1,662.5 GB; 10.0.0.7 answered."
        assert (figures.fixed(17, 1), figures.fixed(-0.5, 2)) == ("17,0", "−0,50")
    assert over.sentence == "Over its limit: 1,850 GB against <1,801."
    assert figures.threshold("10ms (Reads) 2ms (Write)") == "10ms (Reads) 2ms (Write)"


@pytest.mark.django_db
def test_a_report_composed_by_a_german_reader_is_the_one_that_everybody_gets(ada, target):
    ada.post(reverse("preferences"), {"locale": "de-DE", "waits_in": "cs"})

    html = ada.get(f"{reverse('weekly_report')}").content.decode()

    assert "data-decimal" not in html
    assert 'data-decimal="," data-thousands="."' in ada.get(reverse("targets")).content.decode()


def test_points_stand_under_each_other_in_every_style():
    with use_style(GERMAN):
        assert figures.pads(["2", "2,1", "0,76", "1.662"]) == [",00", "0", "", ",00"]


def test_moments_are_those_of_the_readers_clock():
    at = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)

    assert figures.moment(at) == "31\u00a0Jan 23:30"
    with use_style(BERLIN):
        assert figures.moment(at) == "1\u00a0Feb 00:30"


def test_the_style_ends_with_the_page():
    with pytest.raises(RuntimeError), use_style(GERMAN):
        raise RuntimeError

    assert figures.figure(1662.3) == "1,662"


# ── pages ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ada() -> Client:
    return signed_in("ada")


@pytest.fixture
def target(db: None) -> Target:
    prepare()
    target = instance("DWPRD", registered_at=BOOT)
    add_threshold("x_read_ms", "<1.5", now=BOOT, target=target, component="log file sync")
    story = Story(target)
    for on in days_before(TODAY, 2):
        story.day(on, redo=5, cpu=1, waits={"log file sync": (1000, 16.0)}, used={"DATA": 12_345.5}, hits=90)
    slot = datetime(2026, 7, 1, 0, 5, tzinfo=UTC)
    CollectionRun.objects.create(
        target=target, slot=slot, began_at=slot, ended_at=slot, state="complete", series=2345
    )
    return target


def profile(client: Client, target: Target) -> str:
    return client.get(f"{reverse('target', args=[target.pk])}?on={TODAY}").content.decode()


def choose(client: Client, **chosen: object) -> str:
    fields = {"locale": "en-GB", "time_zone": "", "waits_in": "cs", "has_single_keys": "on"}
    fields["columns"] = ["class", "90", "30", "7", "spark", "limit", "left"]  # type: ignore[assignment]
    return client.post(reverse("preferences"), fields | chosen, follow=True).content.decode()


@pytest.mark.django_db
def test_a_page_is_written_in_the_readers_marks_and_their_files_are_not(ada, target):
    choose(ada, locale="de-DE")

    html = ada.get(f"{reverse('target_report', args=[target.pk, 'space'])}?on={TODAY}").content.decode()
    csv = ada.get(
        f"{reverse('target_report', args=[target.pk, 'space'])}?on={TODAY}&format=csv&table=tablespace"
    ).content.decode()

    assert ">12,1<" in html  # GB
    assert 'data-decimal="," data-thousands="."' in html
    assert "12345.5" in csv


@pytest.mark.django_db
def test_what_one_person_chooses_nobody_else_sees(ada, target):
    choose(ada, locale="de-DE", waits_in="ms", columns=[])
    other = signed_in("bob")

    html = profile(other, target)

    assert "12,346" in html
    assert "average wait, cs" in html
    assert "without-" not in html


@pytest.mark.django_db
def test_waits_in_milliseconds_keep_their_limit_change_and_state(ada, target):
    before = profile(ada, target)
    choose(ada, waits_in="ms")
    after = profile(ada, target)

    row = re.compile(r"<tr[^>]*>(?:(?!<tr).)*?log file sync.*?</tr>", re.S)
    was, now = (re.sub(r"<[^>]+>", " ", row.search(html)[0]) for html in (before, after))  # type: ignore[index]
    assert " 1.6 " in was
    assert "&lt;1.5" in was
    assert " 16 " in now
    assert "&lt;15" in now
    assert ("violated" in was, "violated" in now) == (True, True)
    assert "average wait, ms" in after


@pytest.mark.django_db
def test_columns_that_are_hidden_stay_hidden(ada, target):
    choose(ada, columns=["class", "30", "7", "limit", "left"])

    assert "without-90 without-spark" in profile(ada, target)
    assert Preferences.objects.get().hidden_columns == ["90", "spark"]


@pytest.mark.django_db
def test_moments_are_in_the_chosen_zone_which_is_named_and_days_are_not(ada, target):
    choose(ada, time_zone="Asia/Tokyo")

    html = ada.get(reverse("target_collection", args=[target.pk])).content.decode().replace("\u00a0", " ")

    assert "1 Jul 09:05" in html
    assert "Asia/Tokyo" in html
    assert re.search(r"<dt>days in</dt>\s*<dd>\s*UTC\s*</dd>", html)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        (
            {"time_zone": "Mars/Olympus"},
            "“Mars/Olympus” is not a time zone; give one such as Europe/Berlin or UTC.",
        ),
        ({"locale": "tlh"}, "tlh is not one of the available choices"),
        ({"waits_in": "fortnights"}, "fortnights is not one of the available choices"),
        ({"columns": ["90", "nothing"]}, "nothing is not one of the available choices"),
    ],
)
def test_what_cannot_be_chosen_gets_a_sentence_and_nothing_is_saved(ada, chosen, sentence):
    assert sentence in choose(ada, **chosen)
    assert not Preferences.objects.exists()


@pytest.mark.django_db
def test_single_keys_can_be_switched_off(ada):
    choose(ada, has_single_keys="")

    assert 'data-keys="off"' in ada.get(reverse("estate")).content.decode()


# ── pinned targets ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_a_target_is_pinned_and_let_go_by_each_person_for_themselves(ada, target):
    address = reverse("target_pin", args=[target.pk])

    ada.post(address)
    pinned = ada.get(reverse("estate")).content.decode()
    ada.post(address)
    after = ada.get(reverse("estate")).content.decode()

    assert '<h2 id="pinned">Pinned</h2>' in pinned
    assert '<h2 id="pinned">Pinned</h2>' not in after


@pytest.mark.django_db
def test_seven_targets_cannot_be_pinned(ada):
    for number in range(7):
        target = instance(f"T{number}", registered_at=BOOT)
        response = ada.post(
            reverse("target_pin", args=[target.pk]), {"back": "https://elsewhere.example/"}, follow=True
        )

    assert "6 targets are pinned already; unpin one before T6." in response.content.decode()
    assert Preferences.objects.get().pinned.count() == 6
    assert response.redirect_chain[-1][0] == reverse("target", args=[target.pk])


# ── help, and what is gone ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_every_page_has_a_line_of_help_until_it_is_switched_off(ada):
    before = ada.get(reverse("estate")).content.decode()
    choose(ada)
    after = ada.get(reverse("estate")).content.decode()

    assert 'class="page-help">See what runs out first' in before
    assert "page-help" not in after


def test_help_is_of_pages_that_are_there():
    assert HELP.keys() <= {str(pattern.name) for pattern in urlpatterns}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["target", "target_forecast", "target_collection", "target_all"])
@pytest.mark.parametrize("pk", [10**6, 10**30])
def test_a_bookmark_to_a_removed_target_says_so_and_shows_the_way_on(ada, name, pk):
    response = ada.get(reverse(name, args=[pk]))

    assert response.status_code == 404
    html = response.content.decode()
    assert f"Target {pk} is not known: it was removed with its history" in html
    assert reverse("targets") in html
