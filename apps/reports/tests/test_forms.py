"""The same report as a page, on paper, as a workbook and as text."""

import re
import shutil
import subprocess
import warnings
from datetime import date, timedelta
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pypdfium2
import pytest

from apps.collection.tests import scripted
from apps.reports.drawings import draw, with_styles
from apps.reports.engine.week import Week
from apps.reports.formats import FORMATS, file_name
from apps.reports.glyphs import BOX, _drawable, make_legible
from apps.reports.html import as_html
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf, chart_png
from apps.reports.tests.scenes import (
    MONDAY,
    NEXT_MORNING,
    SUNDAY,
    foreseen,
    limit,
    night_after,
    opened,
    person,
)
from apps.reports.text import as_text
from apps.reports.weekly_report import compose_weekly_report
from apps.reports.xlsx import as_xlsx
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

EVIL = (
    '=HYPERLINK("http://evil.example","x")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\tcmd",
    "<script>alert(1)</script>",
)
HARD = ("שלום 12", "مرحبا", "😀 face", "🔥 fire", "中文", "right\u202eleft", "nul\x07l", "e\u0301")


def report(*names: str, count: int = 0) -> WeeklyReport:
    """A week with a violation on each named target, and `count` more on one of them."""
    owner = person()
    for name in names:
        opened(limit(scripted.instance(name), owner=owner, severity="critical"), MONDAY)
    if count:
        target = scripted.instance("MANY")
        for number in range(count):
            opened(limit(target, component=f"T{number:03}", owner=owner), SUNDAY, component=f"T{number:03}")
    return compose_weekly_report(Week(MONDAY), NEXT_MORNING)


def pages(pdf: bytes) -> list[str]:
    """The text of each page, as a reader would copy it."""
    document = pypdfium2.PdfDocument(pdf)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def cells(xlsx: bytes) -> tuple[list[str], str]:
    """Every text of a workbook, and its sheets as they are stored."""
    book = ZipFile(BytesIO(xlsx))
    texts = re.findall(r"<t[^>]*>([^<]*)</t>", book.read("xl/sharedStrings.xml").decode())
    sheets = "".join(book.read(name).decode() for name in book.namelist() if "worksheets/sheet" in name)
    return [unescape(text) for text in texts], sheets


def test_the_first_page_reads_the_conclusion_and_there_is_no_annex_without_need():
    (first,) = pages(as_pdf(report("DWPRD")))

    assert "One limit is broken, new this week. Worst is DATA on DWPRD at 120 MB against <100" in first
    assert "week 26, 22–28 June 2026 · all 1 target" in first
    assert "As known on Monday 29 June 2026, 07:00 UTC." in first


@pytest.mark.parametrize("name", ["N", "N" * 80])
def test_the_summary_stays_on_one_page_and_the_annex_lists_everything(name: str):
    made = report(*[f"{index}{name}"[:80] for index in range(3)], count=60)

    first, *annex = pages(as_pdf(made))

    assert "Not collected" in first
    assert "of them in the annex" in first
    assert "All violations" in annex[0]
    assert all(f"T{number:03}" in " ".join(annex) for number in range(60))


def test_a_quiet_week_keeps_the_form_on_one_page():
    scripted.instance()

    (first,) = pages(as_pdf(compose_weekly_report(Week(MONDAY), NEXT_MORNING)))

    assert "Nothing broke its limit." in first
    assert "Every target was read on every night." in first


def test_a_page_drawn_by_poppler_is_not_empty(tmp_path: Path):
    program = shutil.which("pdftoppm")
    if program is None:
        warnings.warn("pdftoppm is not installed: the pages were not drawn by a second program", stacklevel=1)
        pytest.skip("pdftoppm is not installed")
    (tmp_path / "report.pdf").write_bytes(as_pdf(report("DWPRD")))

    subprocess.run([program, "-r", "50", tmp_path / "report.pdf", tmp_path / "page"], check=True, timeout=60)

    (page,) = tmp_path.glob("page*.ppm")
    assert len(set(page.read_bytes()[100:])) > 20


