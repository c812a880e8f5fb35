"""
What is wrong with a page that is open: for axe, in both themes, and in its width.

HEADROOM_TEST_PICTURES=1 keeps pictures of it in build/screenshots.
"""

import os
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

from apps.web.tests.browser.conftest import WIDE

SCREENSHOTS = Path(__file__).resolve().parents[4] / "build" / "screenshots"
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
NARROW: ViewportSize = {"width": 390, "height": 844}
AXE = Axe()
RULES = {"resultTypes": ["violations"]}  # those of WCAG and its best practices
COLOURS = ["color-contrast", "link-in-text-block"]  # what the other theme can change
CONTRAST = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": COLOURS}}
SHORTEN = "document.querySelectorAll('tbody tr:nth-child(n+25)').forEach((row) => row.remove())"
UNFOLD = (
    "document.querySelectorAll('main details.fold:not(td details)').forEach((fold) => { fold.open = true; })"
)
TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.body.querySelectorAll("*")]
        .filter((one) => one.getBoundingClientRect().right > width + 1 && !one.closest(".scroll"))
        .map((one) => `${one.tagName}.${one.getAttribute("class")}`).slice(0, 5);
}"""

SQUEEZED = """() => [...document.querySelectorAll("main td, main th")]
    .filter((cell) => cell.innerText.trim().length > 3 && !cell.querySelector(".unseen"))
    .filter((cell) => getComputedStyle(cell).fontSize !== "0px")
    .filter((cell) => cell.getBoundingClientRect().height && cell.getBoundingClientRect().width < 28)
    .map((cell) => `${cell.closest("table").id}: ${cell.innerText.trim()}`).slice(0, 5)
"""
UNLABELLED = r"""() => [...document.querySelectorAll(".grid.folds tbody td")]
    .filter((cell) => cell.getBoundingClientRect().width)
    .filter((cell) => {
        const text = cell.innerText.trim().toLowerCase();
        const label = (cell.dataset.l || "").toLowerCase();
        return label ? text === label || text.startsWith(`${label} `) : /^[-−+]?[\d,\u202f]+(\.\d+)?$/.test(text);
    })
    .map((cell) => `${cell.closest("table").id}: ${cell.dataset.l || "no label"} ${cell.innerText.trim()}`).slice(0, 5)
"""


def faults(results: Any) -> list[str]:
    """What axe found, however slight."""
    return [
        f"{rule['id']}: {node['target']} {node['any'][0]['message'] if node['any'] else ''}"
        for rule in results.response["violations"]
        for node in rule["nodes"][:3]
    ]


def take_pictures(page: Page, name: str) -> None:
    """For people to look at, in both themes."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.screenshot(path=SCREENSHOTS / f"{name}-{theme}.png", full_page=True)


def look_at(page: Page, name: str) -> list[str]:
    """What is wrong with a page that is open, in both themes and widths."""
    page.evaluate(SHORTEN)  # the rows that follow are like the first
    page.evaluate(UNFOLD)
    wrong = faults(AXE.run(page, options=RULES))
    for width, size in (("wide", WIDE), ("laptop", LAPTOP), ("narrow", NARROW)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        too_wide = page.evaluate(TOO_WIDE)
        for _ in range(100):
            if too_wide:  # charts follow the width a little later
                page.wait_for_timeout(100)
                too_wide = page.evaluate(TOO_WIDE)
        wrong += [f"wider than {size['width']}: {what}" for what in too_wide]
        if size is not NARROW:
            wrong += [f"squeezed at {size['width']}: {what}" for what in page.evaluate(SQUEEZED)]
        else:
            wrong += [
                f"a number that is not told, or told twice, on a telephone: {what}"
                for what in page.evaluate(UNLABELLED)
            ]
        if os.environ.get("HEADROOM_TEST_PICTURES"):
            take_pictures(page, f"{name}-{width}")
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="dark")
    return wrong + faults(AXE.run(page, options=CONTRAST))
