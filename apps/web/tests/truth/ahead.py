"""What is foreseen, wherever it is said: the pages of forecasts and scenarios, their files, and the command."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from apps.forecasting.models import Scenario
from apps.inventory.models import Target
from apps.snapshots.models import Series
from apps.thresholds.models import Threshold
from apps.web.tests.truth.html import Cell, PageTable, by_head, sentence_of, text_after
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.outlooks import (
    LIMIT,
    Limited,
    fact_of,
    limit_of,
    say,
    say_json,
    without_year,
)  # fmt: skip
from apps.web.tests.truth.product import Product

EXPECTED = {
    "expected": "expected", "low 80 %": "low80", "high 80 %": "high80", "low 95 %": "low95", "high 95 %": "high95",
}  # fmt: skip
TRACK_RECORD = "track-record"
_LIKELY_DRAWN = re.compile(r"<text[^>]*outlook-when[^>]*>([^<]*)<")
IN_CROSSINGS = ("chance", "soonest", "likely", "latest", "slack", "act by")


def read_forecast(product: Product, ledger: Ledger, of: Limited, target: Target) -> None:
    """The page of a forecast, the file of its expected line, and what the command prints."""
    name, metric, component, _ = of
    address = f"/targets/{target.pk}/statistics/{metric}/forecast"
    address += f"?{urlencode({'component': component})}" if component else ""
    tables = product.tables(address)
    if "crossings" in tables:
        for cells in _rows(tables["crossings"]):
            _say_crossing(ledger, address, of, cells)
    words = ["--component", component] if component else []
    printed = product.command("forecast", name, metric, *words)
    place = f"forecast {name} {metric} {component} --json"
    for limit in printed["limits"]:
        if limit["id"] == limit_of(of) and limit["figure"] == of[3]:
            say_json(ledger, place, of, limit)
    if "expected" in tables:
        _say_expected(ledger, address, of, tables["expected"], printed["expected"])
    if "scenarios-move" in tables:
        read_moved(ledger, address, tables["scenarios-move"], within=90)


def _rows(table: PageTable) -> Iterator[dict[str, Cell]]:
    yield from (by_head(table, line) for line in table.rows)


def _say_crossing(ledger: Ledger, place: str, of: Limited, cells: Mapping[str, Cell]) -> None:
    limit = next((LIMIT.match(link) for link in cells["limit"].links if LIMIT.match(link)), None)
    if limit is None or int(limit[1]) != limit_of(of):
        return
    if Threshold.objects.get(pk=limit[1]).figure != of[3]:
        return
    for aspect in IN_CROSSINGS:
        say(ledger, place, of, aspect, text=without_year(cells[aspect].text) or "–")
    say(ledger, place, of, "severity", exact=cells["severity"].text)
    if lead := re.fullmatch(r"(\d+) d", cells["to act"].text):
        say(ledger, place, of, "to act", exact=lead[1])
    if over := re.fullmatch(r"violated since (.+)", cells["outcome"].text):
        ledger.say(fact_of(of, "since"), place, text=without_year(over[1]))


def _say_expected(
    ledger: Ledger, address: str, of: Limited, table: PageTable, printed: list[dict[str, Any]]
) -> None:
    """The expected line, day by day, as the page and the command have it."""
    ledger.claim(
        len(table.rows) == len(printed),
        f"{address} shows {len(table.rows)} days ahead, {len(printed)} are printed",
    )
    for line, point in zip(table.rows, printed, strict=False):
        for number, (head, key) in enumerate(EXPECTED.items(), 1):
            fact = StatedFact(of[0], of[1], of[2], point["day"], head)
            ledger.say(fact, address, text=line[number].text)
            ledger.say(fact, "forecast --json", point[key])
        bands = [point[key] for key in ("low95", "low80", "expected", "high80", "high95")]
        ledger.claim(bands == sorted(bands), f"{address}: the bands of {point['day']} are {bands}")


def read_glance(product: Product, ledger: Ledger, of: Limited, target: Target) -> None:
    """What opens below a row: its sentence is that of the statistic's page, and its drawing names the likely day."""
    page = f"/targets/{target.pk}/statistics/{of[1]}"
    query = f"?{urlencode({'component': of[2]})}" if of[2] else "?"
    glance = f"{page}/glance{query}"
    for address in (f"{page}{query}", glance):
        ledger.say(fact_of(of, "sentence"), address, sentence_of(product.page(address)))
    if likely := _LIKELY_DRAWN.search(product.page(glance)):
        say(ledger, glance, of, "likely", text=likely[1])