def test_names_in_any_writing_reach_the_paper_and_what_no_font_has_is_a_box_with_a_note():
    made = pages(as_pdf(report(*HARD)))

    text = " ".join(made)
    assert "face" in text
    assert "right" in text
    assert "□ fire" in text
    assert "stands for a character that the fonts of this paper do not have" in text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("plain − ≤ … “é”", "plain − ≤ … “é”"),
        ("שלום", "שלום"),
        ("🔥中", BOX * 2),
        ("a\u202eb\x07c\ud800", "abc"),
        ("e\u0301", "é"),
    ],
)
def test_what_cannot_be_drawn_is_a_box_and_what_steers_is_left_out(text: str, printed: str):
    assert make_legible(text) == printed


def test_every_character_said_to_be_drawable_is():
    all_of_them = make_legible("".join(map(chr, sorted(_drawable()))))
    made = report("DWPRD")
    made.content["sentences"] = [all_of_them]

    assert as_pdf(made).startswith(b"%PDF")


def test_a_formula_in_a_name_is_text_in_the_workbook():
    texts, sheets = cells(as_xlsx(report(*EVIL)))

    assert "<f>" not in sheets
    assert "hyperlink" not in sheets
    assert all(name in texts or name.strip() in texts for name in EVIL)


def test_the_workbook_has_figures_as_numbers_and_days_as_days():
    _, sheets = cells(as_xlsx(report("DWPRD")))

    assert "<v>120</v>" in sheets
    assert f"<v>{(MONDAY - date(1899, 12, 30)).days}</v>" in sheets


def test_names_are_escaped_in_the_page_and_in_its_drawings():
    page = as_html(report(*EVIL))

    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_drawing_escapes_the_names_it_shows():
    (chart, *_) = report("<script>", "b").facts.charts

    assert "<script" not in with_styles(draw(chart))


def test_the_text_is_complete_and_has_the_state_in_words_first():
    target = scripted.instance("DWPRD")
    foreseen(limit(target, owner=person()), SUNDAY, date(2026, 7, 28))

    text = as_text(compose_weekly_report(Week(MONDAY), NEXT_MORNING))

    assert "- at risk: DWPRD, DATA\n  80 MB on 28 Jun against <100, around 28 Jul, slack 0 d\n" in text
    assert max(len(line) for line in text.splitlines()) <= 90


def test_a_chart_for_the_mail_is_a_picture():
    (chart, *_) = report("DWPRD").facts.charts

    assert chart_png(chart).startswith(b"\x89PNG")


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_can_be_made_of_a_report_kept_before_it_had_all_its_parts(form: str):
    old: dict[str, Any] = {
        "sentences": ["Nothing broke its limit."],
        "new": [],
        "continuing": [],
        "resolved": [],
        "predicted": [],
        "not_collected": [],
        "targets": 3,
    }
    report = WeeklyReport(week="2026-W26", composed_at=NEXT_MORNING, content=old)

    assert FORMATS[form].make(report)
    assert file_name(report, form).startswith("headroom-2026-W26.")


@pytest.mark.parametrize("form", ["html", "pdf", "text", "xlsx"])
def test_O7_a_figure_that_is_the_mean_of_several_days_says_so_in_every_form(form: str):
    scripted.prepare()
    target = scripted.instance("DWPRD")
    story = scripted.Story(target)
    story.day(MONDAY - timedelta(days=3), redo=80, calls=1)
    story.read.add(story.slots(MONDAY)[0])  # nobody read at its beginning, nor on the two days before
    story.day(MONDAY, redo=240, calls=1)
    (threshold,) = add_threshold("x_redo", "<50", target=target, now=night_after(date(2026, 1, 1)))
    opened(threshold, MONDAY, component="", value=80.0)

    made = compose_weekly_report(Week(MONDAY), NEXT_MORNING)

    (item,) = made.facts.new
    assert item.note == "spans 3 days, quoted per day"
    text = {
        "html": lambda: as_html(made),
        "pdf": lambda: " ".join(pages(as_pdf(made))),
        "text": lambda: " ".join(as_text(made).split()),
        "xlsx": lambda: " ".join(cells(as_xlsx(made))[0]),
    }[form]()
    assert "spans 3 days, quoted per day" in " ".join(text.split())
