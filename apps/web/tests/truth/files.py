"""Every table of every page as files: what CSV says, the workbook says too, row by row and cell by cell."""

import re
from datetime import datetime, timedelta
from math import isclose

from apps.web.tests.truth.addresses import name_of
from apps.web.tests.truth.ledger import DUST, Ledger
from apps.web.tests.truth.product import Product, workbook_day, workbook_moment

_DAY = re.compile(r"\d{4}-\d\d-\d\d$")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


def read_files(product: Product, ledger: Ledger) -> None:
    """The tables of one page of each kind, by the links to their files."""
    compared: set[tuple[str, str]] = set()
    for address in [page for page in dict.fromkeys(product.opened) if page.startswith("/")]:
        name = name_of(address)
        for key in product.listed.get(address, ()):
            if (name, key) not in compared:
                compared.add((name, key))
                _compare(product, ledger, address, key)


def _compare(product: Product, ledger: Ledger, address: str, key: str) -> None:
    rows, book = product.rows(address, key), product.rows(address, key, "xlsx")
    ledger.claim(
        len(rows) == len(book), f"{address}, {key}: {len(rows)} rows in CSV, {len(book)} in the workbook"
    )
    for row, in_book in zip(rows, book, strict=False):
        ledger.claim(row.keys() == in_book.keys(), f"{address}, {key}: {list(row)} in CSV, {list(in_book)}")
        for head in row.keys() & in_book.keys():
            is_same = _is_same(row[head], in_book[head])
            ledger.claim(
                is_same, f"{address}, {key}, {head}: {row[head]!r} in CSV, {in_book[head]!r} in the workbook"
            )


def _is_same(text: str, in_book: str) -> bool:
    if text == in_book or text.removeprefix("'") == in_book:
        return True
    if _DAY.match(text):
        return workbook_day(in_book) == text
    if _MOMENT.match(text):  # on the wall: workbooks know no zones
        moment = datetime.fromisoformat(text).replace(tzinfo=None)
        return abs(moment - workbook_moment(in_book)) < timedelta(seconds=1)
    try:
        return isclose(float(text), float(in_book), rel_tol=DUST)
    except ValueError:
        return False
