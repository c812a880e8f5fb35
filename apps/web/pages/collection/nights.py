"""The last nights of the collection: what was read, and which slots were missed."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.web.cells import hover, link, marked
from apps.web.collection_runs import reason_of
from apps.web.sentences import count
from apps.web.tables import Column, FigureColumn, RowHead, Table

NIGHTS = 14
_LABELS = {"complete": "read in full", "partial": "read in part", "failed": "not read", "missed": "missed"}


def nights(now: datetime) -> dict[str, Any]:
    """The last nights as squares: a row a target, a square a day, the worst run of the day."""
    days = [now.astimezone(UTC).date() - timedelta(days=back) for back in range(NIGHTS - 1, -1, -1)]
    since = datetime(days[0].year, days[0].month, days[0].day, tzinfo=UTC)
    order = ["complete", "partial", "missed", "failed"]
    worst: dict[tuple[int, Any], tuple[str, str]] = {}
    for run in CollectionRun.objects.finished().filter(slot__gte=since, target__retired_at=None):
        key = (run.target_id, run.slot.astimezone(UTC).date())
        so_far = worst.get(key)
        if so_far is None or order.index(run.state) > order.index(so_far[0]):
            worst[key] = (
                run.state,
                run.reason if run.slots == 1 else f"{count(run.slots, 'slot')}. {run.reason}",
            )
    rows = []
    for target in Target.objects.in_estate():
        squares = []
        for day in days:
            state, reason = worst.get((target.pk, day), ("none", ""))
            label = _LABELS.get(state, "nothing asked")
            squares.append(
                {
                    "state": state,
                    "title": f"{figures.short_day(day)}: {label}{f'. {reason}' if reason else ''}",
                }
            )
        rows.append({"target": target.name, "url": target.get_absolute_url(), "squares": squares})
    return {
        "days": [f"{day:%-d}" for day in days],
        "table": _nights_table([f"{day:%-d}" for day in days]).fill(rows),
    }


def _nights_table(days: Sequence[str]) -> Table[Mapping[str, Any]]:
    name: Column[Mapping[str, Any]] = RowHead(
        "target", lambda row: row["target"], lambda row: link(row["url"], row["target"], ""), css=""
    )
    columns = [name, *(_night_column(at, day) for at, day in enumerate(days))]
    return Table(
        "days-read", "Readings by target and day", columns, title="Readings by day", css="nights-table"
    )


def _night_column(at: int, day: str) -> Column[Mapping[str, Any]]:
    def show(row: Mapping[str, Any]) -> SafeString:
        square = row["squares"][at]
        words = marked("unseen", square["title"])
        return hover(square["title"], words, f"night is-{square['state']}")

    return Column(day, lambda row: row["squares"][at]["title"], show)


MISSED_DAYS = 7
MOST_MISSED = 50


def missed_of_late(now: datetime) -> list[dict[str, Any]]:
    """The slots of the last days that nothing read, with the reason, newest first: a row where they follow each other."""
    since = now - timedelta(days=MISSED_DAYS)
    runs = CollectionRun.objects.filter(
        state=CollectionRun.State.MISSED, slot__gte=since, target__retired_at=None
    )
    return [
        {
            "target": run.target.name,
            "url": reverse("target_collection", args=[run.target_id]),
            "slot": run.slot.astimezone(run.target.zone),
            "slots": run.slots,
            "reason": reason_of(run),
        }
        for run in runs.select_related("target").defer("sources", "notes").order_by("-slot")[:MOST_MISSED]
    ]


MISSED: Table[Mapping[str, Any]] = Table(
    "missed-slots",
    "Slots that nothing read in time",
    (
        RowHead("target", lambda row: row["target"], lambda row: link(row["url"], row["target"], "")),
        FigureColumn("slot", lambda row: row["slot"], label="slot", css="nowrap"),
        FigureColumn("slots", lambda row: row["slots"], label="slots"),
        Column("why", lambda row: row["reason"]),
    ),
    title="Missed slots",
    css="tall folds",
)
