"""The last days of the collection: how each was read, and which slots were missed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.urls import reverse

from apps.charts import figures
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.web.cells import link
from apps.web.collection_runs import reason_of
from apps.web.sentences import count
from apps.web.tables import Column, FigureColumn, RowHead, Table

DAYS = 14
WORST_LAST = ("complete", "partial", "missed", "failed")
LABELS = {"complete": "read in full", "partial": "read in part", "failed": "not read", "missed": "missed"}


@dataclass(frozen=True)
class Night:
    """How the worst reading of a day ended; "none" where nothing was asked."""

    day: date
    state: str
    reason: str = ""

    @property
    def label(self) -> str:
        return LABELS.get(self.state, "nothing asked")

    @property
    def title(self) -> str:
        return f"{figures.short_day(self.day)}: {self.label}{f'. {self.reason}' if self.reason else ''}"


def last_days(now: datetime) -> list[date]:
    """The days that are shown, the oldest first."""
    return [now.astimezone(UTC).date() - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]


def nights_of(now: datetime) -> dict[int, Sequence[Night]]:
    """The last days of each target of the estate, by its key; one query for all runs."""
    days = last_days(now)
    since = datetime(days[0].year, days[0].month, days[0].day, tzinfo=UTC)
    worst: dict[tuple[int, date], Night] = {}
    for run in CollectionRun.objects.finished().filter(slot__gte=since, target__retired_at=None):
        night = Night(run.slot.astimezone(UTC).date(), run.state, _reason(run))
        before = worst.get((run.target_id, night.day))
        if before is None or WORST_LAST.index(night.state) > WORST_LAST.index(before.state):
            worst[run.target_id, night.day] = night
    return {
        pk: [worst.get((pk, day), Night(day, "none")) for day in days]
        for pk in Target.objects.in_estate().values_list("pk", flat=True)
    }


def _reason(run: CollectionRun) -> str:
    return run.reason if run.slots == 1 else f"{count(run.slots, 'slot')}. {run.reason}"


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
    "Slots that were not read in time",
    (
        RowHead("target", lambda row: row["target"], lambda row: link(row["url"], row["target"], "")),
        FigureColumn("due at", lambda row: row["slot"], css="nowrap"),
        FigureColumn("slots", lambda row: row["slots"]),
        Column("why", lambda row: row["reason"]),
    ),
    title="Missed readings",
    css="tall folds",
)
