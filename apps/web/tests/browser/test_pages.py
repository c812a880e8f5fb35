"""Every page, light and dark, wide and narrow: it opens without errors, fits, and can be used by everybody."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from apps.web.tests.browser.conftest import REFUSED_BY_POLICY, WIDE, watch
from apps.web.tests.browser.estate import PLANNER
from apps.web.urls import urlpatterns

SCREENSHOTS = Path(__file__).resolve().parents[4] / "build" / "screenshots"
NARROW: ViewportSize = {"width": 390, "height": 844}
BUTTONS = {
    "trend_change",
    "scenario_remove",
    "change_step",
    "trend_change_add",
    "subscriber_test",
    "sign_out",
    "target_pin",
    "targets_change",
    "targets_undo",
    "target_pause",
    "target_collect",
    "threshold_withdraw",
    "thresholds_bulk",
    "pack_apply",
    "violation_step",
    "violation_owner",
    "violation_diagnosis",
    "violation_comment",
    "action",
    "action_add",
    "action_order",
    "attachment_add",
    "person_password",
    "violation_template",
    "study_windows",
    "study_figure_add",
    "study_figure_remove",
}  # no page behind them
SIGNED_OUT, DEBUGGING = {"sign_in"}, {"parts"}
PROPOSALS = {"target_host", "target_database"}  # there only while an instance proposes something
FILES = {
    "thresholds_export",
    "target_csv",
    "statistic_csv",
    "weekly_report_file",
    "attachment",
    "violation_calendar",
    "person_calendar",
}
PAGES = sorted({str(one.name) for one in urlpatterns} - BUTTONS - PROPOSALS - SIGNED_OUT - DEBUGGING - FILES)

AXE = Axe()
RULES = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
CONTRAST = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": ["color-contrast"]}}
SHORTEN = "document.querySelectorAll('tbody tr:nth-child(n+25)').forEach((row) => row.remove())"
TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.body.querySelectorAll("*")]
        .filter((one) => one.getBoundingClientRect().right > width + 1 && !one.closest(".scroll"))
        .map((one) => `${one.tagName}.${one.getAttribute("class")}`).slice(0, 5);
}"""


@pytest.fixture(scope="package")
def addresses(signed_in: Callable[[str], BrowserContext], site: str) -> dict[str, str]:
    """One address of every page: link by link from the estate, of the warehouse where it has such a page."""
    asked = signed_in(PLANNER).request
    warehouse = re.search(r'href="(/targets/\d+)"[^>]*>DWPRD<', asked.get(f"{site}/targets").text())
    assert warehouse
    waiting = [warehouse[1], "/", "/thresholds/add"]
    found: dict[str, str] = {}
    followed: set[str] = set()
    while waiting:
        address = waiting.pop(0)
        try:
            name = str(resolve(urlsplit(address).path).url_name)
        except Resolver404:
            continue
        if (
            address in followed
            or name in BUTTONS | PROPOSALS | SIGNED_OUT
            or (name in found and (name != "target" or "?" in address))  # every target, of today alone
        ):
            continue
        followed.add(address)
        found.setdefault(name, address)
        if name not in FILES:
            text = asked.get(site + address).text()
            links = re.findall(r'(?:href|formaction|hx-get|method="get" action)="([^"]+)"', text)
            waiting += [urljoin(address, link.replace("&amp;", "&")).partition("#")[0] for link in links]
    return found


def serious(found: Any) -> list[str]:
    """What axe found that keeps somebody from using the page."""
    return [
        f"{one['id']}: {node['target']} {node['any'][0]['message'] if node['any'] else ''}"
        for one in found.response["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def look_at(page: Page, name: str) -> list[str]:
    """What is wrong with a page that is open, in both themes and widths; a picture of each is kept."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.evaluate(SHORTEN)  # the rows that follow are like the first
    wrong = serious(AXE.run(page, options=RULES))
    for width, size in (("wide", WIDE), ("narrow", NARROW)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        too_wide = page.evaluate(TOO_WIDE)
        for _ in range(15):
            if too_wide:  # charts follow the width a little later
                page.wait_for_timeout(100)
                too_wide = page.evaluate(TOO_WIDE)
        wrong += [f"wider than {size['width']}: {what}" for what in too_wide]
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            page.screenshot(path=SCREENSHOTS / f"{name}-{width}-{theme}.png", full_page=True)
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    return wrong + serious(AXE.run(page, options=CONTRAST))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_fits_and_can_be_used(name: str, page: Page, addresses: dict[str, str]):
    answer = page.goto(addresses[name], wait_until="load")
    expect(page.locator(".chart .loading")).to_have_count(0)

    assert answer
    assert answer.status == 200
    assert look_at(page, name) == []
    assert page.get_by_role("heading", level=1).count() == 1


def test_the_sign_in_page_opens_fits_and_can_be_used(chromium: Browser, site: str):
    context = chromium.new_context(base_url=site, viewport=WIDE)
    context.add_init_script(REFUSED_BY_POLICY)
    page = context.new_page()
    wrong = watch(page)

    page.goto("/sign-in")

    assert look_at(page, "sign_in") == []
    assert wrong == []
    context.close()


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_is_offered_beside_its_page(name: str, page: Page, addresses: dict[str, str]):
    answer = page.request.get(addresses[name])

    assert answer.ok
    assert "attachment" in answer.headers["content-disposition"]


def test_a_page_that_is_not_there_says_so(page: Page):
    answer = page.request.get("/targets/99999999999999999999")

    assert answer.status == 404
    assert "There is no such page." in answer.text()
