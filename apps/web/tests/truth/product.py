"""The pages, files and commands of an estate, opened once each."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from io import BytesIO, StringIO
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree
from zipfile import ZipFile

from django.core.management import call_command
from django.test import Client

from apps.charts import figures
from apps.inventory.models import Target
from apps.web.tests.truth.html import PageTable, tables_in

_OF_STATISTIC = re.compile(r"/targets/(\d+)/statistics/([^/?]+)")
_TABLES = re.compile(r'data-tools-of="([^"]+)"')
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
REMEMBERED = 16  # pages
_EPOCH = date(1899, 12, 30)  # of days in workbooks


@dataclass
class Product:
    """Somebody who opens everything, and counts what was opened."""

    client: Client
    opened: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    listed: dict[str, list[str]] = field(
        default_factory=dict
    )  # of each page the tables that can be had as files
    pages: dict[str, str] = field(
        default_factory=dict
    )  # the newest ones, for whoever asks them something else

    def page(self, address: str) -> str:
        if address not in self.pages:
            if len(self.pages) >= REMEMBERED:
                del self.pages[next(iter(self.pages))]
            self.pages[address] = self._get(address).decode()
            self.listed[address] = _TABLES.findall(self.pages[address])
        return self.pages[address]

    def tables(self, address: str) -> dict[str, PageTable]:
        """The tables of a page by their ids."""
        return tables_in(self.page(address))

    def rows(self, address: str, key: str, kind: str = "csv") -> list[dict[str, str]]:
        """A table of a page as a file: its rows by their heads."""
        joined = "&" if "?" in address else "?"
        content = self._file(f"{address}{joined}format={kind}&table={key}")
        return csv_rows(content) if kind == "csv" else workbook_rows(content)[0]

    def file(self, address: str) -> bytes:
        return self._get(address)

    def _file(self, address: str) -> bytes:
        if address not in self.files:
            self.files[address] = self._get(address)
        return self.files[address]

    def command(self, *words: str) -> Any:
        """What a command prints with --json."""
        return json.loads(self.written(*words, "--json"))

    def written(self, *words: str) -> str:
        """What a command prints."""
        out = StringIO()
        call_command(*words, stdout=out)
        self.opened.append(f"manage.py {' '.join(words)}")
        return out.getvalue()

    def _get(self, address: str) -> bytes:
        answer = self.client.get(address)
        assert answer.status_code == 200, f"{address} answers {answer.status_code}"
        self.opened.append(address)
        return bytes(answer.getvalue())


def csv_rows(content: bytes) -> list[dict[str, str]]:
    heads, *rows = csv.reader(StringIO(content.decode("utf-8-sig")))
    unlike = [head if head not in heads[:at] else f"{head} {at}" for at, head in enumerate(heads)]
    return [dict(zip(unlike, row, strict=True)) for row in rows]


def workbook_rows(content: bytes) -> list[list[dict[str, str]]]:
    """The sheets of a workbook as rows by their heads; days stay the numbers that workbooks write."""
    with ZipFile(BytesIO(content)) as book:
        texts = []
        if "xl/sharedStrings.xml" in book.namelist():
            shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            texts = ["".join(text.itertext()) for text in shared.iter(f"{_SHEET}si")]
        names = sorted(
            (name for name in book.namelist() if name.startswith("xl/worksheets/sheet")),
            key=lambda name: int(re.sub(r"\D", "", name)),
        )
        return [_sheet_rows(ElementTree.fromstring(book.read(name)), texts) for name in names]


def _sheet_rows(sheet: ElementTree.Element, texts: list[str]) -> list[dict[str, str]]:
    read = []
    for row in sheet.iter(f"{_SHEET}row"):
        cells = {}
        for cell in row.iter(f"{_SHEET}c"):
            value = cell.find(f"{_SHEET}v")
            text = "" if value is None or value.text is None else value.text
            column = re.sub(r"\d", "", cell.attrib["r"])
            cells[column] = texts[int(text)] if cell.attrib.get("t") == "s" else text
        read.append(cells)
    heads, *rows = read
    return [{head: cells.get(column, "") for column, head in heads.items()} for cells in rows]


def workbook_day(text: str) -> str:
    """The ISO day of a number of a workbook."""
    return (_EPOCH + timedelta(days=int(float(text)))).isoformat() if text else ""


def workbook_moment(text: str) -> datetime:
    """The moment of a number of a workbook."""
    return datetime.combine(_EPOCH, time()) + timedelta(days=float(text))


# ── what addresses and heads say ──────────────────────────────────────────────────────────────────────────────────────


@lru_cache
def target_names() -> Mapping[int, str]:
    return dict(Target.objects.values_list("pk", "name"))


class Linked(NamedTuple):
    """What the address of a statistic is of."""

    target: str
    metric: str
    component: str
    day: str


def linked(links: list[str]) -> Linked | None:
    """The statistic that a cell leads to."""
    for link in links:
        address = urlsplit(link)
        if match := _OF_STATISTIC.match(address.path):
            query = dict(parse_qsl(address.query, keep_blank_values=True))
            return Linked(
                target_names()[int(match[1])], match[2].removesuffix(".csv"),
                query.get("component", ""), query.get("on", ""),
            )  # fmt: skip
    return None


def iso_of(head: str, until: date) -> str:
    """The last day until one that is written so: "24 Aug*"."""
    words = head.rstrip("*").replace("\u00a0", " ").strip()
    return _short_days(until).get(words, "")


@lru_cache(maxsize=64)
def _short_days(until: date) -> Mapping[str, str]:
    days = (until - timedelta(days=back) for back in range(364, -1, -1))
    return {figures.short_day(day).replace("\u00a0", " "): day.isoformat() for day in days}


def days_before(until: str, number: int) -> Iterator[str]:
    """So many days up to one, newest first, ISO."""
    last = date.fromisoformat(until)
    for back in range(number):
        yield (last - timedelta(days=back)).isoformat()
