"""How limited figures stand, wherever it is said: state, days, chance, slack, owner; and how many there are."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from apps.charts import figures
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.thresholds.models import Threshold, Violation
from apps.web.pages.risks.risk_board import PAGE
from apps.web.tests.truth.counts import count_states
from apps.web.tests.truth.html import Cell, by_head, pairs_of
from apps.web.tests.truth.ledger import Ledger, StatedFact
from apps.web.tests.truth.product import Product, workbook_day

IN_WORDS = "chance in words"
NONE = "none"  # of a day, a chance or a slack that there is not
DAYS = ("soonest", "likely", "latest", "act by")
NO_DAY = ("", "–", "later")
MAY_LACK = ("chance", "slack", *DAYS)
Limited = tuple[str, str, str, str]  # target, statistic, component, which figure of it

_CASE = re.compile(r"/violations/(\d+)$")
LIMIT = re.compile(r"/thresholds/(\d+)$")
_FORECAST = re.compile(r"/targets/(\d+)/statistics/([^/]+)/forecast$")


def limited_of(links: Iterable[str]) -> Limited | None:
    """The limited figure that a row leads to: its case, its forecast or its limit."""
    for link in links:
        address = urlsplit(link)
        if match := _CASE.match(address.path):
            case = Violation.objects.select_related("target").get(pk=match[1])
            return case.target.name, case.metric, case.component, str(case.figure)
        if match := _FORECAST.match(address.path):
            component = dict(parse_qsl(address.query)).get("component", "")
            return Target.objects.get(pk=match[1]).name, match[2], component, str(Threshold.FigureOf.VALUE)
    return None


def fact_of(of: Limited, aspect: str, day: str = "") -> StatedFact:
    target, metric, component, figure = of
    return StatedFact(target, metric if figure == "value" else f"{metric} ({figure})", component, day, aspect)


def say(
    ledger: Ledger, place: str, of: Limited, aspect: str, *, exact: Any = None, text: str | None = None
) -> None:
    """One aspect of an outlook, from a file, a command or a cell; a chance is told in words or exactly."""
    if aspect == "chance" and exact in (None, ""):
        ledger.say(
            fact_of(of, IN_WORDS),
            place,
            NONE if not text or text in NO_DAY else text.replace(figures.SPACE, " "),
        )
        return
    if isinstance(exact, str) and exact:
        if aspect in DAYS or aspect == "since":
            exact = date.fromisoformat(exact)
        elif aspect in ("chance", "slack", "to act", "days", "now"):
            exact = float(exact)
        elif aspect == "state":
            exact = exact.replace("_", " ")
    if aspect in MAY_LACK and exact in (None, "") and (text in NO_DAY or _is_beyond(aspect, text)):
        ledger.say(fact_of(of, aspect), place, exact=NONE)
    elif exact not in (None, "") or text:
        ledger.say(fact_of(of, aspect), place, exact if exact != "" else None, text)


def _is_beyond(aspect: str, text: str | None) -> bool:
    """Whether a slack is told as more than the horizon has days: no day is foreseen."""
    return aspect == "slack" and (text or "").startswith(">")


def _text(cell: Cell | None) -> str:
    return "" if cell is None else cell.text


def without_year(text: str) -> str:
    """A day without its year, which some pages write beyond the year's end."""
    return re.sub(r"(\d+ [A-Z][a-z]{2}) 20\d\d\b", r"\1", text)


# ── lists of risks ────────────────────────────────────────────────────────────────────────────────────────────────────

IN_PAGES = {
    "chance": "chance",
    "soonest": "soonest",
    "likely": "likely",
    "latest": "latest",
    "act by": "act by",
    "slack": "slack",
}
IN_FILES = {
    "state": "state", "chance": "chance", "soonest": "soonest", "likely": "likely", "latest": "latest", "act by": "act by",
    "slack in days": "slack", "slack, days": "slack", "days to act": "to act", "owner": "owner", "now": "now", "value": "now",
}  # fmt: skip


