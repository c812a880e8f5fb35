"""Three months of what tells whether hosts run short of processors: run queue, utilisation, switches, interrupts."""

from apps.reports.processor_trends import find_trends, trends_as_csv
from apps.reports.registry import ReportFormat, report_by_template

PROCESSOR_TRENDS = report_by_template(
    "processor_trends",
    "Processors over three months",
    find_trends,
    csv=ReportFormat(trends_as_csv, "csv", "text/csv; charset=utf-8"),
)
