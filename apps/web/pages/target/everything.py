"""Everything that was collected of a target on a day."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from apps.charts import figures
from apps.snapshots.measured import read_all
from apps.web.cells import link
from apps.web.tables import Column, FigureColumn, RowHead, Table
from apps.web.target_page import Page

MOST = 400  # rows of everything collected on one page


def read_everything(page: Page, words: str) -> list[dict[str, Any]]:
    """What was read of a day and its statistic or component contains the words, in the unit of the profile."""
    if page.day is None:
        return []
    measured = read_all([page.target], [page.day])[page.target.pk]
    phrase = words.casefold()
    rows = []
    for at, (metric, (key, component)) in enumerate(zip(measured.metrics, measured.keys, strict=True)):
        presence = measured.presence(at, 0)
        if presence.is_unknown or phrase not in f"{key} {metric.label} {metric.name} {component}".casefold():
            continue
        value = measured.value(at, 0)
        rows.append(
            {
                "section": metric.section.title,
                "statistic": metric.label,
                "key": key,
                "component": component,
                "value": value,
                "presence": str(presence),
                "unit": metric.display_unit,
                "source": metric.source,
                "url": f"{reverse('statistic', args=[page.target.pk, key])}?{urlencode({'component': component, 'on': page.day})}",
            }
        )
    return rows


def _value(row: Mapping[str, Any]) -> SafeString | str:
    return (
        figures.figure(row["value"])
        if row["value"] is not None
        else mark_safe('<span class="absent">Not present</span>')
    )


def _title(row: Mapping[str, Any]) -> str:
    return figures.exact(row["value"], row["unit"]) if row["value"] is not None else ""


EVERYTHING: Table[Mapping[str, Any]] = Table(
    "everything",
    "Figures of the day",
    (
        Column("section", lambda row: row["section"], css="quiet-text"),
        RowHead("statistic", lambda row: row["statistic"], lambda row: link(row["url"], row["statistic"])),
        Column("key", lambda row: row["key"], in_file_only=True),
        Column("component", lambda row: row["component"]),
        FigureColumn(
            "value",
            lambda row: row["presence"] if row["value"] is None else row["value"],
            _value,
            css=lambda row: "" if row["value"] is None else "strong",
            title=_title,
            has_unit=True,
        ),
        Column("unit", lambda row: row["unit"], css="sub"),
        Column("source", lambda row: row["source"], css="sub"),
    ),
    title="Everything collected",
    opens_rows=True,
)
