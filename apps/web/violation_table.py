"""Lists of violations as pages show them."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Max
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.advisors.models import Action
from apps.charts import figures
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Step, Violation
from apps.web.cells import after, link, state
from apps.web.sheet_cells import word
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table


@dataclass(frozen=True)
class ViolationRow:
    """A case as lists show it; `pick` is what its box sends, of one that can be acknowledged."""

    pk: int
    pick: str
    state: FigureState
    note: str
    progress: str
    severity: str
    target: str
    target_url: str
    what: str
    url: str
    limit: str
    unit: str
    days: int
    owner: str
    next_step: str
    value: float | None
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
    newest = _newest_steps(cases)
    return [
        _row(outlook, steps.get(outlook.case.pk, ""), newest.get(outlook.case.pk, 0)) for outlook in outlooks
    ]


def _newest_steps(cases: Sequence[Violation]) -> dict[int, int]:
    """The number of the newest step of each case."""
    steps = Step.objects.filter(violation__in=cases).order_by().values_list("violation")
    return dict(steps.annotate(newest=Max("pk")))


def _row(outlook: Outlook, next_step: str, newest: int) -> ViolationRow:
    violation = outlook.case
    since = violation.opened_on or violation.predicted_on
    can_be_acknowledged = violation.state in (Violation.State.OPEN, Violation.State.PREDICTED)
    return ViolationRow(
        pk=violation.pk,
        pick=f"{violation.pk}:{newest}" if can_be_acknowledged else "",
        state=outlook.state,
        note=outlook.note,
        progress=violation.get_state_display(),
        severity=violation.severity,
        target=outlook.target.name,
        target_url=outlook.target.get_absolute_url(),
        what=outlook.what,
        url=outlook.url,
        limit=outlook.limit_words,
        unit=outlook.unit,
        days=outlook.days_of_case,
        owner=outlook.owner,
        next_step=next_step,
        value=outlook.value,
        since_on=since,
        due_on=violation.due_on,
    )


def violations_table(
    *, has_target: bool = True, can_pick: bool = False, ticked: Container[int] = ()
) -> Table[ViolationRow]:
    """
    Violations, worst first; on the page of a target its name is no column, in files it is.

    Where several can be picked at once, each that can be acknowledged has a box of the form `bulk`.
    """

    def box(row: ViolationRow) -> SafeString:
        return _box(row, is_ticked=row.pk in ticked) if row.pick else SafeString("")

    pick: Column[ViolationRow] = DrawingColumn("choose", show=box, is_head_unseen=True)
    return Table(
        "violations",
        "Violations, worst first",
        (
            *((pick,) if can_pick else ()),
            Column("state", lambda row: word(row.state), _state, css="nowrap"),
            Column("progress", lambda row: row.progress, css="nowrap quiet-text"),
            Column(
                "target",
                lambda row: row.target,
                lambda row: link(row.target_url, row.target, ""),
                in_file_only=not has_target,
            ),
            RowHead("what", lambda row: row.what, lambda row: link(row.url, row.what)),
            FigureColumn(
                "value",
                lambda row: row.value,
                lambda row: figures.figure(row.value),
                css=_value_css,
                has_unit=True,
            ),
            FigureColumn("limit", lambda row: row.limit, has_unit=True),
            Column("unit", lambda row: row.unit, css="sub nowrap"),
            Column("severity", lambda row: row.severity, css=_severity_css),
            FigureColumn("since", lambda row: row.since_on, css="nowrap"),
            FigureColumn("days", lambda row: row.days),
            Column("owner, due", show=_owner, css="quiet-text"),
            Column("owner", lambda row: row.owner, in_file_only=True),
            Column("due", lambda row: row.due_on, in_file_only=True),
            Column(
                "next step",
                lambda row: row.next_step,
                lambda row: row.next_step or "no plan",
                css="quiet-text",
            ),
        ),
        title="Violations",
        opens_rows=True,
    )


def _box(row: ViolationRow, *, is_ticked: bool) -> SafeString:
    return format_html(
        '<input type="checkbox" class="form-check-input pick" form="bulk" name="pick" value="{}" aria-label="Choose {} on {}"{}>',
        row.pick, row.what, row.target, SafeString(" checked" if is_ticked else ""),
    )  # fmt: skip


def _severity_css(row: ViolationRow) -> str:
    return "strong" if row.severity == "critical" else "quiet-text"


def _state(row: ViolationRow) -> SafeString:
    aside = row.note.replace("closing, ", "") if row.state is FigureState.CLOSING else ""
    return after(state(row.state, row.note), "sub", aside)


def _value_css(row: ViolationRow) -> str:
    return {FigureState.VIOLATED: "strong c-over", FigureState.AT_RISK: "strong c-risk"}.get(
        row.state, "strong"
    )


def _owner(row: ViolationRow) -> str:
    due = f", due {figures.short_day(row.due_on)}" if row.due_on else ""
    return f"{row.owner or 'nobody yet'}{due}"
