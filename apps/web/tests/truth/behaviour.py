"""How statistics behave: patterns over months, what moves together, rhythms of the week, and limits of a steady period."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from math import isclose
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.thresholds.models import Threshold
from apps.web.tests.truth.figures import say_figure
from apps.web.tests.truth.html import Cell, PageTable, by_head
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.product import Linked, Product, linked, target_names

SUMS = 1e-6  # what a mean and that of its days may differ by, relative: files hold twelve digits
MONTHS = 4
EVERY = 3  # of the limits whose dry run is read: it takes a while
_FIRED = re.compile(r"would have fired on (\d+) of the last 90 days; (\d+) of them could be judged")
_NUMBER = re.compile(r"-?\d")


# ── patterns over months ──────────────────────────────────────────────────────────────────────────────────────────────


def read_patterns(product: Product, ledger: Ledger, address: str, day: str) -> None:
    """The means of successive months: page, file, and the days that they are of."""
    address = f"{address}?on={day}&count={MONTHS}&pattern=all"
    table = product.tables(address).get("pattern")
    if table is None:
        return
    months = _months(date.fromisoformat(day))
    rows = product.rows(address, "pattern")
    ledger.claim(
        len(table.rows) <= len(rows), f"{address} shows {len(table.rows)} rows, its file {len(rows)}"
    )
    first = table.heads.index("unit") + 1
    for line, row in zip(table.rows, rows, strict=False):
        of = linked(next(cell for cell in line if linked(cell.links)).links)
        assert of is not None
        values = list(row.values())[7 : 7 + MONTHS]
        for month, cell, value in zip(months, line[first : first + MONTHS], values, strict=True):
            _say_mean(ledger, address, of, month, cell, value)
        word = by_head(table, line)["pattern"].text.removesuffix(", worse")
        fact = StatedFact(of.target, of.metric, of.component, f"{months[0][0]} to {day}", "pattern")
        ledger.say(fact, address, word)
        ledger.say(fact, f"{address}, CSV", row["pattern"])
        for head in ("change, %", "change, pt"):
            if _NUMBER.match(row[head]) and cell_text(line[-1]) not in ("new", "gone"):
                fact = fact._replace(aspect="change of the pattern")
                ledger.say(fact, address, text=cell_text(line[-1]).removesuffix(" pt"))
                ledger.say(fact, f"{address}, CSV", float(row[head]))


def cell_text(cell: Cell) -> str:
    return cell.text.replace("\u00a0", " ")


def _months(until: date) -> list[tuple[str, list[str]]]:
    """The last months, oldest first: each with its days, newest first; the last one ends on a day."""
    months: list[list[str]] = [[]]
    day = until
    while True:
        months[0].append(day.isoformat())
        before = day - timedelta(days=1)
        if before.month != day.month:
            if len(months) == MONTHS:
                break
            months.insert(0, [])
        day = before
    return [(f"{days[-1]} to {days[0]}", days) for days in months]


def _say_mean(
    ledger: Ledger, place: str, of: Linked, month: tuple[str, list[str]], cell: Cell, value: str
) -> None:
    fact = StatedFact(of.target, of.metric, of.component, month[0], "mean")
    if not _NUMBER.match(value):
        ledger.say(fact, place, cell.text.lower())
        ledger.say(fact, f"{place}, CSV", value)
        return
    ledger.say(fact, place, float(cell.sorts_as), cell.text)
    ledger.say(fact, f"{place}, CSV", float(value))
    days = [ledger.value(fact._replace(day=day, aspect="figure")) for day in month[1]]
    values = [day for day in days if isinstance(day, float)]
    counted = re.search(r"(\d+) days$", cell.title or "")
    if counted and int(counted[1]) == len(values) == len(days):
        is_mean = isclose(sum(values) / len(values), float(value), rel_tol=SUMS, abs_tol=1e-9)
        ledger.claim(is_mean, f"{fact}: {value} at {place}, its days have {sum(values) / len(values)}")


# ── what moves together ───────────────────────────────────────────────────────────────────────────────────────────────


class Pair(NamedTuple):
    """The two statistics that a page draws together."""

    first: Linked
    second: Linked
    address: str


def pair_of(links: Sequence[str]) -> Pair | None:
    for link in links:
        first = linked([link.replace("/together?", "?")])
        query = dict(parse_qsl(urlsplit(link).query))
        if first is not None and "with" in query:
            owner = target_names()[int(query["target"])]
            return Pair(first, Linked(owner, query["with"], query.get("of", ""), first.day), link)
    return None


def read_related(product: Product, ledger: Ledger, target: Target, of: Linked, day: str) -> list[Pair]:
    """What moves with a statistic and what is read beside it: page and files; the pairs that it leads to."""
    address = f"/targets/{target.pk}/statistics/{of.metric}/related?{urlencode({'component': of.component, 'on': day})}"
    tables = product.tables(address)
    pairs = []
    if table := tables.get("movers"):
        for line, row in zip(table.rows, product.rows(address, "movers"), strict=True):
            cells, pair = by_head(table, line), pair_of(line[0].links)
            assert pair is not None
            pairs.append(pair)
            fact = _rho(pair, row["follows after, days"])
            ledger.claim(
                pair.second[:3] == (row["target"], row["statistic"], row["component"]),
                f"{address}: a row of {pair.second} is of {row} in its file",
            )
            say_rho(ledger, f"{address}, CSV", fact, float(row["rho"]), row["days"])
            _say_shown_rho(ledger, address, fact, cells["ρ"].text, cells["days"].text)
    if table := tables.get("beside"):
        for line, row in zip(table.rows, product.rows(address, "beside"), strict=True):
            pair = pair_of(line[1].links)
            assert pair is not None
            pairs.append(pair)
            say_figure(ledger, f"{address}, CSV", pair.second, day, exact=row["that day"], unit=row["unit"])
            say_figure(ledger, address, pair.second, day, text=line[5].text, unit=row["unit"])
            for at, head in ((3, "30 days ago"), (4, "7 days ago")):
                before = StatedFact(*pair.second[:3], f"{head} from {day}", "figure")
                value = float(row[head]) if _NUMBER.match(row[head]) else row[head].replace("_", " ")
                ledger.say(before, f"{address}, CSV", value)
                ledger.say(before, address, text=line[at].text) if isinstance(value, float) else ledger.say(
                    before, address, line[at].text.lower()
                )
    return pairs


def _rho(pair: Pair, lag: str) -> StatedFact:
    first, second = pair.first, pair.second
    return StatedFact(
        first.target,
        first.metric,
        first.component,
        first.day,
        f"rho with {' '.join(second[:3])} after {lag} days",
    )


def say_rho(ledger: Ledger, place: str, fact: StatedFact, rho: float, days: str) -> None:
    ledger.say(fact._replace(aspect=f"days of {fact.aspect}"), place, float(days))
    text = f"{abs(rho):.2f}"
    sign = "" if text == "0.00" else "+" if rho > 0 else "−"
    ledger.say(fact, place, sign + text)


def _say_shown_rho(ledger: Ledger, place: str, fact: StatedFact, rho: str, days: str) -> None:
    ledger.say(fact._replace(aspect=f"days of {fact.aspect}"), place, float(days))
    ledger.say(fact, place, rho)


def read_pair(product: Product, ledger: Ledger, pair: Pair, day: str) -> None:
    """Two statistics drawn together: their figures by day, on the page and in its file, and how one follows the other."""
    tables = product.tables(pair.address)
    for row in product.rows(pair.address, "figures"):
        of = Linked(row["target"], row["statistic"], row["component"], row["day"])
        word = row["presence"].replace("_", " ")
        say_figure(
            ledger, f"{pair.address}, CSV", of, row["day"], exact=row["value"] or word, unit=row["unit"]
        )
    for line in tables["figures"].rows:
        for of, cell in zip((pair.first, pair.second), line[1:], strict=True):
            say_figure(ledger, pair.address, of, line[0].sorts_as, text=cell.text)
    for line in tables["by-lag"].rows:
        lag = re.match(r"\d+", line[0].text)
        if line[1].text != "–":
            fact = _rho(pair, lag[0] if lag else "0")._replace(day=day)
            _say_shown_rho(ledger, pair.address, fact, line[1].text, line[3].text)


# ── rhythms ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_rhythm(product: Product, ledger: Ledger, target: Target, of: Linked, day: str) -> None:
    """Medians by weekday and hour: the table, its file, and the sentence above."""
    query = urlencode({"component": of.component, "on": day})
    address = f"/targets/{target.pk}/statistics/{of.metric}/patterns?{query}"
    for key, table in product.tables(address).items():
        rows = product.rows(address, key)
        for line, row in zip(table.rows, rows, strict=True):
            for at, head in enumerate(("lower quarter", "median", "upper quarter"), 1):
                fact = StatedFact(of.target, of.metric, of.component, f"{key}, {row['when']}, to {day}", head)
                if row[head]:
                    ledger.say(fact, f"{address}, CSV", float(row[head]))
                    ledger.say(fact, address, text=line[at].text)
            if row["median"]:
                low, middle, high = (
                    float(row[head]) for head in ("lower quarter", "median", "upper quarter")
                )
                ledger.claim(low <= middle <= high, f"{address}: {row} is out of order")


# ── limits of a steady period ─────────────────────────────────────────────────────────────────────────────────────────


def read_baseline(product: Product, ledger: Ledger) -> None:
    """What a steady period suggests: how often each limit would have fired, as the preview of that limit says."""
    for baseline in Baseline.objects.select_related("target"):
        address = f"/targets/{baseline.target_id}/baseline"
        table = product.tables(address)["proposed"]
        for line in table.rows:
            _read_proposal(product, ledger, address, baseline.target, table, line)


def _read_proposal(
    product: Product, ledger: Ledger, address: str, target: Target, table: PageTable, line: list[Cell]
) -> None:
    cells = by_head(table, line)
    if not (key := cells["take"].fields.get("take")):
        return
    metric, _, component = key.partition("|")
    notation = cells["limit"].fields[f"limit:{key}"]
    fact = StatedFact(target.name, metric, component, "the last 90 days", f"days over {notation}")
    fired, _, judged = cells[next(head for head in cells if head.startswith("fired"))].text.partition(" of ")
    ledger.say(fact, address, float(fired))
    ledger.say(fact._replace(aspect="days judged"), address, float(judged))
    _read_preview(product, ledger, fact, _preview_of(target, metric, component, notation))


def _preview_of(target: Target, metric: str, component: str, notation: str) -> str:
    query = {"target": target.pk, "metric": metric, "component": component, "notation": notation}
    return f"/thresholds/preview?{urlencode(query)}"


def _read_preview(product: Product, ledger: Ledger, fact: StatedFact, address: str) -> None:
    counts = _FIRED.search(product.page(address))
    ledger.claim(counts is not None, f"{address} does not say how often it would have fired")
    if counts is not None:
        ledger.say(fact, address, float(counts[1]))
        ledger.say(fact._replace(aspect="days judged"), address, float(counts[2]))


def read_limits(product: Product, ledger: Ledger) -> None:
    """How often limits would have fired: on their own pages, and as the preview says before one is set."""
    for limit in Threshold.objects.in_force().exclude(target=None).select_related("target")[::EVERY]:
        address = f"/thresholds/{limit.pk}"
        if _FIRED.search(product.page(address)) and limit.figure == Threshold.FigureOf.VALUE:
            assert limit.target is not None
            fact = StatedFact(
                limit.target.name,
                limit.metric,
                limit.component,
                "the last 90 days without known peaks" if limit.leaves_out_peaks else "the last 90 days",
                f"days over {limit.notation}",
            )
            _read_preview(product, ledger, fact, address)
            _read_preview(
                product,
                ledger,
                fact,
                f"{_preview_of(limit.target, limit.metric, limit.component, limit.notation)}&leaves_out_peaks={limit.leaves_out_peaks}",
            )
