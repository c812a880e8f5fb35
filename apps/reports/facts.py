"""What a weekly report says, as plain facts that are kept with it: days as ISO text, values in `unit`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

GROUPS = (
    ("new", "new this week"),
    ("continuing", "continuing"),
    ("closing", "inside their limit again, closing"),
    ("predicted", "predicted within 90 days"),
    ("resolved", "resolved"),
    ("unread", "not known, their target was not read"),
)


@dataclass(frozen=True)
class Item:
    """One violation, open, ended or foreseen, as it was known when the report was composed."""

    violation: int
    target: str
    group: str
    what: str
    severity: str
    state: str  # the word for where it stands with people: open, acknowledged, resolved ...
    limit: str
    value: float | None
    unit: str
    opened_on: str | None  # of one that returned: the day it came back
    closed_on: str | None
    owner: str
    due_on: str | None
    next_step: str
    slack: int | None = None  # days left less the days needed to act, of what is predicted
    likely_on: str | None = None
    soonest_on: str | None = None
    act_by: str | None = None
    returned: bool = False
    standing: str = ""  # of what is inside its limit again, "closing, day 5 of 7"; of what was not read, why
    beyond: float | None = None  # how far beyond its limit, as a share of it
    value_on: str | None = None  # the day of the value
    broke_at: float | None = (
        None  # the figure that broke the limit: the worst of the week, of what is inside again the last ...
    )
    broke_on: str | None = None  # ... and its day
    came_true_on: str | None = (
        None  # of a prediction, told when it is read later: the day it went over its limit
    )
    note: str = ""  # how long the value was measured, where that is not a day


@dataclass(frozen=True)
class ReportChart:
    """The last weeks of one item with what is foreseen: `values` by day from `first`, `fan` as (day, mean, low, high)."""

    violation: int
    title: str
    caption: str
    unit: str
    first: str
    values: Sequence[float | None]
    limit: float | None
    limit_text: str
    beyond: str
    fan: Sequence[Sequence[Any]]
    likely_on: str | None
    alt: str


@dataclass(frozen=True)
class Closer:
    """A figure whose likely day of crossing its limit came nearer during the week."""

    target: str
    what: str
    likely_on: str
    before_on: str | None  # None: the week before nothing was foreseen
    days: int | None


@dataclass(frozen=True)
class WeekMover:
    """A statistic whose mean of the week differs much from that of the week before."""

    target: str
    what: str
    change: str
    is_worse: bool | None  # None: neither way is worse
    now: float
    before: float
    unit: str
    values: Sequence[float | None]  # of the last 30 days
    is_over: bool = False  # its limit is broken


@dataclass(frozen=True)
class Decision:
    """Something that goes no further until a person decides."""

    on: str | None
    text: str
    who: str
    violation: int | None = None
    options: Sequence[str] = ()


@dataclass(frozen=True)
class Oversized:
    """A resource of which much has not been used for long."""

    target: str
    text: str


@dataclass(frozen=True)
class WeekFinding:
    """Something that a rule began to notice during the week."""

    target: str
    title: str
    weight: str
    rule: str


@dataclass(frozen=True)
class WeekVerdict:
    """What users said of a day of the week, or of days that begin with it."""

    target: str  # or the group, or all targets
    on: str
    verdict: str
    text: str
    said_by: str = ""


@dataclass(frozen=True)
class QuarterAccount:
    """How promises that fell due in the quarter before the end of the week fared; days off are in the middle."""

    promises: int
    predicted: int
    came: int
    days_off: float | None = None
    line_days_off: float | None = None
    chance_off: float | None = None  # points, in the mean
    is_demo: bool = False


@dataclass(frozen=True)
class Facts:
    """What happened in a week, as known when the report was composed."""

    new: Sequence[Item] = ()
    continuing: Sequence[Item] = ()
    closing: Sequence[Item] = ()  # inside their limit again, the case still open
    unread: Sequence[Item] = ()  # of targets that were not read for two slots: not known
    predicted: Sequence[Item] = ()
    resolved: Sequence[Item] = ()
    closer: Sequence[Closer] = ()
    movers: Sequence[WeekMover] = ()
    decisions: Sequence[Decision] = ()
    oversized: Sequence[Oversized] = ()
    findings: Sequence[WeekFinding] = ()  # new in the week and not dismissed, worst first
    verdicts: Sequence[WeekVerdict] = ()  # what users said of its days, slow ones first
    not_collected: Sequence[Mapping[str, str]] = ()
    charts: Sequence[ReportChart] = ()
    closest: Closer | None = None  # of a quiet week: what comes nearest to its limit
    account: QuarterAccount | None = None  # none where nothing has fallen due
    forecasts: int = 0  # how many figures were forecast
    targets: int = 0
    group: str = ""
    known_at: str = ""
    is_later: bool = False  # composed long after the week, as known then

    @property
    def over(self) -> Sequence[Item]:
        """What is over its limit at the end of the week, worst first."""
        return sorted((*self.new, *self.continuing), key=worst_first)

    def as_content(self) -> dict[str, Any]:
        return asdict(self)


_PARTS: Mapping[str, type] = {
    "new": Item,
    "continuing": Item,
    "closing": Item,
    "unread": Item,
    "predicted": Item,
    "resolved": Item,
    "closer": Closer,
    "movers": WeekMover,
    "decisions": Decision,
    "oversized": Oversized,
    "findings": WeekFinding,
    "verdicts": WeekVerdict,
    "charts": ReportChart,
}


def parse_facts(content: Mapping[str, Any]) -> Facts:
    """The facts that a kept report was written from; what an older one does not have is empty."""
    values = {field.name: content[field.name] for field in fields(Facts) if field.name in content}
    for name, kind in _PARTS.items():
        names = {field.name for field in fields(kind)}
        values[name] = [
            kind(**{key: value for key, value in row.items() if key in names})
            for row in content.get(name, [])
        ]
    if values.get("closest"):
        values["closest"] = Closer(**values["closest"])
    if values.get("account"):
        values["account"] = QuarterAccount(**values["account"])
    return Facts(**values)


def worst_first(item: Item) -> tuple[Any, ...]:
    """Critical before warning; what is predicted by slack, what is over by how far beyond, then the longest over."""
    return (
        item.severity != "critical",
        item.slack if item.slack is not None else 10**6,
        -(item.beyond or 0.0),
        item.opened_on or "9999",
        item.target.lower(),
        item.violation,
    )
