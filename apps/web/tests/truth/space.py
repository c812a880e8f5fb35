"""Room of tablespaces: sizes, what they lie on, and what is left, on the page and in its file."""

from collections.abc import Mapping

from apps.catalog.details import Detail, details_of
from apps.inventory.models import Target
from apps.web.tests.truth.figures import say_figure
from apps.web.tests.truth.html import Cell, by_head
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.outlooks import Limited, say
from apps.web.tests.truth.product import Linked, Product

TABLE = "true-headroom"
DUST = 1e-6  # GB
LEFT = "true headroom (GB)"
IN_FILE = ("free there (GB)", "over-commit (times)", LEFT)


def read_true_headroom(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """The room of each tablespace of a target; used, size and ceiling are figures of its day, the day it is full a forecast."""
    for detail in details_of(target.platform):
        address = f"/targets/{target.pk}/reports/{detail.key}?on={day}&days=30"
        if detail.room is None or (table := product.tables(address).get(TABLE)) is None:
            continue
        rows = product.rows(address, TABLE)
        ledger.claim(
            len(table.rows) == min(len(rows), 50), f"{address} shows {len(table.rows)} of {len(rows)} rows"
        )
        for line, row in zip(table.rows, rows, strict=False):
            cells, name = by_head(table, line), row["tablespace"].removeprefix("'")
            named = cells["tablespace"].text
            ledger.claim(named == name, f"{address}: {named} is {name} in its file")
            of = Linked(target.name, "", name, row["day"])
            _say_sizes(ledger, address, detail, of, cells["used"].text, row)
            for head in IN_FILE:
                if row[head]:
                    ledger.say(
                        StatedFact(target.name, "", name, row["day"], head),
                        f"{address}, CSV",
                        float(row[head]),
                    )
            fact = StatedFact(target.name, "", name, row["day"], LEFT)
            _say_left(ledger, address, fact, cells["room left"].text, row)
            _say_full(ledger, address, (target.name, detail.room.used, name, "value"), cells, row)
            _claim_least(ledger, address, row)


def _say_sizes(
    ledger: Ledger, address: str, detail: Detail, of: Linked, used: str, row: dict[str, str]
) -> None:
    assert detail.room is not None
    keys = {"used (GB)": detail.room.used, "size (GB)": detail.room.size, "ceiling (GB)": detail.room.most}
    for head, metric in keys.items():
        say_figure(ledger, f"{address}, CSV", of._replace(metric=metric), of.day, exact=row[head], unit="GB")
    say_figure(ledger, address, of._replace(metric=detail.room.used), of.day, text=used, unit="GB")


def _say_left(ledger: Ledger, address: str, fact: StatedFact, text: str, row: dict[str, str]) -> None:
    if row[LEFT]:
        ledger.say(fact, address, text=text.rpartition(" to ")[2])
    else:
        ledger.claim(text == "No data", f"{fact}: {text} at {address}, nothing in its file")


def _say_full(
    ledger: Ledger, address: str, of: Limited, cells: Mapping[str, Cell], row: dict[str, str]
) -> None:
    """When it is likely full, and how it stands, where the last review forecast it."""
    if row["likely full"]:
        say(ledger, address, of, "likely", text=cells["likely full"].text)
        say(ledger, f"{address}, CSV", of, "likely", exact=row["likely full"])


def _claim_least(ledger: Ledger, address: str, row: dict[str, str]) -> None:
    """What is left is no more than what is left to the ceiling, nor than the unused and the free space together."""
    left, used, size, most, free = (
        float(row[head]) if row[head] else None
        for head in ("true headroom (GB)", "used (GB)", "size (GB)", "ceiling (GB)", "free there (GB)")
    )
    if left is None or used is None:
        return
    if most is not None:
        ledger.claim(left <= most - used + DUST, f"{address}: {row} has more room than its ceiling leaves")
    if size is not None and free is not None:
        ledger.claim(left <= size - used + free + DUST, f"{address}: {row} has more room than there is")
