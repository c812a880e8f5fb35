"""True headroom: sizes, what they lie on, and what is left, on the page and in its file."""

from apps.catalog.details import Detail, details_of
from apps.inventory.models import Target
from apps.web.tests.truth.figures import say_figure
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.product import Linked, Product

TABLE = "true-headroom"
DUST = 1e-6  # GB
LEFT = {"free there (GB)": 5, "over-commit (times)": 6, "true headroom (GB)": 7}


def read_true_headroom(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """The true headroom of each tablespace of a target; used, size and ceiling are figures of its day."""
    for detail in details_of(target.platform):
        address = f"/targets/{target.pk}/reports/{detail.key}?on={day}&days=30"
        if detail.room is None or (table := product.tables(address).get(TABLE)) is None:
            continue
        rows = product.rows(address, TABLE)
        ledger.claim(
            len(table.rows) == min(len(rows), 50), f"{address} shows {len(table.rows)} of {len(rows)} rows"
        )
        for line, row in zip(table.rows, rows, strict=False):
            name = row["tablespace"].removeprefix("'")
            ledger.claim(line[0].text == name, f"{address}: {line[0].text} is {name} in its file")
            _say_sizes(
                ledger,
                address,
                detail,
                Linked(target.name, "", name, row["day"]),
                [cell.text for cell in line],
                row,
            )
            for head, at in LEFT.items():
                _say_left(
                    ledger,
                    address,
                    StatedFact(target.name, "", name, row["day"], head),
                    line[at].text,
                    row[head],
                )
            _claim_least(ledger, address, row)


def _say_sizes(
    ledger: Ledger, address: str, detail: Detail, of: Linked, texts: list[str], row: dict[str, str]
) -> None:
    assert detail.room is not None
    keys = {"used (GB)": detail.room.used, "size (GB)": detail.room.size, "ceiling (GB)": detail.room.most}
    for at, (head, metric) in enumerate(keys.items(), 1):
        figure = of._replace(metric=metric)
        say_figure(ledger, f"{address}, CSV", figure, of.day, exact=row[head], unit="GB")
        say_figure(ledger, address, figure, of.day, text=texts[at], unit="GB")


def _say_left(ledger: Ledger, address: str, fact: StatedFact, text: str, exact: str) -> None:
    if exact:
        ledger.say(fact, f"{address}, CSV", float(exact))
        ledger.say(fact, address, text=text.removeprefix("≥ ").rpartition(" to ")[2])
    else:
        ledger.claim(text == "No data", f"{fact}: {text} at {address}, nothing in its file")


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
