"""Every limited figure of the estate in one list, most urgent first; also those without a forecast, with the reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from apps.charts import figures
from apps.collection.unread_targets import unread_targets
from apps.inventory.models import Target
from apps.outlook.counts import Counts
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import outlooks_of
from apps.reports.sheets import Cell
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.web.risk_rows import Risk, line_of
from apps.web.sentences import Part, are_over, count

PAGE = 100
HEADS = [
    "state", "target", "group", "kind", "statistic", "component", "now", "unit", "limit", "chance", "soonest", "likely",
    "latest", "days to act", "slack in days", "owner", "plan", "reason",
]  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One figure under a limit: its outlook, and its line."""

    outlook: Outlook
    line: Risk

    @property
    def kind(self) -> str:
        """What kind of resource it belongs to: the section of the profile."""
        return self.outlook.about.section.title or "Other"

    @property
    def group(self) -> str:
        group = self.outlook.target.group
        return group.name if group else ""


def entries(targets: QuerySet[Target], now: datetime) -> list[Entry]:
    """Every limited figure of the targets, the most urgent first. The number of queries does not depend on how many."""
    outlooks = outlooks_of(targets, now, unread_targets(targets, now), is_whole=True)
    return [Entry(outlook, line_of(outlook, now.date())) for outlook in outlooks]


def chosen(found: Sequence[Entry], given: Mapping[str, str]) -> list[Entry]:
    """The entries that the filters of an address leave: kind, group, owner, state, and words."""
    words = given.get("q", "").casefold()

    def fits(one: Entry) -> bool:
        outlook = one.outlook
        return (
            given.get("kind", "") in ("", one.kind)
            and given.get("group", "") in ("", one.group)
            and given.get("owner", "") in ("", outlook.owner)
            and given.get("state", "") in ("", str(outlook.state))
            and words in f"{outlook.target.name} {outlook.what} {outlook.metric} {outlook.owner}".casefold()
        )

    return [one for one in found if fits(one)]


def choices(found: Sequence[Entry], given: Mapping[str, str]) -> list[dict[str, object]]:
    """What the list can be filtered by, from what is in it."""
    options = {
        "kind": sorted({one.kind for one in found}),
        "group": sorted({one.group for one in found if one.group}),
        "owner": sorted({one.outlook.owner for one in found if one.outlook.owner}),
    }
    made: list[dict[str, object]] = [
        {"name": name, "value": given.get(name, ""), "options": [(value, value) for value in values]}
        for name, values in options.items()
        if values
    ]
    states = [(str(state), str(state).replace("_", " ")) for state in WORST_FIRST]
    return [*made, {"name": "state", "value": given.get("state", ""), "options": states}]


def sentence_of(found: Sequence[Entry], is_filtered: bool) -> list[Part]:
    """How many are over, how many are foreseen and must be acted on now, and which is next."""
    if not found:
        if is_filtered:
            return [Part("No limited figure fits this filter", True), Part(".")]
        return [Part("No figure is under a limit yet", True), Part(": a limit gives it a day to run out.")]
    outlooks = [one.outlook for one in found]
    counts = Counts.of(outlooks)
    over = f"{figures.whole(counts.over)} of {figures.whole(len(found))} limited figures"
    parts = [Part(f"{over} {are_over(counts.over)}", True)]
    parts += [Part(f"; {rest}") for rest in counts.rest_when_over]
    coming = [one for one in outlooks if one.state is FigureState.AT_RISK and one.likely_on is not None]
    late = sum((one.slack or 0) < 0 for one in coming)
    if late:
        parts.append(Part(f", {count(late, 'of them', 'of them')} too late to act in time"))
    if not coming:
        return [*parts, Part(".")]
    first = min(coming, key=lambda one: one.slack or 0)
    when = figures.long_day(first.likely_on, first.day)
    return [
        *parts,
        Part(f". Least slack: {first.what} on {first.target.name}, around "),
        Part(when, True),
        Part("."),
    ]


def rows_of(found: Sequence[Entry]) -> Iterator[list[Cell]]:
    """The same for a file, exact."""
    for entry in found:
        one = entry.outlook
        yield [
            str(one.state).replace("_", " "), one.target.name, entry.group, entry.kind, one.metric, one.component,
            one.value, one.unit, one.notation, one.chance, one.soonest_on, one.likely_on, one.latest_on, one.lead,
            one.slack, one.owner, one.plan, one.note,
        ]  # fmt: skip
