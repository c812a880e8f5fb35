"""Figures of days, wherever they are said."""

import re
from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode

from apps.catalog.details import Detail, Listing, details_of
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.web.tests.truth.html import Cell, PageTable, by_head
from apps.web.tests.truth.ledger import MISSING, Ledger, StatedFact
from apps.web.tests.truth.product import Linked, Product, csv_rows, iso_of, linked

HORIZONS = ("90", "30", "7")
COUNTERS = ("counters", "further")  # the statistics of a tab, a row each
REDUCED = {"p95": "p95", "max": "max", "busiest hour": "busy"}


def say_figure(
    ledger: Ledger, place: str, of: Linked, day: str, *,
    exact: str | float | None = None, text: str | None = None, unit: str = "", aspect: str = "figure",
) -> None:  # fmt: skip
    """One figure of a day, or the word for what is missing; text is what a file or a cell says."""
    plain = get_metric(of.metric).display_unit
    fact = StatedFact(of.target, of.metric, of.component, day, aspect)
    word = str(exact if exact not in (None, "") else text or "").lower().replace("_", " ")
    if word in MISSING:
        ledger.say(fact, place, exact=word)
    elif word in ("", "–"):
        return
    else:
        number = None if exact in (None, "") else float(exact)  # type: ignore[arg-type]
        ledger.say(fact, place, number, text, unit or plain, plain)


# ── profiles ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_profile(product: Product, ledger: Ledger, target: Target, day: str) -> list[Linked]:
    """The profile of a day: its page, its files, and what the command prints; the statistics that it shows."""
    address = f"/targets/{target.pk}?on={day}"
    table = product.tables(address).get("profile")
    if table is None:
        return []
    on = date.fromisoformat(day)
    anchors = [iso_of(_anchor_head(table, back), on) for back in HORIZONS]
    rows = []
    for cells in table.rows:
        named = next((cell for cell in cells if cell.is_head and linked(cell.links)), None)
        if named is None:
            continue
        of = linked(named.links)
        assert of is not None
        at = cells.index(named)
        unit = cells[at + 1].title.rpartition(", ")[2]
        for number, anchor in enumerate(anchors):
            cell = cells[at + 2 + 2 * number]
            _say_shown(ledger, address, of, _own_day(cell, on) or anchor, cell, unit)
            _say_change(ledger, address, of, f"{day} to {HORIZONS[number]}", cells[at + 3 + 2 * number].text)
        _say_shown(ledger, address, of, day, cells[at + 8], unit)
        rows.append(of)
    mine = [of for of in rows if of.target == target.name]
    for place, listed in (
        (f"/targets/{target.pk}.csv?on={day}", csv_rows(product.file(f"/targets/{target.pk}.csv?on={day}"))),
        (f"{address}, XLSX", product.rows(address, "profile", "xlsx")),
    ):
        ledger.claim(len(listed) == len(mine), f"{place} has {len(listed)} rows, its page {len(mine)}")
        for row in listed:
            of = Linked(target.name, row["statistic"], row["component"], day)
            for on_day, key in (
                *zip(anchors, ("minus_90", "minus_30", "minus_7"), strict=True),
                (day, "today"),
            ):
                say_figure(ledger, place, of, on_day, exact=row[key], unit=row["unit"])
    _read_command(product, ledger, target, day)
    return rows


def _anchor_head(table: PageTable, back: str) -> str:
    """The day below "−90", as it is written there."""
    heads = [
        head.removeprefix(f"−{back}")
        for head in table.heads
        if head.startswith(f"−{back}") and "Δ" not in head
    ]
    return heads[0] if heads else ""


def _own_day(cell: Cell, until: date) -> str:
    """The day of a host's figure that is not the one at its head: "figures of dbx-dw01 are of 22 Oct, not 21 Oct"."""
    named = re.search(r"figures of \S+ are of (\d+\s\w+)", cell.title)
    return iso_of(named[1], until) if named else ""


def _say_shown(ledger: Ledger, place: str, of: Linked, day: str, cell: Cell, unit: str) -> None:
    aspect = "mean since start-up" if "mean since start-up" in cell.title else "figure"
    say_figure(ledger, place, of, day, text=cell.text, unit=unit, aspect=aspect)


def _say_change(ledger: Ledger, place: str, of: Linked, day: str, text: str) -> None:
    if text and text != "–":
        fact = StatedFact(of.target, of.metric, of.component, day, "change")
        ledger.say(fact, place, text=text.removesuffix("\u00a0pt").removesuffix(" pt"))


