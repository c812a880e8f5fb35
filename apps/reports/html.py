"""The report as a page that stands alone: what the mail shows, and what --format html writes."""

from base64 import b64encode
from collections.abc import Callable, Mapping

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from apps.charts import figures
from apps.reports.facts import Chart
from apps.reports.lines import GROUPS, as_known, closer_text, headline, lines, short
from apps.reports.models import WeeklyReport
from apps.reports.paint import draw, painted

MOST_CHARTS = 6
COLOURS: Mapping[str, str] = {
    "violated": "#b3261e",
    "at_risk": "#865000",
    "comfortable": "#2b6a5c",
    "closing": "#1f5f99",
    "no_data": "#5b6872",
}


def as_html(report: WeeklyReport, source: Callable[[Chart], str] | None = None) -> str:
    """One column with its styles inline; `source` says where the picture of a chart is, else it is in the page."""
    facts = report.facts
    return render_to_string(
        "reports/weekly.html",
        {
            "headline": headline(facts, report.week),
            "sentences": report.sentences,
            "groups": [
                {"name": name, "rows": [(COLOURS[one.mark], one) for one in lines(getattr(facts, kind))]}
                for kind, name in GROUPS
                if getattr(facts, kind)
            ],
            "charts": [(one, (source or in_place)(one)) for one in facts.charts[:MOST_CHARTS]],
            "lists": [
                ("Got closer", [(one.target, f"{one.what}: {closer_text(one)}") for one in facts.closer]),
                (
                    "Biggest movers",
                    [
                        (
                            one.target,
                            (
                                f"{one.what} {one.change}, {figures.figure(one.before)} → "
                                f"{figures.figure(one.now)} {one.unit}"
                            ),
                        )
                        for one in facts.movers
                    ],
                ),
                (
                    "Waits for a decision",
                    [(short(one.on) if one.on else "", f"{one.text} {one.who}") for one in facts.decisions],
                ),
                ("Larger than needed", [(one.target, one.text) for one in facts.oversized]),
                (
                    "Not collected",
                    [
                        (one["target"], f"{one['nights']} nights: {one['reason']}")
                        for one in facts.not_collected
                    ],
                ),
            ],
            "as_known": as_known(facts),
            "url": address_of(report),
        },
    )


def address_of(report: WeeklyReport) -> str:
    """Where the report is on the web."""
    group = f"&group={report.group_id}" if report.group_id else ""
    return f"{settings.HEADROOM_URL}{reverse('weekly_report')}?week={report.week}{group}"


def in_place(chart: Chart) -> str:
    """The chart as an address that holds it."""
    return f"data:image/svg+xml;base64,{b64encode(painted(draw(chart)).encode()).decode()}"
