"""Every table of every page can be sorted, filtered, copied and taken along, or has a reason why not."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser

import pytest
from playwright.sync_api import APIRequestContext, BrowserContext

from apps.web.tests.addresses import PAGES
from apps.web.tests.browser.conftest import Opened
from apps.web.tests.browser.estate import PLANNER

REPORTS = ("waits", "workload", "redo", "memory", "io", "space", "segments", "host")
WITHOUT = {
    "Sources of this reading": "within a row of a table that has tools",
    "Steps of the test": "an answer to a form, kept nowhere",
    "Instances of the list": "a form: what was typed, with boxes to tick",
    "Processors of": "a part of a report, which is taken along whole",
    "Waits of session": "within a row of a table that has tools",
}
NO_FILE = {"sessions"}  # shown once and stored nowhere


class Tables(HTMLParser):
    """The tables of a page: caption, id and classes; whose tools are there, their files, and every id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[dict[str, str]] = []
        self.tools: dict[str, list[str]] = {}
        self.ids: list[str] = []
        self.is_caption = False
        self.key = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.ids += [attributes["id"]] if attributes.get("id") else []
        if tag == "table":
            self.tables.append(
                {"id": attributes.get("id", ""), "class": attributes.get("class", ""), "caption": ""}
            )
        elif tag == "caption":
            self.is_caption = True
        elif "data-tools-of" in attributes:
            self.key = attributes["data-tools-of"]
            self.tools[self.key] = []
        elif (
            tag == "a"
            and "download" in attributes
            and "class" in attributes
            and "tool" in attributes["class"].split()
        ):
            self.tools[self.key].append(attributes["href"])

    def handle_endtag(self, tag: str) -> None:
        self.is_caption = self.is_caption and tag != "caption"

    def handle_data(self, data: str) -> None:
        if self.is_caption:
            self.tables[-1]["caption"] += data


def lacking(tables: Tables) -> Iterator[str]:
    """What is missing of a page's tables."""
    for table in tables.tables:
        if any(table["caption"].startswith(caption) for caption in WITHOUT):
            continue
        name = table["id"] or table["caption"]
        if not table["id"] or table["id"] not in tables.tools:
            yield f"{name} has no tools"
        elif len(tables.tools[table["id"]]) != 2 and table["id"] not in NO_FILE:
            yield f"{name} is no file"
        if "sorts" not in table["class"].split():
            yield f"{name} is not sorted"
    yield from (
        f"{key} is twice on the page" for key in {key for key in tables.ids if tables.ids.count(key) > 1}
    )


@pytest.fixture(scope="package")
def requests(signed_in: Callable[[str], BrowserContext]) -> APIRequestContext:
    return signed_in(PLANNER).request


@pytest.mark.parametrize("name", [*PAGES, *(f"target_report:{report}" for report in REPORTS)])
def test_every_table_has_its_tools_and_files(
    name: str,
    requests: APIRequestContext,
    opened: dict[str, Opened],
    site: str,
):
    name, _, report = name.partition(":")
    text = opened[name].text
    if report:
        address = re.sub(r"/reports/\w+", f"/reports/{report}", opened[name].address)
        text = requests.get(site + address).text()
    tables = Tables(text)

    assert list(lacking(tables)) == []
    for key, files in tables.tools.items():
        for file in files:
            answer = requests.get(site + file)
            assert answer.ok, file
            assert "attachment" in answer.headers["content-disposition"], file
            if "csv" in file:
                rows = list(csv.reader(io.StringIO(answer.text())))
                assert len(rows) > 1 or key == "profile", file
                assert {len(row) for row in rows} == {len(rows[0])}, file


def test_a_table_without_tools_is_found():
    page = Tables('<table class="grid"><caption>Days</caption></table><p id="a"></p><p id="a"></p>')

    assert list(lacking(page)) == ["Days has no tools", "Days is not sorted", "a is twice on the page"]
