"""The report as a page that stands alone: what the mail shows, and what --format html writes."""

from base64 import b64encode
from collections.abc import Callable, Mapping

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from apps.charts import figures
from apps.reports.drawings import draw, with_styles
from apps.reports.facts import ReportChart
from apps.reports.lines import (
    GROUPS,
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

MOST_CHARTS = 6
COLOURS: Mapping[str, str] = {
    "violated": "#b3261e",
    "at_risk": "#865000",
    "comfortable": "#2b6a5c",
    "closing": "#40509f",
    "no_data": "#5b6872",
}


def as_html(report: WeeklyReport, source: Callable[[ReportChart], str] | None = None) -> str:
    """One column with its styles inline; `source` says where the picture of a chart is, else it is in the page."""
    facts = report.facts
    return render_to_string(
        "reports/weekly.html",
        {
            "headline": headline(facts, report.week),
            "sentences": report.sentences,
            "groups": [
                {
                    "name": name,
                    "rows": [(COLOURS[line.mark], line) for line in write_lines(getattr(facts, kind))],
                }
                for kind, name in GROUPS
                if getattr(facts, kind)
            ],
            "charts": [(chart, (source or embed_picture)(chart)) for chart in facts.charts[:MOST_CHARTS]],
            "lists": [
                (
                    "Got closer",
                    [(closer.target, f"{closer.what}: {closer_text(closer)}") for closer in facts.closer],
                ),
                (
                    "Biggest movers",
                    [
                        (
                            mover.target,
                            (
                                f"{mover.what} {mover.change}, {figures.figure(mover.before)} → "
                                f"{figures.figure(mover.now)} {mover.unit}"
                            ),
                        )
                        for mover in facts.movers
                    ],
                ),
                (
                    "Waits for a decision",
                    [
                        (
                            short(decision.on) if decision.on else "",
                            f"{decision_text(decision)} {decision.who}",
                        )
                        for decision in facts.decisions
                    ],
                ),
                ("Forecasts of the quarter", [("", account_text(facts.account))] if facts.account else []),
                (
                    "New findings",
                    [(finding.target, finding_text(finding)) for finding in facts.findings],
                ),
                (
                    "What users said",
                    [(verdict.target, verdict_text(verdict)) for verdict in facts.verdicts],
                ),
                ("Larger than needed", [(resource.target, resource.text) for resource in facts.oversized]),
                (
                    "Not collected",
                    [
                        (gap["target"], f"{gap['nights']} nights: {gap['reason']}")
                        for gap in facts.not_collected
                    ],
                ),
            ],
            "as_known": knowledge_text(facts),
            "url": address_of(report),
        },
    )


def address_of(report: WeeklyReport) -> str:
    """Where the report is on the web."""
    group = f"&group={report.group_id}" if report.group_id else ""
    return f"{settings.HEADROOM_URL}{reverse('weekly_report')}?week={report.week}{group}"


def embed_picture(chart: ReportChart) -> str:
    """The chart as an address that holds it."""
    return f"data:image/svg+xml;base64,{b64encode(with_styles(draw(chart)).encode()).decode()}"
