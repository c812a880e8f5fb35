"""How the collection went: what was not read and why, the last nights, what each source costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse

from apps.charts import figures
from apps.collection.models import CollectionRun
from apps.collection.room import room_of_database
from apps.inventory.models import Target
from apps.web.sentences import Part, capital, count

NIGHTS = 14
_LABELS = {"complete": "read in full", "partial": "read in part", "failed": "not read", "missed": "missed"}


@dataclass(frozen=True)
class Problem:
    """A target that was not read in full, why, and the one next step."""

    target: str
    url: str
    what: str
    since: str
    step: str
    step_url: str
    since_on: date


class LastRun(NamedTuple):
    """How the last reading of a target ended: an estate has thousands, so each is no more than what lists tell of it."""

    target: Target
    slot: datetime
    began_at: datetime
    state: str

    @property
    def has_snapshot(self) -> bool:
        return self.state in CollectionRun.WITH_SNAPSHOT


def latest_runs() -> list[CollectionRun]:
    """The newest finished run of every watched target."""
    return list(CollectionRun.objects.latest_per_target(Target.objects.watched()).select_related("target"))


def last_runs_of(targets: QuerySet[Target]) -> list[LastRun]:
    """The newest finished run of each of these targets."""
    by_pk = {target.pk: target for target in targets}
    found = CollectionRun.objects.latest_per_target(targets)
    rows = found.values_list("target_id", "slot", "began_at", "state")
    return [LastRun(by_pk[pk], slot, began_at, state) for pk, slot, began_at, state in rows]


def failures(runs: Sequence[CollectionRun | LastRun]) -> list[Part]:
    """How many targets were read last, and which were not, in a sentence."""
    if not runs:
        return [Part("Nothing was read yet", True), Part("; the first reading comes within a minute.")]
    bad = [run for run in runs if not run.has_snapshot]
    partial = [run for run in runs if run.state == CollectionRun.State.PARTIAL]
    good = len(runs) - len(bad)
    if not bad and not partial:
        told = "The one target was read" if len(runs) == 1 else f"All {len(runs)} targets were read"
        return [Part(told, True), Part(", every source.")]
    parts = [Part(f"{good} of {len(runs)}", True), Part(" targets were read. ")]
    if bad:
        names = ", ".join(run.target.name for run in bad[:3])
        more = f" and {len(bad) - 3} more" if len(bad) > 3 else ""
        parts += [Part(f"{names}{more}", True), Part(f" {'was' if len(bad) == 1 else 'were'} not. ")]
    if partial:
        parts.append(
            Part(
                f"{capital(count(len(partial), 'target'))} {'lacks' if len(partial) == 1 else 'lack'} a source."
            )
        )
    return parts


def problems(runs: Iterable[CollectionRun]) -> list[Problem]:
    """What is wrong now, those that wait for a person first."""
    found = []
    for run in runs:
        target = run.target
        url = reverse("target_collection", args=[target.pk])
        since_on = run.slot.astimezone(target.zone).date()
        since = figures.short_day(since_on)
        if not run.has_snapshot:
            step, name = way_on(target)
            found.append(
                (
                    not target.is_blocked,
                    Problem(
                        target.name, url, run.reason, since, step, reverse(name, args=[target.pk]), since_on
                    ),
                )
            )
        elif run.state == CollectionRun.State.PARTIAL:
            first = run.failed_sources[0]
            more = len(run.failed_sources) - 1
            what = f"{first['error']}" + (f" {capital(count(more, 'more source'))} failed." if more else "")
            found.append((True, Problem(target.name, url, what, since, "Look at its runs", url, since_on)))
    return [problem for _, problem in sorted(found, key=lambda pair: (pair[0], pair[1].target))]


def way_on(target: Target) -> tuple[str, str]:
    """What somebody can do about a target that was not read: in words, and the name of the page."""
    if not target.is_blocked:
        return "Look at its runs", "target_collection"
    if any(words in target.blocked_because for words in ("host key", "private key", "address")):
        return "Look at its address", "target_address"
    return "Give a new password", "target_password"


def noted(runs: Iterable[CollectionRun]) -> list[dict[str, str]]:
    """What the latest readings that succeeded have to say of their targets."""
    return [
        {
            "target": run.target.name,
            "url": reverse("target_collection", args=[run.target_id]),
            "notes": " ".join(run.notes),
        }
        for run in sorted(runs, key=lambda run: run.target.name.lower())
        if run.has_snapshot and run.notes
    ]


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
            "reason": _with_slots(run),
        }
        for run in runs.select_related("target").defer("sources", "notes").order_by("-slot")[:MOST_MISSED]
    ]


def _with_slots(run: CollectionRun) -> str:
    """Why a run came to nothing; of several slots in a row, which they were."""
    if run.last_slot is None:
        return run.reason
    first, last = (moment.astimezone(run.target.zone) for moment in (run.slot, run.last_slot))
    return f"{count(run.slots, 'slot')} from {first:%H:%M} to {last:%H:%M}. {run.reason}"


def costs(runs: Iterable[CollectionRun]) -> list[dict[str, Any]]:
    """What each source costs: its median and worst time over the latest runs, dearest first."""
    seconds: dict[str, list[float]] = {}
    series: dict[str, list[int]] = {}
    for run in runs:
        for source in run.sources:
            seconds.setdefault(source["name"], []).append(source["seconds"])
            series.setdefault(source["name"], []).append(source["series"])
    rows = [
        {
            "source": name,
            "targets": len(times),
            "median_s": f"{median(times):.3f}",
            "worst_s": f"{max(times):.3f}",
            "series": round(median(series[name])),
        }
        for name, times in seconds.items()
    ]
    return sorted(rows, key=lambda row: -float(row["worst_s"]))


def sizes() -> list[dict[str, str]]:
    """Headroom's own room: what its tables take, and what its disk has left."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, sum(pg_total_relation_size(i.inhrelid)) FROM pg_inherits i"
            " JOIN pg_class c ON c.oid = i.inhparent WHERE c.relname IN ('snapshot', 'figure') GROUP BY 1 ORDER BY 1"
        )
        parts = dict(cursor.fetchall())
        cursor.execute("SELECT pg_database_size(current_database())")
        (whole,) = cursor.fetchone()
    names = {"snapshot": "readings", "figure": "daily figures"}
    rows = [{"what": names[name], "size": figures.bytes_text(float(size))} for name, size in parts.items()]
    rows.append({"what": "whole database", "size": figures.bytes_text(float(whole))})
    room = room_of_database()
    if room is None:
        return [*rows, {"what": "left on its disk", "size": "not seen from here: PostgreSQL is your own"}]
    left = f"{figures.bytes_text(room.free_bytes)} of {figures.bytes_text(room.total_bytes)}"
    return [*rows, {"what": "left on its disk", "size": left}]


def runs_of(runs: Iterable[CollectionRun]) -> list[dict[str, Any]]:
    """Runs as the page of a target lists them."""
    return [
        {
            "slot": run.slot.astimezone(run.target.zone),
            "state": run.state,
            "seconds": f"{run.seconds:.2f}",
            "series": run.series,
            "reason": _with_slots(run),
            "notes": run.notes,
            "tries": run.tries,
            "sources": run.sources,
        }
        for run in runs
    ]