def read_risks(product: Product, ledger: Ledger) -> list[Limited | None]:
    """The risk board, its file and its workbook."""
    in_file = product.rows("/risks", "risks")
    pages = ["/risks", *(f"/risks?page={number}" for number in range(2, 1 + -(-len(in_file) // PAGE)))]
    rows: list[tuple[str, dict[str, Cell]]] = []
    for address in pages:
        table = product.tables(address)["risks"]
        rows += [(address, by_head(table, line)) for line in table.rows]
    ledger.claim(len(rows) == len(in_file), f"/risks shows {len(rows)} rows, its file has {len(in_file)}")
    book = product.rows("/risks", "risks", "xlsx")
    ledger.claim(len(rows) == len(book), f"/risks shows {len(rows)} rows, its workbook {len(book)}")
    limited: list[Limited | None] = []
    for (address, cells), row, in_book in zip(rows, in_file, book, strict=True):
        links = cells["what runs out"].links
        of = limited_of(links) or _of_limit(links, row["target"], row["statistic"], row["component"])
        limited.append(of)
        if of is None:
            continue
        ledger.claim(
            of[:3] == (row["target"], row["statistic"], row["component"]),
            f"row of {of} is of {row['statistic']} in the file",
        )
        _say_row(ledger, address, of, cells)
        _say_file(ledger, f"{address}, CSV", of, row)
        _say_file(ledger, f"{address}, XLSX", of, {
            head: workbook_day(text) if IN_FILES.get(head) in DAYS else text for head, text in in_book.items()
        })  # fmt: skip
    return limited


def _of_limit(links: Iterable[str], target: str, metric: str, component: str) -> Limited | None:
    """What leads to its limit alone: the figure, or the figure under that limit where lists speak of another one."""
    for link in links:
        if match := LIMIT.match(link):
            threshold = Threshold.objects.get(pk=match[1])
            of = target, metric, component, str(threshold.figure)
            is_other = limit_of(of) not in (None, threshold.pk)
            return (*of[:3], f"{of[3]} under {threshold.notation}") if is_other else of
    return None


def limit_of(of: Limited) -> int | None:
    """The limit that lists speak of first: that of the case, else of the forecast, of a figure."""
    conditions = {"target__name": of[0], "metric": of[1], "component": of[2], "figure": of[3]}
    case = Violation.objects.live().filter(**conditions).first()
    made = case or Forecast.objects.of_last_review().filter(**conditions).first()
    return made.threshold_id if made is not None else None


def _say_row(ledger: Ledger, place: str, of: Limited, cells: Mapping[str, Cell]) -> None:
    say(ledger, place, of, "state", exact=cells["state"].state)
    for head, aspect in IN_PAGES.items():
        if head in cells:
            is_note = "colspan" in cells[head].attrs  # why there are no days
            say(ledger, place, of, aspect, text="" if is_note else cells[head].text)
    if lead := re.fullmatch(r"(\d+) d", _text(cells.get("to act"))):
        say(ledger, place, of, "to act", exact=lead[1])


def _say_file(ledger: Ledger, place: str, of: Limited, row: Mapping[str, str]) -> None:
    for head, aspect in IN_FILES.items():
        if head in row:
            text = row[head]
            if aspect == "chance" and "%" in text:
                say(ledger, place, of, aspect, text=text)
            elif aspect in MAY_LACK and not text:
                say(ledger, place, of, aspect, text="")
            else:
                say(ledger, place, of, aspect, exact=text)


def read_estate(product: Product, ledger: Ledger) -> None:
    """What runs out first, on the page and in its file."""
    table = product.tables("/")["risk-list"]
    rows = product.rows("/", "risk-list")
    ledger.claim(len(table.rows) <= len(rows), f"/ shows {len(table.rows)} risks, its file has {len(rows)}")
    for line, row in zip(table.rows, rows, strict=False):
        cells = by_head(table, line)
        of = limited_of(cells["what runs out"].links)
        if of is not None:
            ledger.claim(of[0] == row["target"], f"row of {of} in / is of {row['target']} in its file")
            _say_row(ledger, "/", of, cells)
            _say_file(ledger, "/, CSV", of, row)


# ── cases ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_violations(product: Product, ledger: Ledger) -> None:
    """All violations, and those of each target: pages and files; and each case file."""
    _read_list(product, ledger, "/violations")
    for target in Target.objects.in_estate():
        _read_list(product, ledger, f"/targets/{target.pk}/violations")
    for case in Violation.objects.live().filter(target__retired_at=None).select_related("target"):
        address = f"/violations/{case.pk}"
        of = limited_of([address])
        assert of is not None
        facts = pairs_of(product.page(address))
        say(ledger, address, of, "state", exact=facts["state"].partition(",")[0].strip())
        if number := re.match(r"[^a-z%]+", facts["now"]):
            say(ledger, address, of, "now", text=number[0].strip().split(" ")[0])
        owner = facts["owner"]
        say(ledger, address, of, "owner", exact="" if owner == "nobody yet" else owner)
        for head, aspect in (("soonest · likely · latest", "likely"), ("act by", "act by")):
            if head in facts:
                say(ledger, address, of, aspect, text=without_year(facts[head]))


def _read_list(product: Product, ledger: Ledger, address: str) -> None:
    table = product.tables(address).get("violations")
    if table is None:
        return
    rows = product.rows(address, "violations")
    ledger.claim(
        len(rows) == len(table.rows), f"{address} shows {len(table.rows)} rows, its file has {len(rows)}"
    )
    states = []
    for line, row in zip(table.rows, rows, strict=True):
        cells = by_head(table, line)
        of = limited_of(cells["what"].links)
        assert of is not None
        say(ledger, address, of, "state", exact=cells["state"].state)
        say(ledger, address, of, "now", text=cells["value"].text.replace("–", ""))
        say(ledger, address, of, "days of case", exact=cells["days"].text)
        say(ledger, address, of, "since", exact=cells["since"].sorts_as)
        say(ledger, address, of, "severity", exact=cells["severity"].text)
        for head, aspect in (
            ("state", "state"),
            ("value", "now"),
            ("days", "days of case"),
            ("since", "since"),
            ("severity", "severity"),
            ("owner", "owner"),
        ):
            say(ledger, f"{address}, CSV", of, aspect, exact=row[head])
        states.append(row["state"])
    if address == "/violations":
        count_states(ledger, f"{address}, rows", states)


# ── of one target ─────────────────────────────────────────────────────────────────────────────────────────────────────


def read_target(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """The forecasts of a target, what the command prints of its profile, and how its statistics stand."""
    address = f"/targets/{target.pk}/forecast"
    if table := product.tables(address).get("outlooks"):
        rows = product.rows(address, "outlooks")
        ledger.claim(
            len(rows) == len(table.rows), f"{address} shows {len(table.rows)} rows, its file {len(rows)}"
        )
        for line, row in zip(table.rows, rows, strict=True):
            cells = by_head(table, line)
            of = (target.name, row["statistic"], row["component"], "value")
            say(ledger, address, of, "state", exact=cells["state"].state)
            say(ledger, address, of, "now", text=cells["now"].text.replace("–", ""))
            _say_row(ledger, address, of, cells)
            _say_file(ledger, f"{address}, CSV", of, row)
    looked = product.command("profile", target.name)
    if looked["day"] != day:
        return
    place = f"profile {target.name} --json"
    for row in looked["rows"]:
        if outlook := row["outlook"]:
            of = (target.name, row["statistic"], row["component"], "value")
            say_json(ledger, place, of, outlook)
    for row in product.rows(f"/targets/{target.pk}", "profile"):
        of = (target.name, row["statistic"], row["component"], "value")
        if row["threshold"] and row["state"]:
            say(ledger, f"/targets/{target.pk}, CSV", of, "state of profile", exact=row["state"])


def say_json(ledger: Ledger, place: str, of: Limited, outlook: Mapping[str, Any]) -> None:
    keys = {
        "state": "state", "chance": "chance", "soonest_on": "soonest", "likely_on": "likely", "latest_on": "latest",
        "act_by": "act by", "slack_days": "slack", "lead_time_days": "to act", "owner": "owner",
    }  # fmt: skip
    for key in keys.keys() & outlook.keys():
        aspect, value = keys[key], outlook[key]
        if aspect in MAY_LACK and value is None:
            say(ledger, place, of, aspect, text="")
        else:
            say(ledger, place, of, aspect, exact=value)


def read_standing(product: Product, ledger: Ledger, of: Limited, target: Target) -> None:
    """What a statistic's own pages say of how it stands."""
    query = urlencode({"component": of[2]}) if of[2] else ""
    address = f"/targets/{target.pk}/statistics/{of[1]}?{query}"
    facts = pairs_of(product.page(address))
    if "state" in facts:
        word = "closing" if facts["state"].startswith("closing") else facts["state"]
        say(ledger, address, of, "state", exact=word)
        for aspect in MAY_LACK:
            say(ledger, address, of, aspect, text=facts.get(aspect, ""))


def read_checked(product: Product, ledger: Ledger, name: str) -> None:
    """What the command that judges says of the cases that go on."""
    for checked in product.command("check_thresholds", "--target", name):
        for case in checked["continued"]:
            of = (name, case["statistic"], case["component"], case["figure"])
            place = f"check_thresholds --target {name} --json"
            say(ledger, place, of, "now", exact=case["value"])
            say(ledger, place, of, "severity", exact=case["severity"])
            say(ledger, place, of, "since", exact=case["opened_on"])


# ── identities ────────────────────────────────────────────────────────────────────────────────────────────────────────


def claim_chances(ledger: Ledger) -> None:
    """A chance in words is the rounding of the exact one, as far as the history that it is of can tell."""
    made = {
        (
            forecast.target.name,
            forecast.metric,
            forecast.component,
            str(forecast.figure),
        ): forecast.least_chance
        for forecast in Forecast.objects.of_last_review().select_related("target")
    }
    for of, least in made.items():
        chance, words = ledger.value(fact_of(of, "chance")), ledger.value(fact_of(of, IN_WORDS))
        if isinstance(chance, float) and words is not None:
            text = figures.chance(chance, least).replace(figures.SPACE, " ")
            ledger.claim(words == text, f"{of}: its chance {chance} is told as {words}, not {text}")


def claim_order(ledger: Ledger) -> None:
    """soonest ≤ likely ≤ latest, and act by = likely − days to act, of whatever has them."""
    for fact in [likely for likely in ledger.sayings if likely.aspect == "likely"]:
        soonest, likely, latest, act_by, lead = (
            ledger.value(fact._replace(aspect=aspect))
            for aspect in ("soonest", "likely", "latest", "act by", "to act")
        )
        if not isinstance(likely, date):
            continue
        if isinstance(soonest, date):
            ledger.claim(soonest <= likely, f"{fact}: soonest {soonest} is after {likely}")
        if isinstance(latest, date):
            ledger.claim(likely <= latest, f"{fact}: latest {latest} is before {likely}")
        if isinstance(act_by, date) and isinstance(lead, float):
            ledger.claim(
                act_by == likely - timedelta(days=lead),
                f"{fact}: act by {act_by} is not {likely} less {lead} days",
            )
