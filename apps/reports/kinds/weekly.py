"""The weekly report: kept as it was composed, sent by mail, with a page of its own."""

from apps.reports.formats import FORMATS
from apps.reports.registry import ReportKind
from apps.reports.weekly_report import compose_weekly_report

WEEKLY = ReportKind(
    key="weekly",
    title="Weekly report",
    compose=compose_weekly_report,
    formats=FORMATS,
    page="weekly_report",
)
