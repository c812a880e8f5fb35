"""The last nights of the collection: what was read, and which slots were missed."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.urls import reverse

from apps.charts import figures
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.web.collection_runs import reason_of
from apps.web.sentences import count

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
        known = worst.get(key)
        if known is None or order.index(run.state) > order.index(known[0]):
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
    return {"days": [f"{day:%-d}" for day in days], "rows": rows}


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
