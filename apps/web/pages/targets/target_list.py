"""The list of targets, worst state first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.collection.today import newest_read_slot
from apps.collection.unread_targets import unread_targets
from apps.outlook.counts import over_by_target
from apps.snapshots.newest_facts import read_newest_facts
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.web.cells import after, link, marked
from apps.web.cells import state as state_mark
from apps.web.pages.targets.bulk_change import stamp_of
from apps.web.sheet_cells import word
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table
from apps.web.target_filters import VERSIONS, filter_targets, filters
from apps.web.target_states import states


@dataclass(frozen=True)
class TargetRow:
    name: str
    url: str
    state: FigureState | None
    kind: str
    version: str
    group: str
    environment: str
    owner: str
    read_at: datetime | None
    open_violations: int
    is_demo: bool
    is_paused: bool
    blocked: str
    choice: str = ""  # key and stamp, as a list sends them

    @property
    def key(self) -> str:
        return self.choice.partition(":")[0]


def target_rows(query: Mapping[str, str]) -> tuple[list[TargetRow], dict[str, Any]]:
    """Rows of the list of targets, worst state first, and the filters."""
    targets = filter_targets(query)
    now = timezone.now()
    state = states(targets, unread_targets([target.pk for target in targets], now))
    read = dict(targets.values_list("pk", newest_read_slot(now)))
    facts = read_newest_facts(targets, VERSIONS, component="")
    versions = {pk: version for (pk, *_), version in facts.items()}
    over = over_by_target(targets, now)
    rows = [
        TargetRow(
            name=target.name,
            url=target.get_absolute_url(),
            state=state[target.pk],
            kind=target.get_kind_display(),
            version=versions.get(target.pk, ""),
            group=target.group.name if target.group else "",
            environment=target.environment,
            owner=str(target.owner) if target.owner else "",
            read_at=read_at.astimezone(target.zone) if (read_at := read[target.pk]) else None,
            open_violations=over[target.pk],
            is_demo=target.is_demo,
            is_paused=target.is_paused,
            blocked=target.blocked_because,
            choice=f"{target.pk}:{stamp_of(target)}",
        )
        for target in targets
    ]
    order = {state_key: index for index, state_key in enumerate((*WORST_FIRST, None))}
    return sorted(rows, key=lambda row: (order[row.state], row.name.lower())), filters(query)


def targets_table(chosen: Collection[str] | None) -> Table[TargetRow]:
    """The list with boxes to tick, those of the chosen keys ticked; None where the reader may change nothing."""

    def box(row: TargetRow) -> SafeString:
        return format_html(
            '<input type="checkbox" form="bulk" name="target" value="{}" aria-label="Choose {}"{}>',
            row.choice, row.name, SafeString(" checked" if row.key in (chosen or ()) else ""),
        )  # fmt: skip

    boxes: Column[TargetRow] = DrawingColumn("choose", show=box, css="tick", is_head_unseen=True)
    columns = (*((boxes,) if chosen is not None else ()), *COLUMNS)
    return Table("targets", "Targets, worst state first", columns, title="Targets", opens_rows=True)


def _named(row: TargetRow) -> SafeString:
    return after(link(row.url, row.name, ""), "tag is-info", "demo" if row.is_demo else "")


def _read(row: TargetRow) -> SafeString | str:
    return figures.moment(row.read_at) if row.read_at else marked("muted", "never")


def _note(row: TargetRow) -> SafeString:
    return marked("tag is-risk", "paused") if row.is_paused else marked("c-risk", row.blocked)


COLUMNS: Sequence[Column[TargetRow]] = (
    Column("state", lambda row: word(row.state), lambda row: state_mark(row.state), css="nowrap"),
    RowHead("target", lambda row: row.name, _named, css="first nowrap"),
    Column("kind", lambda row: row.kind, css="quiet-text"),
    Column("version", lambda row: row.version, css="quiet-text"),
    Column("group", lambda row: row.group),
    Column("environment", lambda row: row.environment, css="quiet-text"),
    Column("owner", lambda row: row.owner, css="quiet-text nowrap"),
    FigureColumn(
        "violations",
        lambda row: row.open_violations,
        lambda row: row.open_violations or "",
    ),
    FigureColumn("last read", lambda row: row.read_at, _read, css="nowrap", label="read"),
    Column("note", lambda row: "paused" if row.is_paused else row.blocked, _note),
)
