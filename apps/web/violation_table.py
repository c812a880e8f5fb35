"""Lists of violations as pages show them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.advisors.models import Action
from apps.charts import figures
from apps.outlook.figure import Outlook
from apps.reports.sheets import Cell
from apps.thresholds.judge import FigureState
from apps.web.sheet_cells import word

HEADS = (
    "state", "life", "target", "what", "value", "limit", "unit", "severity", "since", "days", "owner", "due",
    "next step",
)  # fmt: skip


@dataclass(frozen=True)
class ViolationRow:
    state: FigureState
    note: str
    life: str
    severity: str
    target: str
    target_url: str
    what: str
    url: str
    value: str
    limit: str
    unit: str
    since: str
    days: int
    owner: str
    due: str
    next_step: str
    number: float | None
    since_on: date | None
    due_on: date | None


def violation_rows(outlooks: Sequence[Outlook]) -> list[ViolationRow]:
    """Cases as rows, in their order."""
    cases = [outlook.case for outlook in outlooks]
    steps: dict[int, str] = {}
    open_actions = Action.objects.filter(plan__violation__in=cases).exclude(
        state__in=(Action.State.DONE, Action.State.DROPPED)
    )
    for action in open_actions.select_related("plan").order_by("-position"):
        steps[action.plan.violation_id] = action.text
    return [_row(outlook, steps.get(outlook.case.pk, "")) for outlook in outlooks]


def _row(outlook: Outlook, next_step: str) -> ViolationRow:
    violation = outlook.case
    since = violation.opened_on or violation.predicted_on
    return ViolationRow(
        state=outlook.state,
        note=outlook.note,
        life=violation.get_state_display(),
        severity=violation.severity,
        target=outlook.target.name,
        target_url=outlook.target.get_absolute_url(),
        what=outlook.what,
        url=outlook.url,
        value=figures.figure(outlook.value) if outlook.value is not None else "",
        limit=outlook.limit_words,
        unit=outlook.unit,
        since=figures.short_day(since) if since else "",
        days=outlook.days_of_case,
        owner=outlook.owner,
        due=figures.short_day(violation.due_on) if violation.due_on else "",
        next_step=next_step,
        number=outlook.value,
        since_on=since,
        due_on=violation.due_on,
    )


def violation_cells(rows: Iterable[ViolationRow]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            word(row.state), row.life, row.target, row.what, row.number, row.limit, row.unit, row.severity,
            row.since_on, row.days, row.owner, row.due_on, row.next_step,
        )  # fmt: skip
