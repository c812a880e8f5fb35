"""The forms the weekly report comes in, by the name that commands and addresses use."""

import json
from collections.abc import Mapping

from apps.reports.html import as_html
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf
from apps.reports.registry import ReportFormat
from apps.reports.text import as_text
from apps.reports.xlsx import as_xlsx


def as_json(report: WeeklyReport) -> str:
    """The facts, as they are kept."""
    document = {
        "week": report.week,
        "group": report.group.name if report.group else None,
        "composed_at": report.composed_at.isoformat(),
        "sent_at": report.sent_at.isoformat() if report.sent_at else None,
        **report.content,
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


FORMATS: Mapping[str, ReportFormat] = {
    "html": ReportFormat(lambda report: as_html(report).encode(), "html", "text/html; charset=utf-8"),
    "pdf": ReportFormat(as_pdf, "pdf", "application/pdf"),
    "xlsx": ReportFormat(
        as_xlsx, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    ),
    "text": ReportFormat(lambda report: as_text(report).encode(), "txt", "text/plain; charset=utf-8"),
    "json": ReportFormat(lambda report: as_json(report).encode(), "json", "application/json"),
}


def file_name(report: WeeklyReport, form: str) -> str:
    """`headroom-2026-W47.pdf`."""
    of_group = f"-group-{report.group_id}" if report.group_id else ""
    return f"headroom-{report.week}{of_group}.{FORMATS[form].suffix}"
