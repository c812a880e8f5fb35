"""Figures of stretches of days, and the weekly report in all its forms."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import isclose
from typing import Any

import pypdfium2

from apps.catalog.registry import get_metric
from apps.catalog.units import convert, parse_unit
from apps.charts import figures
from apps.inventory.models import Target
from apps.reports.facts import GROUPS
from apps.web.tests.truth.html import pairs_of
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.outlooks import limited_of
from apps.web.tests.truth.product import Linked, Product, days_before, linked, workbook_day, workbook_rows

SUMS = 1e-6  # what parts and wholes may differ by, relative: files hold twelve digits


# ── comparisons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def read_comparison(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """This week against the one before: page, file, and the days that the means are of."""
    address = f"/targets/{target.pk}/compare?on={day}&verdict=all&rows=statistics"
    table = product.tables(address).get("compared")
    if table is None:
        return
    weeks = {"earlier": list(days_before(day, 14))[7:], "later": list(days_before(day, 7))}
    keys: dict[tuple[str, str, str], Linked] = {}
    for cells in table.rows:
        named = next(cell for cell in cells if cell.is_head)
        of = linked(named.links)
        assert of is not None
        at = cells.index(named)
        keys[cells[at + 1].text, get_metric(of.metric).label, of.component] = of
        for number, days in enumerate(weeks.values()):
            mean = cells[at + 3 + number]
            if mean.sorts_as:
                _say(ledger, address, of, days, "mean", exact=float(mean.sorts_as), text=mean.text)
    for row in product.rows(address, "compared"):
        of_row = keys.get((row["section"], row["statistic"], row["component"]))
        if of_row is None:  # beyond what the page shows
            continue
        for when, days in weeks.items():
            place = f"{address}, CSV"
            _say(ledger, place, of_row, days, "days", exact=float(row[f"{when} days"]))
            for what in ("mean", "spread"):
                text = row[f"{when} {what}"]
                if re.match(r"-?\d", text):
                    _say(ledger, place, of_row, days, what, exact=float(text))
            _claim_mean(ledger, of_row, days, row[f"{when} days"], row[f"{when} mean"])


def _say(
    ledger: Ledger,
    place: str,
    of: Linked,
    days: list[str],
    what: str,
    *,
    exact: float | None = None,
    text: str | None = None,
) -> None:
    fact = StatedFact(of.target, of.metric, of.component, f"{days[-1]} to {days[0]}", what)
    ledger.say(fact, place, exact, text)


def _claim_mean(ledger: Ledger, of: Linked, days: list[str], counted: str, mean: str) -> None:
    """The mean of a week of which every day counts is that of the days, wherever these were read."""
    values = [ledger.value(StatedFact(of.target, of.metric, of.component, day, "figure")) for day in days]
    numbers = [value for value in values if isinstance(value, float)]
    if counted == "7" == str(len(numbers)) and re.match(r"-?\d", mean):
        is_mean = isclose(sum(numbers) / 7, float(mean), rel_tol=SUMS, abs_tol=1e-9)
        ledger.claim(
            is_mean, f"{of}: mean of {days[-1]} to {days[0]} is {sum(numbers) / 7}, compared as {mean}"
        )


# ── parts and wholes ──────────────────────────────────────────────────────────────────────────────────────────────────

WHOLES = {
    "ts_size_mb": ("ts_used_mb", "ts_free_mb"),
    "host_cpu_busy_pct": ("host_cpu_user_pct", "host_cpu_sys_pct", "host_cpu_steal_pct"),
}
OF_DATABASE = {"db_size_gb": "ts_size_mb", "db_filled_gb": "ts_used_mb"}  # with the online logs
LOGS = "redo_log_total_bytes"


def _in_bytes(ledger: Ledger, fact: StatedFact) -> float | None:
    """A figure in bytes, or in its own unit where it is no size."""
    value, unit = ledger.value(fact), get_metric(fact.statistic).display_unit
    if not isinstance(value, float):
        return None
    return convert(value, unit, "bytes") if parse_unit(unit).dimension == "information" else value


def claim_wholes(ledger: Ledger) -> None:
    """What parts add up to, on every day that was read anywhere."""
    totals: dict[tuple[str, str, str], float] = defaultdict(float)
    for fact in list(ledger.sayings):
        if fact.aspect == "figure" and fact.statistic in WHOLES:
            parts = [_in_bytes(ledger, fact._replace(statistic=part)) for part in WHOLES[fact.statistic]]
            _claim_sum(ledger, fact, parts)
        if fact.aspect == "figure" and fact.statistic in OF_DATABASE.values():
            totals[fact.target, fact.day, fact.statistic] += _in_bytes(ledger, fact) or 0.0
    for (target, day, part), total in totals.items():
        for whole, of in OF_DATABASE.items():
            logs = _in_bytes(ledger, StatedFact(target, LOGS, "", day, "figure"))
            if part == of:
                _claim_sum(ledger, StatedFact(target, whole, "", day, "figure"), [total, logs])


def _claim_sum(ledger: Ledger, fact: StatedFact, parts: list[float | None]) -> None:
    whole = _in_bytes(ledger, fact) if fact in ledger.sayings else None
    numbers = [part for part in parts if part is not None]
    if whole is not None and len(numbers) == len(parts):
        is_sum = isclose(sum(numbers), whole, rel_tol=SUMS, abs_tol=SUMS)
        ledger.claim(is_sum, f"{fact}: {' + '.join(map(str, numbers))} is not {whole}")


# ── the treemap ───────────────────────────────────────────────────────────────────────────────────────────────────────

ROLES = {"allocated": "db_size_gb", "used": "db_filled_gb"}
GB = 1024**3


def read_sizes(product: Product, ledger: Ledger, days: Mapping[str, str]) -> None:
    """The sizes of instances: treemap, the table beside it and its file are the figures of the last day."""
    html = product.page("/")
    links = re.findall(r'<a href="(/targets/\d+)" aria-label="([^"]+)"', html)
    label_of = {label.partition(",")[0]: label for _, label in links}
    table = product.tables("/").get("size-list")
    for line, row in zip(table.rows if table else [], product.rows("/", "size-list"), strict=True):
        for at, (head, metric) in enumerate(ROLES.items()):
            fact = StatedFact(row["target"], metric, "", days[row["target"]], "figure")
            value = float(row[f"{head}, bytes"])
            ledger.say(fact, "/, sizes, CSV", value / GB, unit="GB")
            cell_text = line[3 + at].text
            text = figures.bytes_text(value).replace(figures.SPACE, " ")
            ledger.claim(cell_text == text, f"{fact}: “{cell_text}” in the table of /, {text} in its file")
            label = label_of.get(row["target"], "").replace(figures.SPACE, " ")
            filled = float(row["used, bytes"]) / float(row["allocated, bytes"])
            drawn_as = text if head == "allocated" else f"{filled:.0%}".replace("%", " %")
            ledger.claim(
                not label or drawn_as in label,
                f"{fact}: “{label}” in the treemap of /, {drawn_as} in its file",
            )
    _claim_totals(product, ledger)


def _claim_totals(product: Product, ledger: Ledger) -> None:
    """The totals of the first page are the sums of its sizes."""
    rows = product.rows("/", "size-list")
    totals = pairs_of(product.page("/"))
    for name in ("allocated", "used", "growth a month"):
        sizes = [float(row[f"{name}, bytes"]) for row in rows if row[f"{name}, bytes"]]
        text = figures.bytes_text(sum(sizes)).replace(figures.SPACE, " ")
        ledger.claim(
            not sizes or totals[name].removeprefix("+").startswith(text),
            f"/: {name} is {totals.get(name)} in all, the sizes are {text}",
        )


# ── the weekly report ─────────────────────────────────────────────────────────────────────────────────────────────────

IN_WORKBOOK = {
    "state": "life", "severity": "severity", "figure": "now", "slack, days": "slack", "over since": "since",
    "likely on": "likely", "soonest on": "soonest", "act by": "act by", "broke at": "broke at", "broke on": "broke on",
}  # fmt: skip
IN_JSON = {
    "state": "life", "severity": "severity", "value": "now", "slack": "slack", "opened_on": "since",
    "likely_on": "likely", "soonest_on": "soonest", "act_by": "act by", "broke_at": "broke at", "broke_on": "broke on",
}  # fmt: skip
LEAST_NAMED = 12  # letters of a name that is cut
Items = list[tuple[str, dict[str, Any]]]
AS_DAYS = ("since", "likely", "soonest", "act by", "broke on")


def read_weekly(product: Product, ledger: Ledger) -> None:
    """The newest weekly report: its page and the five forms, row by row."""
    html = product.page("/weekly-report")
    links = {
        form: address.replace("&amp;", "&")
        for address, form in re.findall(r'href="(/weekly-report/(\w+)\?[^"]+)"', html)
    }
    report = json.loads(product.file(links["json"]))
    week = report["week"]
    items = [(kind, item) for kind, _ in GROUPS for item in report.get(kind, [])]
    cases = [limited_of([f"/violations/{item['violation']}"]) for _, item in items]

    def say(place: str, at: int, aspect: str, exact: object, text: str | None = None) -> None:
        target, metric, component, figure = cases[at]  # type: ignore[misc]
        statistic = metric if figure == "value" else f"{metric} ({figure})"
        value = str(exact) if isinstance(exact, str) else exact if exact is None else float(exact)  # type: ignore[arg-type]
        ledger.say(
            StatedFact(target, statistic, component, week, aspect),
            place,
            "none" if value in (None, "") else value,
            text,
        )

    for at, (_, item) in enumerate(items):
        for key, aspect in IN_JSON.items():
            say(links["json"], at, aspect, item.get(key))
    sheets = workbook_rows(product.file(links["xlsx"]))
    rows = sheets[1]
    ledger.claim(
        len(rows) == len(items), f"the workbook of {week} has {len(rows)} violations, its facts {len(items)}"
    )
    for at, row in enumerate(rows):
        for head, aspect in IN_WORKBOOK.items():
            text = row[head]
            is_number = aspect in ("now", "slack", "broke at") and text
            say(
                links["xlsx"],
                at,
                aspect,
                workbook_day(text) if aspect in AS_DAYS else float(text) if is_number else text,
            )
    _read_week_page(product, ledger, items, say)
    _claim_texts(product, ledger, links, items)


def read_weekly_command(product: Product, ledger: Ledger) -> None:
    """A report that is composed anew says of each violation what the newest one of its week said."""
    before = json.loads(product.file(_newest(product)))
    after = json.loads(product.written("weekly_report", "--week", before["week"], "--format", "json"))
    for kind, _ in GROUPS:
        ledger.claim(before.get(kind) == after.get(kind), f"weekly_report --format json differs in {kind}")


def _newest(product: Product) -> str:
    (address,) = re.findall(r'href="(/weekly-report/json\?[^"]+)"', product.page("/weekly-report"))
    return str(address).replace("&amp;", "&")


def _read_week_page(product: Product, ledger: Ledger, items: Items, say: Callable[..., None]) -> None:
    counted = pairs_of(product.page("/weekly-report"))
    for kind in ("new", "continuing", "predicted", "resolved"):
        rows = sum(state == kind for state, _ in items)
        ledger.claim(
            counted[kind] == str(rows), f"/weekly-report counts {counted[kind]} {kind}, its facts are {rows}"
        )
    table = product.tables("/weekly-report")["week-violations"]
    lines = [cells for cells in table.rows if any(limited_of(cell.links) for cell in cells)]
    ledger.claim(
        len(lines) == len(items), f"/weekly-report shows {len(lines)} violations, its facts are {len(items)}"
    )
    for at, (cells, (_, item)) in enumerate(zip(lines, items, strict=True)):
        named = next(cell for cell in cells if limited_of(cell.links))
        ledger.claim(
            str(item["violation"]) in named.links[0], f"/weekly-report: row {at} is of {named.links[0]}"
        )
        slack = cells[-3].text
        ledger.claim(
            slack == figures.slack(item["slack"]).replace(figures.SPACE, " "),
            f"/weekly-report: slack of {named.text} is {slack}, {item['slack']} in its facts",
        )
        value = cells[3].sorts_as or cells[3].text.replace(",", "").replace(figures.MINUS, "-")
        aspect = "now" if item.get("broke_at") is None else "broke at"
        say("/weekly-report", at, aspect, None if value in ("", figures.MISSING) else float(value))


def _claim_texts(product: Product, ledger: Ledger, links: Mapping[str, str], items: Items) -> None:
    """Text and PDF name every violation of the facts, with its figure and its limit."""
    text = product.file(links["text"]).decode()
    texts = {links["text"]: text, links["pdf"]: text_of_pdf(product.file(links["pdf"]))}
    claim_items(ledger, [item for _, item in items], texts)


def claim_items(ledger: Ledger, items: Iterable[Mapping[str, Any]], texts: Mapping[str, str]) -> None:
    """Each of these texts names each violation of a report, with its target, its figure and its limit."""
    joined = {place: _joined(text) for place, text in texts.items()}
    for item in items:
        value = item["broke_at"] if item.get("broke_at") is not None else item["value"]
        for place, words in joined.items():
            name = f"{item['what']} on {item['target']}"
            is_named = _joined(item["what"]) in words or _is_cut(item["what"], words)
            ledger.claim(is_named, f"{place} does not name {name}")
            for part in (item["target"], figures.figure(value), item["limit"]):
                ledger.claim(_joined(part) in words, f"{place} does not say {part} of {name}")


def text_of_pdf(content: bytes) -> str:
    """All that a person can read in a PDF."""
    document = pypdfium2.PdfDocument(content)
    return " ".join(page.get_textpage().get_text_bounded() for page in document)


def _is_cut(name: str, words: str) -> bool:
    """Whether a name stands there as far as its cell has room."""
    return any(_joined(name[:length]) + "…" in words for length in range(LEAST_NAMED, len(name)))


def _joined(text: str) -> str:
    """Without spaces and the hyphens at which paper breaks its lines."""
    return re.sub(r"[\s\u00a0\u00ad\ufffe-]+", "", text)
