"""How an instance was set up before its first reading: parameters as Statspack has them, and patches of the database."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from apps.collection.history.sources import PastFact
from apps.platforms.oracle import history_queries as statements
from apps.platforms.oracle import queries
from apps.platforms.oracle.history.statspack import StatspackSnapshot
from apps.platforms.oracle.read import Reader

PATCH, WITHOUT = "patch", "without "
SWITCHED_BY_ITSELF = frozenset({"resource_manager_plan"})  # by the windows of maintenance, each night
MOST_PARAMETERS = 200  # that went back to a value they had
_SIZES = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
InUtc = Callable[[datetime], datetime]


def read_parameters(reader: Reader, snapshots: Sequence[StatspackSnapshot]) -> list[PastFact]:
    """The parameters that changed between snapshots, each with its values. Raises the driver's errors."""
    taken_at = {snapshot.number: snapshot.taken_at for snapshot in snapshots}
    values = _values_by_name(reader, taken_at)
    as_displayed = _displays(reader)
    return [
        PastFact(taken_at[number], "parameter", name, as_displayed.get(name, str)(value))
        for name, by_number in values.items()
        for number, value in _changes(by_number)
    ]


def _values_by_name(reader: Reader, taken_at: Mapping[int, datetime]) -> dict[str, dict[int, str]]:
    """Of parameters that had several values: at which snapshots these began, or all snapshots where a value came back."""
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for name, value, first, last in reader.rows(statements.PARAMETER_VALUES):
        if name not in SWITCHED_BY_ITSELF:
            spans.setdefault(name, []).append((int(first), int(last), str(value or "")))
    several = {name: sorted(own) for name, own in spans.items() if len(own) > 1}
    back = [name for name, own in several.items() if any(a[1] > b[0] for a, b in pairwise(own))]
    values = {
        name: {first: value for first, _, value in own} for name, own in several.items() if name not in back
    }
    if back:
        for number, name, value in reader.rows(
            statements.PARAMETERS_BY_SNAPSHOT, sorted(back)[:MOST_PARAMETERS]
        ):
            values.setdefault(name, {})[int(number)] = str(value or "")
    return {
        name: {number: value for number, value in by_number.items() if number in taken_at}
        for name, by_number in values.items()
    }


def _changes(by_number: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """The snapshots at which a value is first seen, and seen again after another one."""
    former = None
    for number, value in sorted(by_number.items()):
        if value != former:
            yield number, value
        former = value


def _displays(reader: Reader) -> dict[str, Callable[[str], str]]:
    """How values are displayed, of parameters that are displayed in another way than they are kept: sizes, with K, M or G."""
    return {
        name: _size
        for name, value, display, _ in reader.rows(queries.PARAMETERS)
        if display and display != value and re.fullmatch(r"\d+[KMGT]?", str(display))
    }


def _size(value: str) -> str:
    amount = int(value) if value.isascii() and value.isdigit() else 0
    for letter, size in reversed(_SIZES.items()):
        if amount and amount % size == 0:
            return f"{amount // size}{letter}"
    return value


def read_patches(reader: Reader, in_utc: InUtc) -> list[PastFact]:
    """What was patched and taken back, as far as it succeeded. Raises the driver's errors."""
    facts: list[PastFact] = []
    named: set[str] = set()
    for moment, number, action, status, description in reader.rows(statements.PATCHES):
        if str(status or "").upper() not in ("SUCCESS", "WITH ERRORS") or moment is None:
            continue
        what, what_it_is_now = _patch(str(number), str(description or ""))
        since = in_utc(moment)
        if what not in named:
            facts.append(PastFact(since - timedelta(seconds=1), PATCH, what, ""))
        named.add(what)
        was_applied = str(action or "").upper() == "APPLY"
        facts.append(
            PastFact(since, PATCH, what, what_it_is_now if was_applied else f"{WITHOUT}{what_it_is_now}")
        )
    return facts


def is_applied(fact: PastFact) -> bool:
    """Whether a fact of a patch says that it was applied."""
    return bool(fact.value) and not fact.value.startswith(WITHOUT)


def _patch(number: str, description: str) -> tuple[str, str]:
    """What a patch is of, and its release: “Database Release Update : 19.22.0.0.240116 (35943157)”."""
    what, _, release = description.partition(":")
    if not release.strip():
        return f"patch {number}", description.strip() or number
    return what.strip(), release.strip()
