"""Every page as a German and a French reader see it: no number, month or weekday is left in the usual way of writing."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser

import pytest
from playwright.sync_api import APIRequestContext, BrowserContext, expect

from apps.charts.names import NAMES
from apps.web.tests.addresses import FILES, PAGES
from apps.web.tests.browser.estate import ABROAD, PLANNER

AS_SENT = {"weekly_report"}  # a document: the same for everybody who got it
ONESELF = {"person"}  # who looks at herself sees more of herself
MARKED = r"(?<![\w.,:-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w.]*\.\d)"
UNMARKED = r"(?<![\w.,:#-])\d{4,}(?![\w:.-])"  # a large number without marks, or a year
ENGLISH = NAMES["en"]
NAMED = rf"\b(?:{'|'.join((*ENGLISH.months, *ENGLISH.short_months, *ENGLISH.short_weekdays))})\b"  # a weekday by itself is a word
TOKEN = re.compile(f"{MARKED}|{UNMARKED}|{NAMED}")
NOT_A_FIGURE = re.compile(
    r"(19|20)\d\d"  # a year
    r"|1521|2484|1440|1800"  # ports, minutes and a limit, as they are typed
    r"|19\.24|8\.10|3\.8|12\.1"  # versions
)
WORDS = re.compile(  # of the interface, the notation of limits, and what people of the estate wrote
    r"May sign in|goes live in March|the Monday after|, <1\.5, >=95|peaked at 6\.1 ms|until June; the array is replaced in May"
)


class Written(HTMLParser):
    """What a page says: its texts, tooltips and names for the ear, without scripts, code and what is typed."""

    SKIPPED = frozenset({"script", "style", "code", "pre", "textarea", "option"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.within: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += [text for name, text in attrs if name in ("title", "aria-label") and text]
        if tag in self.SKIPPED:
            self.within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if not self.within and data.strip():
            self.said.append(data)


def left_alone(usual: str, abroad: str, locale: str) -> Iterator[str]:
    """Figures and names of a text that a reader abroad sees as everybody does."""
    names = NAMES[locale.partition("-")[0]]
    shared = {*names.months, *names.short_months, *names.weekdays, *names.short_weekdays}
    tokens = set(TOKEN.findall(WORDS.sub("", abroad)))
    for token in TOKEN.findall(WORDS.sub("", usual)):
        if token in tokens and token not in shared and not NOT_A_FIGURE.fullmatch(token):
            yield f"{token} in {abroad.strip()[:100]!r}"


@pytest.fixture(scope="package")
def asked_by(signed_in: Callable[[str], BrowserContext]) -> Callable[[str], APIRequestContext]:
    return lambda user: signed_in(user).request


@pytest.mark.parametrize("name", sorted(set(PAGES) - AS_SENT - ONESELF))
def test_every_figure_and_day_of_a_page_is_written_as_its_reader_does(
    name: str,
    asked_by: Callable[[str], APIRequestContext],
    addresses: dict[str, str],
    site: str,
):
    usual, *others = (
        Written(asked_by(user).get(site + addresses[name]).text()).said
        for user in (PLANNER, *ABROAD.values())
    )

    assert len(usual) > 10
    for locale, abroad in zip(ABROAD, others, strict=True):
        pairs = zip(usual, abroad, strict=True)
        assert [wrong for pair in pairs for wrong in left_alone(*pair, locale)] == [], locale


@pytest.mark.parametrize("report", ["waits", "workload", "redo", "memory", "io", "space", "segments", "host"])
def test_so_are_the_tabs_of_a_target(
    report: str,
    asked_by: Callable[[str], APIRequestContext],
    addresses: dict[str, str],
    site: str,
):
    address = re.sub(r"/reports/\w+", f"/reports/{report}", addresses["target_report"])
    usual, abroad = (
        Written(asked_by(user).get(site + address).text()).said for user in (PLANNER, ABROAD["fr-FR"])
    )

    assert [wrong for pair in zip(usual, abroad, strict=True) for wrong in left_alone(*pair, "fr-FR")] == []


def test_what_is_left_in_the_usual_way_is_found():
    assert list(left_alone("1,662.5 GB on 3 March", "1,662.5 GB on 3 March", "fr-FR")) == [
        "1,662.5 in '1,662.5 GB on 3 March'",
        "March in '1,662.5 GB on 3 March'",
    ]
    assert list(left_alone("1,662.5 GB on 3 April", "1.662,5 GB on 3. April", "de-DE")) == []


@pytest.mark.parametrize(("locale", "tick"), [("de-DE", r"^\d{1,2}\. "), ("fr-FR", r"^\d{1,2} ")])
def test_a_chart_names_its_days_and_figures_as_its_reader_does(
    locale: str,
    tick: str,
    signed_in: Callable[[str], BrowserContext],
    addresses: dict[str, str],
):
    page = signed_in(ABROAD[locale]).new_page()
    page.goto(addresses["statistic"].partition("?")[0] + "?days=90")
    expect(page.locator(".chart .xtick text").first).to_be_visible()

    names = "|".join(NAMES[locale[:2]].short_months)
    for text in page.locator(".chart .xtick text").all_text_contents():
        assert re.match(rf"{tick}(?:{names})", text), text
    page.close()


@pytest.mark.parametrize("locale", ABROAD)
def test_files_are_the_same_for_every_reader(
    locale: str,
    asked_by: Callable[[str], APIRequestContext],
    addresses: dict[str, str],
    site: str,
):
    for name in sorted(FILES & {"target_csv", "statistic_csv", "thresholds_export"}):
        usual, abroad = (
            asked_by(user).get(site + addresses[name]).text() for user in (PLANNER, ABROAD[locale])
        )
        assert abroad == usual, name
