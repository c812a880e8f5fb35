"""The report as plain text: complete, for mail and terminals."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from apps.charts import figures
from apps.reports.facts import Facts
from apps.reports.lines import (
    GROUPS,
    ReportLine,
    account_text,
    closer_text,
    decision_text,
    finding_text,
    headline,
    knowledge_text,
    short,
    verdict_text,
    write_lines,
)
from apps.reports.models import WeeklyReport

WIDTH = 78


def as_text(report: WeeklyReport) -> str:
    """Everything the report says, the state in words first in each row."""
    facts = report.facts
    parts = [
        f"Headroom, weekly report, {headline(facts, report.week)}",
        "=" * WIDTH,
        *wrap(" ".join(report.sentences), WIDTH),
        "",
        *_violations(facts),
        *_list(
            "Got closer",
            [f"{closer.target}, {closer.what}: {closer_text(closer)}" for closer in facts.closer],
        ),
        *_list(
            "Biggest movers (mean of the week against the week before)",
            [
                f"{mover.target}, {mover.what}: {mover.change}, "
                f"{figures.figure(mover.before)} → {figures.figure(mover.now)} {mover.unit}"
                for mover in facts.movers
            ],
        ),
        *_list(
            "Waits for a decision",
            [
                f"{short(decision.on)}: {decision_text(decision)} ({decision.who})"
                for decision in facts.decisions
            ],
        ),
        *_list("Forecasts of the quarter", [account_text(facts.account)] if facts.account else []),
        *_list("New findings", [f"{finding.target}: {finding_text(finding)}" for finding in facts.findings]),
        *_list(
            "What users said", [f"{verdict.target}: {verdict_text(verdict)}" for verdict in facts.verdicts]
        ),
        *_list("Larger than needed", [f"{resource.target}: {resource.text}" for resource in facts.oversized]),
        *_list(
            "Not collected",
            [f"{gap['target']}, nights: {gap['nights']}. {gap['reason']}" for gap in facts.not_collected],
        ),
        *wrap(knowledge_text(facts), WIDTH),
    ]
    return "\n".join(parts).replace(figures.SPACE, " ").rstrip() + "\n"


def _violations(facts: Facts) -> Iterator[str]:
    if not any(getattr(facts, kind) for kind, _ in GROUPS):
        yield from ("No limit is broken, and none is predicted to be.", "")
        return
    for kind, name in GROUPS:
        items = getattr(facts, kind)
        if items:
            yield f"{name} ({len(items)})".upper()
            for line in write_lines(items):
                yield from _row(line)
            yield ""


def _row(line: ReportLine) -> Iterator[str]:
    yield f"- {line.state}: {line.target}, {line.what}"
    on = f" on {line.day}" if line.day else ""
    against = f"{line.figure} {line.unit}".rstrip() + f"{on} against {line.limit}, {line.when}"
    slack = f", slack {line.slack}" if line.slack != figures.MISSING else ""
    note = f" (the figure {line.note})" if line.note else ""
    yield from wrap(f"{against}{slack}{note}", WIDTH, initial_indent="  ", subsequent_indent="  ")
    due = f", due {line.due}" if line.due else ""
    yield from wrap(
        f"{line.who}{due}{': ' + line.step if line.step else ''}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
    )


def _list(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield title.upper()
        for row in rows:
            yield from wrap(row, WIDTH, initial_indent="- ", subsequent_indent="  ")
        yield ""
