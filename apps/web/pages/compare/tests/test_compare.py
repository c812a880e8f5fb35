"""Two periods of a target as a page and as a file, from readings to what is read."""

import csv
import io
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import BOOT, Story, days_before, host, instance, prepare
from apps.inventory.models import Target
from apps.web.tests.scenes import NASTY, WAVE

pytestmark = pytest.mark.django_db

LAST = datetime.now(UTC).date() - timedelta(days=2)


def record_two_weeks(name: str = "DWPRD", level: float = 40, grown: float = 60) -> Target:
    """Two weeks: redo grows, a wait appears, another goes, hits fall, DATA stays."""
    days = days_before(LAST, 14)
    prepare(*days)
    target = instance(name, registered_at=BOOT)
    story = Story(target)
    for number, on in enumerate(days):
        wave, is_later = WAVE[number % 7], number >= 7
        story.day(
            on, redo=(grown if is_later else level) + wave, calls=86400, hits=(90 if is_later else 97) + wave,
            used={"DATA": 100 + wave},
            waits={NASTY: (1000, 8 + wave)} if is_later else {"=1+1": (500, 3 + wave)},
        )  # fmt: skip
    slot = timetable_of(target).last_slot(
        datetime.combine(LAST + timedelta(days=2), datetime.min.time(), UTC)
    )
    CollectionRun.objects.create(
        target=target, slot=slot, began_at=slot, ended_at=slot, state="complete", series=9
    )
    return target


@pytest.fixture
def target() -> Target:
    return record_two_weeks()


def address_of(target: Target, **parameters: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"{reverse('target_compare', args=[target.pk])}?{query}"


def weeks(later: date = LAST) -> dict[str, object]:
    first = later - timedelta(days=6)
    return {
        "then_first": first - timedelta(days=7), "then_last": later - timedelta(days=7), "first": first, "last": later,
    }  # fmt: skip


def rows(page: str) -> list[list[str]]:
    """The cells of the table of a page, as read."""
    table = re.search(r'<table[^>]*id="compared".*?</table>', page, re.DOTALL)
    assert table
    return [
        [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", line, re.DOTALL)]
        for line in re.findall(r"<tr>.*?</tr>", table[0].partition("</thead>")[2], re.DOTALL)
    ]  # fmt: skip


def file_of(client: Client, address: str) -> dict[tuple[str, str], dict[str, str]]:
    lines = csv.DictReader(io.StringIO(client.get(f"{address}&format=csv").text))
    return {(row["statistic"], row["component"]): row for row in lines}


def test_STU15_a_page_says_what_became_of_each_statistic_and_calls_noise_noise(reader, target):
    page = reader.get(address_of(target, **weeks(), verdict="all", rows="statistics")).text

    by_name = {row[1]: row for row in rows(page)}
    redo = by_name["redo"]
    assert [redo[0], *redo[4:7]] == ["worse", "40", "60", "+50.0"]
    assert by_name["hits"][0] == "worse"
    assert by_name["hits"][6] == "−7.0 pt"
    assert by_name["DATA"][0].startswith("same")
    assert [by_name["&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"][at] for at in (0, 4, 6)] == [
        "appeared", "Not present", "new",
    ]  # fmt: skip
    assert [by_name["=1+1"][at] for at in (0, 5, 6)] == ["gone", "Not present", "gone"]
    assert NASTY not in page
    assert re.search(r"<strong>\w+ things became worse</strong>, most of all [^;]+; .*1 new", page)


def test_the_file_has_exact_figures_and_no_formula(reader, target):
    lines = file_of(reader, address_of(target, **weeks(), verdict="all"))

    redo = lines["redo", ""]
    assert float(redo["earlier mean"]) == pytest.approx(40, abs=1e-6)
    assert float(redo["change, %"]) == pytest.approx(50, abs=1e-4)
    assert (redo["earlier days"], redo["verdict"], redo["unit"]) == ("7", "worse", "GB/day")
    assert lines["average wait", "'=1+1"]["later mean"] == "not present"


def test_without_periods_this_week_is_compared_with_the_one_before(reader, target):
    page = reader.get(reverse("target_compare", args=[target.pk])).text

    assert next(row for row in rows(page) if row[1] == "redo")[4:7] == ["40", "60", "+50.0"]
    assert all(not row[0].startswith("same") for row in rows(page))
    assert "seven days of" in page


def test_verdict_and_section_are_filters_of_the_address(reader, target):
    worse = rows(reader.get(address_of(target, **weeks(), verdict="worse")).text)
    space = rows(reader.get(address_of(target, **weeks(), verdict="all", section="Space")).text)

    assert {row[0] for row in worse} == {"worse"}
    assert {row[2] for row in space} == {"Space"}
    assert len(worse) < len(rows(reader.get(address_of(target, **weeks(), verdict="all")).text))
    nothing = reader.get(address_of(target, **weeks(), verdict="better", section="Work")).text
    assert "Clear the filter" in nothing


def test_days_left_out_are_named(reader, target):
    parameters = weeks() | {"last": LAST + timedelta(days=1), "then_first": LAST - timedelta(days=15)}

    page = reader.get(address_of(target, **parameters)).text

    assert page.count("one day not read") + page.count("two days not read") >= 1


def test_two_days_are_compared(reader, target):
    page = reader.get(
        address_of(target, then_first=LAST - timedelta(days=7), then_last=LAST - timedelta(days=7), first=LAST, last=LAST, verdict="all")
    ).text  # fmt: skip

    redo = next(row for row in rows(page) if row[1] == "redo")
    assert redo[4:6] == ["40", "60"]


def test_two_targets_are_compared_over_the_same_days(reader, target):
    other = record_two_weeks("HRPRD", level=20, grown=30)

    page = reader.get(address_of(target, **weeks() | {"then_first": LAST - timedelta(days=6), "then_last": LAST}, other=other.pk)).text  # fmt: skip

    redo = next(row for row in rows(page) if row[1] == "redo")
    assert [redo[0], *redo[4:7]] == ["worse", "30", "60", "+100"]
    assert "earlier, HRPRD" in page


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("then_first", "2026-02-30", "That is not a day"),
        ("first", "yesterday", "That is not a day"),
        ("last", "2020-01-01", "exchange them"),
        ("then_first", "2019-01-01", "choose at most 92"),
        ("then_last", "", "Give a day"),
        ("other", "999999", "There is no such target"),
        ("other", "x", "There is no such target"),
        ("first", "0001-01-01", "Give a day since 1970"),
        ("last", "9999-12-31", "Give a day since 1970"),
    ],
)
def test_an_impossible_period_gets_a_sentence_and_what_was_typed(reader, target, name, typed, message):
    response = reader.get(address_of(target, **weeks() | {name: typed}))

    assert response.status_code == 200
    assert message in response.text
    assert "These periods cannot be compared" in response.text
    if typed and name != "other":
        assert f'value="{typed}"' in response.text


