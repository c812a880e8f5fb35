"""How many figures stand how: in sentences, in the navigation, and as the rows of lists."""

import re
from collections.abc import Mapping, Sequence

from apps.charts import figures
from apps.charts.words import in_words
from apps.web.tests.truth.html import PageTable, by_head
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.product import Product, target_names

_NUMBERS = {word: number for number in range(1000) for word in (str(number), in_words(number))}
PART_OF_NAMES = "PRD"  # of the instances of the estate
_OVER = re.compile(r"(\w+)(?: of [\d,]+ limited)?(?: figures?)? (?:is|are) over (?:its|their) limit", re.I)
_INSIDE = re.compile(r"(\w+) (?:is|are) inside again", re.I)


def how_many(what: str) -> StatedFact:
    """The fact of how many figures, targets or limits of the estate are so."""
    return StatedFact("estate", "", "", "", f"how many are {what}")


def count_states(ledger: Ledger, place: str, states: Sequence[str]) -> None:
    for word in ("violated", "closing"):
        ledger.say(how_many(word), place, states.count(word))


def read_counts(product: Product, ledger: Ledger) -> None:
    """How many figures are over their limit, and how many closing: in sentences, the navigation and the rows of lists."""
    for address in ("/", "/risks", "/violations"):
        _read_first_line(ledger, address, product.page(address))
    _read_navigation(ledger, "/", product.page("/"))
    _read_targets(product, ledger)
    _read_limits(product, ledger)
    _read_open_days(product, ledger)
    _read_collection(product, ledger)


def _read_first_line(ledger: Ledger, address: str, html: str) -> None:
    heading = re.sub(r"<[^>]+>", "", html.partition("<h1")[2].partition("</h1>")[0])
    over, inside = _OVER.search(heading), _INSIDE.search(heading)
    place = f"{address}, first line"
    ledger.say(how_many("violated"), place, _NUMBERS[over[1].lower()] if over else 0)
    if over:
        ledger.say(how_many("closing"), place, _NUMBERS[inside[1].lower()] if inside else 0)


def _read_navigation(ledger: Ledger, address: str, html: str) -> None:
    place = f"{address}, navigation"
    counts = {
        name: (re.findall(r'menu-count"\s*>(\d+)', link) or ["0"])[0]
        for name, link in re.findall(r'data-place="(\w+)"(.*?)</a>', html, re.S)
    }
    ledger.say(how_many("violated"), place, int(counts["violations"]))
    ledger.say(how_many("targets"), place, int(counts["targets"]))
    ledger.say(how_many("failed"), place, int(counts["collection"]))


def _read_targets(product: Product, ledger: Ledger) -> None:
    """The list of targets, what is found of them, and the sizes beside the map: each target has one state."""
    rows, table = product.rows("/targets", "targets"), product.tables("/targets")["targets"]
    ledger.claim(len(rows) == len(table.rows), f"/targets shows {len(table.rows)} rows, its file {len(rows)}")
    ledger.say(how_many("targets"), "/targets, CSV", len(rows))
    ledger.say(how_many("violated"), "/targets, CSV", sum(int(row["violations"] or 0) for row in rows))
    _say_states(ledger, "/targets", table)
    _say_rows(ledger, "/targets, CSV", rows)
    if sizes := product.tables("/").get("size-list"):
        _say_states(ledger, "/, sizes", sizes)
        _say_rows(ledger, "/, sizes, CSV", product.rows("/", "size-list"))
    for row in rows:
        ledger.say(
            StatedFact(row["target"], "", "", "", "last read"), "/targets, CSV", row["last read"] or "never"
        )
    for pk, name in target_names().items():
        read_runs(product, ledger, name, f"/targets/{pk}/collection")
    address = f"/find?q={PART_OF_NAMES}"
    _say_states(ledger, address, product.tables(address)["targets"])


