"""Every limited figure of the estate in one list, most urgent first; also those without a forecast, with the reason."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.collection.unread_targets import unread_targets
from apps.inventory.models import Target
from apps.outlook.counts import Counts
from apps.outlook.outlooks import outlooks_of, read_owners
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.web.cells import drawing, link, marked
from apps.web.risk_rows import (
    WIDTHS,
    Risk,
    bar_column,
    day_columns,
    lead_columns,
    line_of,
    owner_columns,
    slack_column,
    state_column,
    target_column,
)
from apps.web.sentences import Part, are_over, count
from apps.web.tables import Column, FigureColumn, RowHead, Table

PAGE = 100


def entries(targets: QuerySet[Target], now: datetime) -> list[Risk]:
    """Every limited figure of the targets, the most urgent first. The number of queries does not depend on how many."""
    outlooks = outlooks_of(
        targets, now, unread_targets([target.pk for target in targets], now), is_whole=True
    )
    read_owners(outlooks)
    return [line_of(outlook, now.date()) for outlook in outlooks]


def chosen(entries: Sequence[Risk], query: Mapping[str, str]) -> list[Risk]:
    """The entries that the filters of an address leave: kind, group, owner, state, and words."""
    words = query.get("q", "").casefold()

    def fits(entry: Risk) -> bool:
        outlook = entry.outlook
        return (
            query.get("kind", "") in ("", entry.kind)
            and query.get("group", "") in ("", entry.group)
            and query.get("owner", "") in ("", outlook.owner)
            and query.get("state", "") in ("", str(outlook.state))
            and words in f"{outlook.target.name} {outlook.what} {outlook.metric} {outlook.owner}".casefold()
        )

    return [entry for entry in entries if fits(entry)]


def choices(entries: Sequence[Risk], query: Mapping[str, str]) -> list[dict[str, object]]:
    """What the list can be filtered by, from what is in it."""
    options = {
        "kind": sorted({entry.kind for entry in entries}),
        "group": sorted({entry.group for entry in entries if entry.group}),
        "owner": sorted({entry.outlook.owner for entry in entries if entry.outlook.owner}),
    }
    made: list[dict[str, object]] = [
        {"name": name, "value": query.get(name, ""), "options": [(value, value) for value in values]}
        for name, values in options.items()
        if values
    ]
    states = [(str(state), str(state).replace("_", " ")) for state in WORST_FIRST]
    return [*made, {"name": "state", "value": query.get("state", ""), "options": states}]


def sentence_of(entries: Sequence[Risk], is_filtered: bool) -> list[Part]:
    """How many are over, how many are foreseen and must be acted on now, and which is next."""
    if not entries:
        if is_filtered:
            return [Part("No limited figure fits this filter", True), Part(".")]
        return [Part("No figure is under a limit yet", True), Part(": a limit gives it a day to run out.")]
    outlooks = [entry.outlook for entry in entries]
    counts = Counts.of(outlooks)
    over = f"{figures.whole(counts.over)} of {figures.whole(len(entries))} limited figures"
    parts = [Part(f"{over} {are_over(counts.over)}", True)]
    parts += [Part(f"; {rest}") for rest in counts.rest_when_over]
    coming = [
        outlook
        for outlook in outlooks
        if outlook.state is FigureState.AT_RISK and outlook.likely_on is not None
    ]
    late = sum((outlook.slack or 0) < 0 for outlook in coming)
    if late:
        parts.append(Part(f", {count(late, 'of them', 'of them')} too late to act in time"))
    if not coming:
        return [*parts, Part(".")]
    first = min(coming, key=lambda outlook: outlook.slack or 0)
    when = figures.long_day(first.likely_on, first.day)
    return [
        *parts,
        Part(f". Least slack: {first.what} on {first.target.name}, around "),
        Part(when, True),
        Part("."),
    ]


def _bar_css(row: Risk) -> str:
    return "bar-cell" if _is_without_days(row) else "bar-cell drawn"


def _bar(row: Risk) -> SafeString:
    return marked("bar-note", row.note) if _is_without_days(row) else drawing(row.bar_svg)


def _is_without_days(row: Risk) -> bool:
    return not row.outlook.is_foreseen and row.state is FigureState.NO_DATA


def risk_table(today: date) -> Table[Risk]:
    """Every limited figure, with bars below the months from today on; files say more of each."""
    return Table(
        "risks",
        "Every limited figure, worst first",
        (
            state_column(),
            target_column(),
            Column("group", lambda row: row.group, in_file_only=True),
            Column("kind", lambda row: row.kind, in_file_only=True),
            RowHead("what runs out", show=lambda row: link(row.url, row.what)),
            Column("statistic", lambda row: row.outlook.metric, in_file_only=True),
            Column("component", lambda row: row.outlook.component, in_file_only=True),
            FigureColumn(
"room left", show=lambda row: row.room, order=lambda row: row.outlook.room_percent, css=lambda row: row.room_css, label=""),
            Column("now", lambda row: row.outlook.value, in_file_only=True),
            Column("unit", lambda row: row.outlook.unit, in_file_only=True),
            Column("limit", lambda row: row.outlook.notation, in_file_only=True),
            bar_column(today, _bar, _bar_css, lambda row: 4 if _is_without_days(row) else 1),
            *day_columns(),
            *lead_columns(),
            slack_column("slack in days", lambda row: row.slack),
            *owner_columns("reason"),
        ),
        title="Every limited figure",
        css="tall folds risk-list",
        columns_css=WIDTHS,
        opens_rows=True,
        file_order=(
            "state", "target", "group", "kind", "statistic", "component", "now", "unit", "limit", "chance", "soonest",
            "likely", "latest", "days to act", "slack in days", "owner", "plan", "reason",
        ),
    )  # fmt: skip
