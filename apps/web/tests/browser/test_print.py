"""Pages on paper, A4 and Letter, upright and across: nothing blank, nothing cut, nothing over something else."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from apps.web.tests.browser.looking import SCREENSHOTS

PAPERS = [(name, is_across) for name in ("A4", "Letter") for is_across in (False, True)]
PRINTED = (
    "estate", "risks", "target", "target_compare", "target_pattern", "statistic", "violations", "violation",
    "thresholds", "targets", "weekly_report", "patterns", "collection",
)  # fmt: skip
LEAST_LETTERS = 12  # of a page that is not blank, with its number
MARGIN = 20.0  # points; that of the paper is 28
OVERLAP = 0.34  # of the smaller of two letters, by which one is over the other
BEYOND_THEIR_CELL = """[...document.querySelectorAll(".risk-bar")].filter((bar) =>
    bar.getBoundingClientRect().right > bar.closest("td, th").getBoundingClientRect().right + 1).length"""


@dataclass(frozen=True)
class Letter:
    """A piece of text on paper, often a single letter, in points from below."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True)
class PrintedSheet:
    width: float
    height: float
    text: str
    letters: list[Letter]


def print_page(page: Page, paper: str, *, is_across: bool, name: str = "") -> list[PrintedSheet]:
    """The sheets of the page that is open, as the browser's own dialog prints it."""
    made = page.pdf(format=paper, landscape=is_across, prefer_css_page_size=True)
    if name:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        (SCREENSHOTS / f"{name}-{paper}-{'across' if is_across else 'upright'}.pdf").write_bytes(made)
    return [_sheet(leaf) for leaf in pypdfium2.PdfDocument(made)]


def _sheet(leaf: Any) -> PrintedSheet:
    width, height = leaf.get_size()
    text = leaf.get_textpage()
    rects = [text.get_rect(number) for number in range(text.count_rects())]
    letters = [Letter(text.get_text_bounded(*rect).strip(), *rect) for rect in rects]
    whole = " ".join(text.get_text_bounded().split())
    return PrintedSheet(width, height, whole, [letter for letter in letters if letter.text])


def find_faults(sheets: list[PrintedSheet]) -> list[str]:
    """What is blank, cut by the edge of the paper, or printed over something else."""
    return [
        f"page {number}: {fault}" for number, sheet in enumerate(sheets, 1) for fault in _faults_of(sheet)
    ]


def _faults_of(sheet: PrintedSheet) -> Iterator[str]:
    if len(sheet.text) < LEAST_LETTERS:
        yield f"blank but for “{sheet.text}”"
    for letter in sheet.letters:
        if letter.left < MARGIN or letter.right > sheet.width - MARGIN:
            yield f"cut: “{letter.text}”"
    ordered = sorted(sheet.letters, key=lambda letter: (round(letter.bottom), letter.left))
    for first, second in pairwise(ordered):
        if _share_covered(first, second) > OVERLAP:
            yield f"“{second.text}” is over “{first.text}”"


def _share_covered(first: Letter, second: Letter) -> float:
    width = min(first.right, second.right) - max(first.left, second.left)
    height = min(first.top, second.top) - max(first.bottom, second.bottom)
    smaller = min((piece.right - piece.left) * (piece.top - piece.bottom) for piece in (first, second))
    return max(width, 0.0) * max(height, 0.0) / smaller if smaller else 0.0


@pytest.mark.parametrize("name", PRINTED)
def test_a_page_fits_the_paper(name: str, page: Page, addresses: dict[str, str]):
    page.goto(addresses[name])
    expect(page.locator(".chart .loading")).to_have_count(0)

    for paper, is_across in PAPERS:
        sheets = print_page(page, paper, is_across=is_across, name=f"print-{name}")

        assert find_faults(sheets) == [], (paper, is_across)


@pytest.mark.parametrize("name", ["estate", "risks", "weekly_report"])
def test_the_first_row_stands_on_the_first_page(name: str, page: Page, addresses: dict[str, str]):
    page.goto(addresses[name])
    row = page.locator("main table tbody tr:not(.group-row) th[scope=row]").first.inner_text()

    for paper, is_across in PAPERS:
        first, *_ = print_page(page, paper, is_across=is_across)

        assert row.split()[0] in first.text, (paper, is_across)


def test_a_profile_is_one_sheet_across_and_has_its_heads_on_each(page: Page, addresses: dict[str, str]):
    page.goto(addresses["target"])
    statistics = page.locator("#profile th.statistic").all_inner_texts()

    (sheet,) = print_page(page, "A4", is_across=True)
    upright = print_page(page, "A4", is_across=False)

    assert sheet.width > sheet.height
    assert "days left" in sheet.text
    assert all(name.split()[0] in sheet.text for name in statistics)
    assert all("days left" in leaf.text for leaf in upright)
    assert all("\u2026" not in leaf.text for leaf in upright)


def test_paper_is_light_for_whoever_reads_in_the_dark(page: Page, addresses: dict[str, str]):
    page.emulate_media(color_scheme="dark")
    page.goto(addresses["statistic"])
    expect(page.locator(".chart .loading")).to_have_count(0)

    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    during = page.evaluate("document.documentElement.dataset.themeShown")
    page.evaluate("dispatchEvent(new Event('afterprint'))")

    assert (during, page.evaluate("document.documentElement.dataset.themeShown")) == ("light", "dark")


@pytest.mark.parametrize("name", ["estate", "risks"])
def test_bars_stay_in_their_column_on_screens_and_on_paper(name: str, page: Page, addresses: dict[str, str]):
    page.goto(addresses[name])
    expect(page.locator(".risk-bar").first).to_be_visible()

    for medium, width in (("screen", 1440), ("screen", 1280), ("print", 1047), ("print", 979)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media=medium)  # type: ignore[arg-type]

        assert page.evaluate(BEYOND_THEIR_CELL) == 0, (medium, width)
