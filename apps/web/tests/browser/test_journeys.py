"""Three people with a question each, from the page that follows the sign-in: how many steps the answer takes."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from apps.web.tests.browser.conftest import NewContext, watch
from apps.web.tests.browser.estate import PLANNER, READER
from apps.web.tests.browser.journey import WAYS, Journey, Way
from apps.web.tests.browser.looking import NARROW

MENU = {"mouse": 0, "keyboard": 0, "telephone": 1}  # steps that open the side bar
ROWS = "#risk-list tbody tr"


@pytest.fixture(scope="module")
def telephones(
    new_context: NewContext, signed_in: Callable[[str], BrowserContext]
) -> Callable[[str], BrowserContext]:
    """The same people on a telephone."""
    contexts: dict[str, BrowserContext] = {}

    def context_of(user: str) -> BrowserContext:
        if user not in contexts:
            signed = signed_in(user).storage_state()
            contexts[user] = new_context(viewport=NARROW, has_touch=True, storage_state=signed)
        return contexts[user]

    return context_of


@pytest.fixture
def set_out(
    signed_in: Callable[[str], BrowserContext], telephones: Callable[[str], BrowserContext]
) -> Iterator[Callable[[str, Way], Journey]]:
    """Begins the journey of a person; nothing may go wrong on it."""
    pages: list[tuple[Page, list[str]]] = []

    def begin(user: str, way: Way) -> Journey:
        page = (telephones if way == "telephone" else signed_in)(user).new_page()
        pages.append((page, watch(page)))
        journey = Journey(page, way)
        journey.begin()
        return journey

    yield begin
    for page, wrong in pages:
        page.close()
        assert wrong == []


@pytest.mark.parametrize("way", WAYS)
def test_a_planner_sees_who_is_in_trouble_first_and_why_then_90_days_ago_then_what_is_to_come(
    way: Way, set_out: Callable[[str, Way], Journey]
):
    journey = set_out(PLANNER, way)
    page = journey.page
    first = page.locator(ROWS).first
    target, what = (first.locator(cell).inner_text() for cell in ("td a", "th a"))

    expect(page.get_by_role("heading", level=1)).to_contain_text(f"first {what} on {target}")
    journey.choose(first.locator("th a"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(target)
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile("over (its|their) limit"))
    assert len(journey.steps) == 1

    journey.begin()
    journey.choose(page.locator(ROWS).first.locator("td a"))
    expect(page.locator("#profile thead")).to_contain_text("−90")
    assert len(journey.steps) == 1

    journey.begin()
    journey.choose(page.locator(ROWS).filter(has_text="at risk").first.locator("th a"))
    expect(page.get_by_role("main")).to_contain_text(re.compile("soonest.*likely.*latest", re.DOTALL))
    assert len(journey.steps) == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_manager_takes_the_weekly_report_as_a_pdf(way: Way, set_out: Callable[[str, Way], Journey]):
    journey = set_out(READER, way)

    journey.choose_from_menu("Weekly report")
    with journey.page.expect_download() as download:
        journey.choose(journey.page.get_by_role("link", name="PDF", exact=True))

    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")
    assert len(journey.steps) == 2 + MENU[way]


@pytest.mark.parametrize("way", WAYS)
def test_a_dba_sets_a_limit_by_the_name_of_a_statistic_in_three_fields(
    way: Way, set_out: Callable[[str, Way], Journey]
):
    journey = set_out(PLANNER, way)
    page = journey.page

    journey.choose_from_menu("Thresholds")
    journey.choose(page.get_by_role("link", name="Set a threshold"))
    journey.pick(page.get_by_role("combobox", name="Statistic"), "redo si", "redo_size")
    journey.select(page.locator("[name=target]"), "HRPRD")
    journey.type_into(page.locator("[name=notation]"), "<8 TB/day")
    expect(page.get_by_role("heading", level=1)).to_contain_text("would have fired on 0 of the last 90 days")
    journey.choose(page.get_by_role("button", name="Save threshold"))

    expect(page.get_by_role("status").filter(has_text="It applies from the next review.")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="HRPRD").filter(has_text="<8 TB/day").first
    expect(row).to_contain_text("redo size")
    assert (len(journey.steps), len(journey.fields)) == (3 + MENU[way], 3)
