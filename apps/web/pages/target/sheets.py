"""The tables of a target as rows of a file."""

from collections.abc import Iterator, Sequence

from apps.charts import figures
from apps.profiles.build import ProfileRow
from apps.reports.sheets import Cell
from apps.web.sheet_cells import presence
from apps.web.target_page import Page

PROFILE = (
    "section", "statistic", "component", "class", "unit", "minus_90", "minus_30", "minus_7", "today", "threshold",
    "state", "days left", "slack", "act by", "note", "hours", "spans_days", "measured over",
)  # fmt: skip


def profile(page: Page) -> Iterator[Sequence[Cell]]:
    """The profile of a target's day, a row a statistic, by the keys of the catalogue."""
    if page.looked is None:
        return
    for judged in page.looked.judged.rows:
        row, one = judged.row, page.looked.outlooks.get(judged.row.key)
        yield (
            row.metric.section.title, row.metric.key, row.component, row.component_class, row.unit,
            *(presence(cell) for cell in (row.then[90], row.then[30], row.then[7], row.today)),
            judged.threshold.notation if judged.threshold else "", judged.state or "",
            *((one.days_left, one.slack, one.act_by, one.note) if one is not None else (None, None, None, "")),
            row.today.hours, row.today.spans_days, measured_over(row),
        )  # fmt: skip


def measured_over(row: ProfileRow) -> str:
    """What is to be known of the figures of a row that are not of a day as others are: which, and why."""
    notes = []
    for cell in (row.then[90], row.then[30], row.then[7], row.today):
        restart = "counts from a start-up" if cell.is_since_restart else ""
        if cell.day is not None and (told := ", ".join(filter(None, (cell.length, restart)))):
            notes.append(f"{figures.short_day(cell.day)}: {told}")
    return "; ".join(dict.fromkeys(notes))