def _read_command(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    place = f"profile {target.name} --on {day} --json"
    for row in product.command("profile", target.name, "--on", day)["rows"]:
        of = Linked(target.name, row["statistic"], row["component"], day)
        today = row["today"] if row["today"] is not None else row["today_presence"].replace("_", " ")
        say_figure(ledger, place, of, day, exact=today, unit=row["unit"])
        for back in HORIZONS:
            cell = row[f"minus_{back}"]
            value = cell["value"] if cell["value"] is not None else cell["presence"].replace("_", " ")
            if cell["day"]:
                say_figure(ledger, place, of, cell["day"], exact=value, unit=row["unit"])
            change = cell.get("delta_points", cell.get("delta_percent"))
            if change is not None and cell["change"] is None:
                fact = StatedFact(of.target, of.metric, of.component, f"{day} to {back}", "change")
                ledger.say(fact, place, float(change))


# ── everything, and detail reports ────────────────────────────────────────────────────────────────────────────────────


def read_everything(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    address = f"/targets/{target.pk}/all?on={day}"
    for row in product.rows(address, "everything"):
        of = Linked(target.name, row["key"], row["component"], day)
        say_figure(ledger, f"{address}, CSV", of, day, exact=row["value"], unit=row["unit"])
    if table := product.tables(address).get("everything"):
        for cells in table.rows:
            of_row = linked(cells[1].links)
            assert of_row is not None
            value = cells[3]
            say_figure(
                ledger, address, of_row, day, exact=value.sorts_as, text=value.text, unit=cells[4].text
            )


def _word_of(note: str) -> str:
    """The word of a page for what a note of a file explains."""
    return next((word for word in MISSING if note.startswith(word)), "no data")


def read_details(product: Product, ledger: Ledger, target: Target, day: str, span: int) -> None:
    """Every detail report of a target: its tables, and their files."""
    for detail in details_of(target.platform):
        address = f"/targets/{target.pk}/reports/{detail.key}?{urlencode({'on': day, 'days': span})}"
        tables = product.tables(address)
        _read_by_day(ledger, address, tables, detail, day)
        if "statistics" in tables:
            for row in product.rows(address, "statistics"):
                of = Linked(row["target"], row["key"], "", row["day"])
                say_figure(
                    ledger,
                    f"{address}, CSV",
                    of,
                    row["day"],
                    exact=row["value"] or _word_of(row["note"]),
                    unit=row["unit"],
                )
        for listing in detail.listings:
            if f"{listing.key}-by-day" in tables:
                _read_listing(product, ledger, address, target, listing)


def _read_by_day(
    ledger: Ledger, address: str, tables: dict[str, PageTable], detail: Detail, day: str
) -> None:
    listings = {listing.key: listing for listing in detail.listings}
    until = date.fromisoformat(day)
    for key, table in tables.items():
        days = [iso_of(head, until) for head in table.heads]
        for cells in table.rows:
            named = next((cell for cell in cells if cell.is_head and linked(cell.links)), None)
            if named is None:
                continue
            of = linked(named.links)
            assert of is not None
            if key in listings:
                _say_listed(ledger, address, of, listings[key], table.heads, cells)
                continue
            unit = cells[cells.index(named) + 1].text
            for on, cell in zip(days, cells, strict=True):
                if on:
                    say_figure(ledger, address, of, on, text=cell.text, unit=unit)
            if key in COUNTERS:
                _say_counter(ledger, address, of, by_head(table, cells), unit)


def _say_counter(ledger: Ledger, address: str, of: Linked, cells: Mapping[str, Cell], unit: str) -> None:
    """What a row says beside its day: how it changed, and what was reduced within the day."""
    for back in HORIZONS:
        if change := cells.get(f"Δ −{back}"):
            _say_change(ledger, address, of, f"{of.day} to {back}", change.text)
    for head, reduction in REDUCED.items():
        if head in cells and cells[head].text != "–":
            reduced = of._replace(metric=f"{of.metric}:{reduction}")
            say_figure(ledger, address, reduced, of.day, text=cells[head].text, unit=unit)


def _say_listed(
    ledger: Ledger, address: str, of: Linked, listing: Listing, heads: list[str], cells: list[Cell]
) -> None:
    """Each figure in the unit of its head: "blocks read, M blocks/day"."""
    columns = listing.columns
    is_beside = of.metric != columns[0].metric
    last = len(columns)
    for number, (column, head, cell) in enumerate(zip(columns, heads[-last:], cells[-last:], strict=True)):
        if is_beside and number:
            continue
        cell_of = of if is_beside else Linked(of.target, column.metric, of.component, of.day)
        unit = head.rpartition(", ")[2] if head.startswith(f"{column.label}, ") else column.shown_in
        say_figure(ledger, address, cell_of, of.day, text=cell.text, unit=unit)


def _read_listing(product: Product, ledger: Ledger, address: str, target: Target, listing: Listing) -> None:
    whole_target = {get_metric(key).label: key for key in listing.whole_target}
    for key, columns in ((listing.key, listing.columns), (f"{listing.key}-by-day", listing.daily)):
        for row in product.rows(address, key):
            metric = whole_target.get(row[listing.noun])
            for number, column in enumerate(columns):
                if metric and number:
                    continue
                component = "" if metric else row[listing.noun].removeprefix("'")
                of = Linked(target.name, metric or column.metric, component, row["day"])
                value = row[f"{column.label} ({column.shown_in})"]
                say_figure(ledger, f"{address}, CSV {key}", of, row["day"], exact=value, unit=column.shown_in)


# ── statistics ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_statistic(product: Product, ledger: Ledger, target: Target, of: Linked, day: str, span: int) -> None:
    """One statistic over time: the table of its page, and the file of everything drawn."""
    query = urlencode({"component": of.component, "on": day, "days": span})
    address = f"/targets/{target.pk}/statistics/{of.metric}?{query}"
    if table := product.tables(address).get("figures"):
        for cells in table.rows:
            say_figure(ledger, address, of, cells[0].sorts_as, text=cells[1].text)
    file = f"/targets/{target.pk}/statistics/{of.metric}.csv?{query}"
    for row in csv_rows(product.file(file)):
        if row["presence"] != "forecast":
            word = row["presence"].replace("_", " ")
            say_figure(ledger, file, of, row["day"], exact=row["value"] or word, unit=row["unit"])
