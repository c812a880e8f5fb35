"""The report as plain text: complete, for mail and terminals."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from apps.charts import figures
from apps.reports.facts import Facts
from apps.reports.lines import GROUPS, Line, as_known, closer_text, headline, lines, short
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
        *_list("Got closer", [f"{one.target}, {one.what}: {closer_text(one)}" for one in facts.closer]),
        *_list(
            "Biggest movers (mean of the week against the week before)",
            [
                f"{one.target}, {one.what}: {one.change}, "
                f"{figures.figure(one.before)} → {figures.figure(one.now)} {one.unit}"
                for one in facts.movers
            ],
        ),
        *_list(
            "Waits for a decision",
            [f"{short(one.on)}: {one.text} ({one.who})" for one in facts.decisions],
        ),
        *_list("Larger than needed", [f"{one.target}: {one.text}" for one in facts.oversized]),
        *_list(
            "Not collected",
            [f"{one['target']}, nights: {one['nights']}. {one['reason']}" for one in facts.not_collected],
        ),
        *wrap(as_known(facts), WIDTH),
    ]
    return "\n".join(parts).replace(figures.SPACE, " ").rstrip() + "\n"


def _violations(facts: Facts) -> Iterator[str]:
    if not any(getattr(facts, kind) for kind, _ in GROUPS):
        yield from ("Nothing broke its limit, and nothing is foreseen to.", "")
        return
    for kind, name in GROUPS:
        items = getattr(facts, kind)
        if items:
            yield f"{name} ({len(items)})".upper()
            for line in lines(items):
                yield from _row(line)
            yield ""


def _row(line: Line) -> Iterator[str]:
    yield f"- {line.state}: {line.target}, {line.what}"
    against = f"{line.figure} {line.unit}".rstrip() + f" against {line.limit}, {line.when}"
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