def read_runs(product: Product, ledger: Ledger, name: str, address: str) -> None:
    """The readings of a target, newest first: the page, its file, and when it was read last."""
    table = product.tables(address).get("runs")
    rows = product.rows(address, "runs") if table else []
    ledger.claim(len(rows) == len(table.rows if table else []), f"{address} has {len(rows)} rows in its file")
    for line, row in zip(table.rows if table else [], rows, strict=False):
        series = figures.figure(float(row["series"]))
        ledger.claim(
            line[3].text == series, f"{address}: {row['slot']} has {line[3].text} series, {row} in its file"
        )
    read = next((row["slot"] for row in rows if row["result"] in ("complete", "partial")), "never")
    ledger.say(StatedFact(name, "", "", "", "last read"), f"{address}, CSV", read)


def _say_states(ledger: Ledger, place: str, table: PageTable) -> None:
    for line in table.rows:
        cells = by_head(table, line)
        name = cells["target"].text.removesuffix(" demo")
        word = cells["state"].state.replace("_", " ") or "no limit"
        ledger.say(StatedFact(name, "", "", "", "state"), place, word)


def _say_rows(ledger: Ledger, place: str, rows: Sequence[Mapping[str, str]]) -> None:
    for row in rows:
        ledger.say(StatedFact(row["target"], "", "", "", "state"), place, row["state"] or "no limit")


def _read_limits(product: Product, ledger: Ledger) -> None:
    """The list of limits: what is over them, together."""
    rows, table = product.rows("/thresholds", "thresholds"), product.tables("/thresholds")["thresholds"]
    ledger.claim(len(rows) == len(table.rows), f"/thresholds shows {len(table.rows)}, its file {len(rows)}")
    for word, head in (("violated", "over"), ("closing", "closing")):
        ledger.say(how_many(word), "/thresholds, CSV", sum(int(row[head]) for row in rows))
    for line, row in zip(table.rows, rows, strict=True):
        state = by_head(table, line)["state"].state.replace("_", " ")
        ledger.claim(state == row["state"], f"/thresholds: {row} is {state} on the page")


def _read_open_days(product: Product, ledger: Ledger) -> None:
    """The violations open on the last day that was read: on the calendar, and as the list has them."""
    table, rows = product.tables("/")["open-by-day"], product.rows("/", "open-by-day")
    states = {line[0].sorts_as: line[1].text.lower() for line in table.rows}
    open_on = {row["day"]: row["violations open"] for row in rows}
    ledger.claim(states == open_on, f"/: open by day are {states}, {open_on} in the file")
    day, number = next(
        (row["day"], row["violations open"]) for row in reversed(rows) if row["violations open"].isdigit()
    )
    cases = product.rows("/violations", "violations")
    is_open = sum(case["state"] != "at risk" and case["since"] <= day for case in cases)
    ledger.claim(is_open == int(number), f"/: {number} are open on {day}, in /violations {is_open}")


def _read_collection(product: Product, ledger: Ledger) -> None:
    """What was not read: the rows of the page and of its file, the count of the navigation."""
    rows = product.rows("/collection", "readings")
    table = product.tables("/collection")["readings"]
    ledger.claim(len(rows) == len(table.rows), f"/collection shows {len(table.rows)}, its file {len(rows)}")
    ledger.say(how_many("targets"), "/collection, CSV", len(rows))
    not_read = [row["target"] for row in rows if row["last reading"] == "not read"]
    ledger.say(how_many("failed"), "/collection, CSV", len(not_read))
    for row in rows:
        ledger.say(
            StatedFact(row["target"], "", "", "", "last read"),
            "/collection, CSV",
            row["last success"] or "never",
        )
    heading = re.sub(r"<[^>]+>", "", product.page("/collection").partition("<h1")[2].partition("</h1>")[0])
    if counts := re.search(r"(\d+) of (\d+) targets were read", heading):
        ledger.say(how_many("failed"), "/collection, first line", int(counts[2]) - int(counts[1]))
    elif counts := re.search(r"All (\d+) targets were read", heading):
        ledger.say(how_many("failed"), "/collection, first line", 0)