def read_track_record(product: Product, ledger: Ledger, of: Limited, target: Target) -> None:
    """How past forecasts fared: on the forecast, on the page that the statistic's own loads, and in its file."""
    page = f"/targets/{target.pk}/statistics/{of[1]}"
    query = f"?{urlencode({'component': of[2]})}" if of[2] else ""
    forecast, record = f"{page}/forecast{query}", f"{page}/record{query}"
    sentence = fact_of(of, "track record")
    ledger.say(sentence, record, sentence_of(product.page(record)))
    ledger.say(sentence, forecast, text_after(product.page(forecast), 'id="record"', "p"))
    for address in (forecast, record):
        if table := product.tables(address).get(TRACK_RECORD):
            for cells in table.rows:
                _say_recorded(ledger, address, of, [cell.text for cell in cells])
    if TRACK_RECORD in product.tables(record):
        for row in product.rows(record, TRACK_RECORD):
            texts = [" ".join(text.removeprefix("'").split()) for text in row.values()]
            _say_recorded(ledger, f"{record}, CSV", of, texts)


def _say_recorded(ledger: Ledger, place: str, of: Limited, texts: list[str]) -> None:
    """One forecast of the past, column by column; what is empty says nothing."""
    made, *parts = texts
    for number, text in enumerate(parts):
        if text not in ("", "–"):
            ledger.say(fact_of(of, f"track record, column {number}", made), place, text)


# ── scenarios ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_scenarios(product: Product, ledger: Ledger) -> None:
    """Every scenario by itself, and all of them side by side."""
    scenarios = list(Scenario.objects.order_by("pk"))
    ticked = urlencode([("with", scenario.pk) for scenario in scenarios])
    for address in (f"/what-if?{ticked}", *(f"/what-if/{scenario.pk}" for scenario in scenarios)):
        read_moved(ledger, address, product.tables(address)["scenarios-move"], within=180)


def read_trials(product: Product, ledger: Ledger) -> None:
    """The change of a scenario that has no other, tried by itself on each figure: it says what the scenario says."""
    for scenario in Scenario.objects.prefetch_related("changes__target"):
        changes = list(scenario.changes.all())
        if len(changes) != 1 or changes[0].target is None or changes[0].others or changes[0].decided_at:
            continue
        (change,) = changes
        question = {
            "target": change.target_id,
            "metric": change.metric,
            "change": change.change,
            "on": change.on,
        }
        address = f"/what-if/try?{urlencode(question | {'component': change.component})}"
        read_moved(
            ledger, address, product.tables(address)["scenarios-move"], within=180, called=scenario.name
        )


def read_moved(ledger: Ledger, place: str, table: PageTable, *, within: int, called: str = "") -> None:
    """What scenarios move: the day of each figure as decided so far, and with each; `called` is the scenario of a trial."""
    for line in table.rows:
        cells = by_head(table, line)
        match = next(match for link in cells["figure"].links if (match := LIMIT.match(link)))
        threshold = Threshold.objects.get(pk=match[1])
        component = _component_called(threshold, cells["figure"].text)
        of = (cells["target"].text, threshold.metric, component, str(threshold.figure))
        if int(match[1]) != limit_of(of):
            continue
        say(ledger, place, of, "now", text=cells["now"].text.partition(" ")[0])
        for head, cell in cells.items():
            if head == "as decided so far" or head.startswith("with "):
                scenario = f" with {called}" if called else f" {head}"
                _say_moved(ledger, place, of, "" if head.startswith("as") else scenario, cell, within)


def _component_called(threshold: Threshold, name: str) -> str:
    """The component whose row has this name; none of a statistic that has none."""
    components = Series.objects.filter(metric=threshold.metric).values_list("component", flat=True)
    return next(component for component in components if threshold.about.called(component) == name)


def _say_moved(ledger: Ledger, place: str, of: Limited, scenario: str, cell: Cell, within: int) -> None:
    """A cell such as “4 Dec slack −3 d, 71 %”."""
    text = without_year(cell.text)
    if text == "over already":
        ledger.say(fact_of(of, "state"), place, "violated")
        return
    parts = re.fullmatch(r"(.+?)(?:slack (\S+ d), )?([<>]? ?\d+ %)", text)
    if parts is None:
        return
    day, slack, chance = (part.strip() if part else "" for part in parts.groups())
    horizon = re.fullmatch(r"none within (\d+) d", day)
    reach = int(horizon[1]) if horizon else within
    ledger.say(fact_of(of, f"chance within {reach} d{scenario}"), place, chance)
    is_known = bool(scenario) or isinstance(ledger.value(fact_of(of, "likely")), date)
    if not horizon and is_known:  # what lists foresee within 90 days is foreseen within 180
        ledger.say(fact_of(of, f"likely{scenario}"), place, text=day)
        ledger.say(fact_of(of, f"slack{scenario}"), place, text=slack)
