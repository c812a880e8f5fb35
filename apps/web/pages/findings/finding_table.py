"""The tables of findings: of the estate, of a target, and those that were dismissed."""

from dataclasses import replace
from datetime import date

from apps.web.finding_rows import (
    ACTION,
    CLASS,
    EVIDENCE,
    FINDING,
    LAST_SEEN,
    MEANING,
    RULE,
    SINCE,
    TARGET,
    WEIGHT,
    FindingRow,
)
from apps.web.tables import Column, FigureColumn, Table


def _reason(row: FindingRow) -> str:
    return row.standing.dismissal.reason if row.standing.dismissal else ""


def _until(row: FindingRow) -> date | None:
    return row.standing.dismissal.until if row.standing.dismissal else None


def _by(row: FindingRow) -> str:
    dismissal = row.standing.dismissal
    return str(dismissal.by or "somebody") if dismissal else ""


OF_ESTATE: Table[FindingRow] = Table(
    "findings",
    "What Headroom notices, worst first",
    (FINDING, WEIGHT, RULE, TARGET, CLASS, EVIDENCE, ACTION, SINCE, LAST_SEEN),
    title="Findings",
)
OF_TARGET: Table[FindingRow] = Table(
    "findings",
    "What Headroom notices here",
    (
        FINDING,
        WEIGHT,
        RULE,
        TARGET,
        EVIDENCE,
        MEANING,
        ACTION,
        SINCE,
        LAST_SEEN,
        Column("dismiss", template="pages/findings/dismiss.html", sorts=False, is_head_unseen=True),
    ),
    title="Findings",
)
DISMISSED: Table[FindingRow] = replace(
    OF_TARGET,
    key="dismissed",
    title="Dismissed",
    caption="Findings that were dismissed",
    columns=(
        FINDING,
        TARGET,
        EVIDENCE,
        Column("reason", _reason, css="wrap"),
        Column("by", _by),
        FigureColumn("until", _until),
        Column("show again", template="pages/findings/show_again.html", sorts=False, is_head_unseen=True),
    ),
)