def test_far_away_days_and_wrong_filters_are_answered(reader, target):
    for query in (
        dict.fromkeys(("then_first", "then_last", "first", "last"), "0001-01-01"),
        dict.fromkeys(("then_first", "then_last", "first", "last"), "1970-01-01"),
        dict.fromkeys(("then_first", "then_last", "first", "last"), "2999-12-31"),
        weeks() | {"verdict": NASTY, "section": NASTY},
        weeks() | {"verdict": "", "section": "%00"},
        {"on": "9999-12-31"}, {"on": "1970-01-01"},
    ):  # fmt: skip
        response = reader.get(address_of(target, **query))

        assert response.status_code == 200, query
        assert NASTY not in response.text


def test_quick_choices_lead_to_restarts_and_changed_parameters(reader, target):
    story = Story(target)
    on = LAST - timedelta(days=4)
    restarted = timetable_of(target).last_slot(datetime.combine(on, datetime.min.time(), UTC))
    target.facts.create(
        name="parameter", component="sga_target", since=restarted - timedelta(days=9), value="1 GB"
    )
    target.facts.create(name="parameter", component="sga_target", since=restarted, value="2 GB")
    assert story.target == target
    from apps.snapshots.models import Coverage

    Coverage.objects.filter(target=target, day=on).update(restarts=1)

    page = reader.get(reverse("target_compare", args=[target.pk])).text

    choices = re.findall(r'<li><a href="([^"]+)"[^>]*>before and after ([^<]+)</a>', page)
    assert [what.split(" of ")[0] for _, what in choices][:1] == ["the restart"]
    assert any("sga_target changed" in what for _, what in choices)
    for address, _ in choices:
        response = reader.get(address.replace("&amp;", "&"))
        assert response.status_code == 200
        assert f"last={LAST}" in address


def test_a_target_without_figures_says_so(reader):
    empty = instance("EMPTY", registered_at=BOOT)

    page = reader.get(reverse("target_compare", args=[empty.pk])).text

    assert "Nothing can be compared yet" in page


def test_the_menu_leads_to_a_choice_of_what_to_compare(reader, target):
    other = record_two_weeks("HRPRD")
    address = reverse("compare")

    alone = reader.get(f"{address}?target={target.pk}&other=")
    both = reader.get(f"{address}?target={target.pk}&other={other.pk}")

    assert f'href="{address}"' in reader.get(reverse("estate")).text
    assert reader.get(address).status_code == 200
    assert alone["Location"] == reverse("target_compare", args=[target.pk])
    assert f"other={other.pk}" in both["Location"]
    assert "earlier, HRPRD" in reader.get(both["Location"]).text


@pytest.mark.parametrize(
    ("typed", "message"),
    [("target=", "Choose a target."), ("target=999999", "no such target"), ("target=x", "no such target")],
)
def test_a_choice_that_cannot_be_is_answered(reader, target, typed, message):
    response = reader.get(f"{reverse('compare')}?{typed}")

    assert response.status_code == 200
    assert message in response.text


def test_a_host_is_not_compared_with_an_instance(reader, target):
    machine = host("dbx", registered_at=BOOT)

    response = reader.get(f"{reverse('compare')}?target={target.pk}&other={machine.pk}")

    assert "dbx is no instance; choose one of the same kind as DWPRD." in response.text
