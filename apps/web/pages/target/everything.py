"""Everything that was collected of a target on a day."""

from typing import Any

from apps.charts import figures
from apps.snapshots.measured import read_all
from apps.snapshots.presence import Presence
from apps.web.target_page import Page

MOST = 400  # rows of everything collected on one page


def everything(page: Page, words: str) -> list[dict[str, Any]]:
    """What was read of a day and its statistic or component contains the words, in the unit of the profile."""
    if page.day is None:
        return []
    measured = read_all([page.target], [page.day])[page.target.pk]
    wanted = words.casefold()
    rows = []
    for at, (metric, (key, component)) in enumerate(zip(measured.metrics, measured.keys, strict=True)):
        presence = measured.presence(at, 0)
        if (
            presence is Presence.NO_DATA
            or wanted not in f"{key} {metric.label} {metric.name} {component}".casefold()
        ):
            continue
        value = measured.value(at, 0)
        rows.append(
            {
                "section": metric.section.title,
                "statistic": metric.label,
                "key": key,
                "component": component,
                "value": "" if value is None else figures.figure(value),
                "exact": "" if value is None else figures.exact(value, metric.display_unit),
                "number": value,
                "presence": str(presence),
                "unit": metric.display_unit,
                "source": metric.source,
                "pk": str(page.target.pk),
            }
        )
    return rows
