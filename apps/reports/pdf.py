"""The report on paper, by typst; and its charts as pictures for the mail."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typst
from django.conf import settings

from apps.reports.drawings import draw, draw_mover, state_glyphs, with_styles
from apps.reports.facts import Facts, ReportChart, WeekMover
from apps.reports.glyphs import BOX, FONTS, make_legible
from apps.reports.lines import (
    GROUPS,
    ReportLine,
    account_text,
    closer_text,
    count_items,
    decision_text,
    finding_text,
    headline,
    knowledge_text,
    short,
    verdict_text,
    write_known_at,
    write_lines,
)
from apps.reports.models import WeeklyReport

# what page 1 may hold, fullest first: rows of the table, and charts
CHOICES = (*((rows, 4) for rows in range(22, 7, -1)), *((rows, 2) for rows in range(18, 5, -1)), (6, 0))
LEAST_ROWS = 2  # of each kind that has any
ON_PAGE_1 = {
    "movers": 5,
    "closer": 2,
    "decisions": 3,
    "oversized": 3,
    "findings": 3,
    "verdicts": 3,
    "unread": 3,
}
LONGEST = 170  # characters of an entry of a list on page 1
WIDTHS = {"target": 40, "what": 80, "who": 40}  # characters of a cell on page 1
DRAWN_AT = 2  # pixels of a picture for each of the page

Json = dict[str, Any]


def as_pdf(report: WeeklyReport) -> bytes:
    """A tagged PDF that screen readers can read (PDF/UA-1)."""
    document = legible(_document(report))
    return compile_paper(
        "weekly.typ", {"report": json.dumps(document, ensure_ascii=False)}, pdf_standards="ua-1"
    )


def chart_png(chart: ReportChart) -> bytes:
    """One chart as a picture at twice the size it is shown at."""
    return compile_paper(
        "chart.typ", {"svg": make_legible(with_styles(draw(chart)))}, format="png", ppi=96.0 * DRAWN_AT
    )


def compile_paper(template: str, inputs: Mapping[str, str], **options: Any) -> bytes:
    source = (_templates() / template).read_bytes()
    made = typst.compile(
        source, font_paths=[str(FONTS)], ignore_system_fonts=True, sys_inputs=dict(inputs), **options
    )
    return bytes(made[0] if isinstance(made, list) else made)


def _templates() -> Path:
    return Path(settings.BASE_DIR) / "templates" / "reports"


def _document(report: WeeklyReport) -> Json:
    facts = report.facts
    lists = _lists(facts)
    page = {
        "movers": [_mover(mover) for mover in facts.movers[: ON_PAGE_1["movers"]]],
        **{name: _cut(rows, ON_PAGE_1[name]) for name, (_, rows) in lists.items()},
    }
    is_critical = any(item.severity == "critical" for item in (*facts.over, *facts.predicted))
    return {
        "title": f"Headroom, weekly report, {headline(facts, report.week)}",
        "headline": headline(facts, report.week),
        "sentences": report.sentences,
        "as_known": write_known_at(facts),
        "logo": (Path(settings.BASE_DIR) / "static" / "img" / "favicon.svg").read_text(),
        "glyphs": state_glyphs(),
        "counts": [{"word": word, "count": count, "mark": mark} for word, count, mark in count_items(facts)],
        "charts_title": "What is critical" if is_critical else "What to look at first",
        "groups": _groups(facts),
        "charts": [_chart(chart) for chart in facts.charts],
        "account": account_text(facts.account) if facts.account else "",
        "choices": _choices(facts),
        "page": page,
        "lists": [(title, rows) for name, (title, rows) in lists.items() if rows != page[name]],
        "note": knowledge_text(facts) if facts.is_later else "",
    }


def _choices(facts: Facts) -> list[Json]:
    """What page 1 may hold, fullest first; the paper takes the first that fits, and has the rest in its annex."""
    choices: list[Json] = []
    for rows, charts in CHOICES:
        choice = {"shares": _shares(facts, rows), "charts": min(charts, len(facts.charts))}
        if choice not in choices:
            choices.append(choice)
    return choices


def _shares(facts: Facts, room: int) -> list[int]:
    """How many rows of each group there are with room for so many: some of each, the rest to the most urgent."""
    listed = {kind: len(getattr(facts, kind)) for kind, _ in GROUPS if getattr(facts, kind)}
    rows = {kind: min(count, LEAST_ROWS) for kind, count in listed.items()}
    free = room - sum(rows.values())
    for kind in ("new", "predicted", "continuing", "closing", "resolved", "unread"):
        if kind in listed:
            more = max(0, min(listed[kind] - rows[kind], free))
            rows[kind] += more
            free -= more
    return list(rows.values())


def _groups(facts: Facts) -> list[Json]:
    return [
        {"name": name, "rows": [_row(line) for line in write_lines(items)]}
        for kind, name in GROUPS
        if (items := getattr(facts, kind))
    ]


def _row(line: ReportLine) -> Json:
    return asdict(line) | {"short": {key: _short(getattr(line, key), most) for key, most in WIDTHS.items()}}


def _lists(facts: Facts) -> dict[str, tuple[str, list[Json]]]:
    """The lists of the report by name: title and entries."""
    return {
        "closer": (
            "Got closer",
            [_entry(closer.target, f"{closer.what}: {closer_text(closer)}.") for closer in facts.closer],
        ),
        "decisions": (
            "Waits for a decision",
            [
                _entry(short(decision.on) if decision.on else "", decision_text(decision), decision.who)
                for decision in facts.decisions
            ],
        ),
        "findings": (
            "New findings",
            [_entry(finding.target, finding_text(finding)) for finding in facts.findings],
        ),
        "verdicts": (
            "What users said",
            [_entry(verdict.target, verdict_text(verdict)) for verdict in facts.verdicts],
        ),
        "oversized": (
            "Larger than needed",
            [_entry(resource.target, resource.text) for resource in facts.oversized],
        ),
        "unread": (
            "Not collected",
            [
                _entry(gap["target"], f"{_nights(gap['nights'])}{gap['reason']}")
                for gap in facts.not_collected
            ],
        ),
    }


def _entry(lead: str, text: str, who: str = "") -> Json:
    return {"lead": lead, "text": text, "who": who}


def _nights(nights: str) -> str:
    return "" if nights == "0" else f"{nights} night{'' if nights == '1' else 's'}: "


def _cut(rows: Iterable[Json], most: int) -> list[Json]:
    listed = list(rows)
    short = [row | {"text": _short(row["text"], LONGEST)} for row in listed[:most]]
    more = len(listed) - len(short)
    return [*short, _entry("", f"and {more} more in the annex")] if more > 0 else short


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _chart(chart: ReportChart) -> Json:
    return {
        "title": chart.title,
        "caption": chart.caption,
        "alt": chart.alt,
        "svg": with_styles(draw(chart)),
    }


def _mover(mover: WeekMover) -> Json:
    return {
        "target": _short(mover.target, WIDTHS["target"]),
        "what": _short(mover.what, WIDTHS["what"]),
        "change": mover.change,
        "is_bad": mover.is_worse is True and mover.is_over,
        "alt": f"{mover.what} on {mover.target}, the last 30 days",
        "svg": with_styles(draw_mover(mover)),
    }


def legible(document: Any) -> Any:
    """The same with every text such that the fonts can draw it, and a note where they could not."""
    lost: list[str] = []

    def clean(part: Any) -> Any:
        if isinstance(part, str):
            text = make_legible(part)
            if text.count(BOX) > part.count(BOX):
                lost.append(part)
            return text
        if isinstance(part, dict):
            return {key: clean(value) for key, value in part.items()}
        return [clean(item) for item in part] if isinstance(part, list | tuple) else part

    cleaned = clean(document)
    if lost:
        note = f"{BOX} stands for a character that the fonts of this paper do not have; the page on the web shows it."
        cleaned["note"] = f"{cleaned['note']} {note}".strip()
    return cleaned
