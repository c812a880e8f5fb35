"""Runs of the collection as pages tell them: which targets were read last, and why others were not."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from apps.charts import figures
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table


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
    latest = CollectionRun.objects.latest_per_target(targets)
    rows = latest.values_list("target_id", "slot", "began_at", "state")
    return [LastRun(by_pk[pk], slot, began_at, state) for pk, slot, began_at, state in rows]


def failures(runs: Sequence[CollectionRun | LastRun]) -> list[Part]:
    """How many targets were read last, and which were not, in a sentence."""
    if not runs:
        return [Part("Nothing was read yet", True), Part("; the first reading comes within a minute.")]
    bad = [run for run in runs if not run.has_snapshot]
    partial = [run for run in runs if run.state == CollectionRun.State.PARTIAL]
    good = len(runs) - len(bad)
    if not bad and not partial:
        sentence = "The one target was read" if len(runs) == 1 else f"All {len(runs)} targets were read"
        return [Part(sentence, True), Part(", every source.")]
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


def reason_of(run: CollectionRun) -> str:
    """Why a run came to nothing; of several slots in a row, which they were."""
    if run.last_slot is None:
        return run.reason
    first, last = (moment.astimezone(run.target.zone) for moment in (run.slot, run.last_slot))
    return f"{count(run.slots, 'slot')} from {first:%H:%M} to {last:%H:%M}. {run.reason}"


def _what_happened(row: Mapping[str, Any]) -> str:
    return "; ".join(filter(None, (row["reason"], *row["notes"])))


RUNS: Table[Mapping[str, Any]] = Table(
    "runs",
    "The last readings, newest first",
    (
        Column("result", lambda row: str(row["state"]), css="nowrap", template="pages/target/run_state.html"),
        RowHead("slot", lambda row: row["slot"], is_figure=True, css="nowrap"),
        FigureColumn(
            "took", lambda row: row["seconds"], lambda row: figures.seconds_text(row["seconds"]),
            file_head="took, s",
        ),
        FigureColumn("series", lambda row: row["series"]),
        Column("tries", lambda row: row["tries"], in_file_only=True),
        Column("what happened", _what_happened, template="pages/target/run_notes.html"),
        DrawingColumn("sources", template="pages/target/run_sources.html"),
    ),
    title="Readings",
    file_order=("slot", "result", "took, s", "series", "tries", "what happened"),
)  # fmt: skip


def runs_of(runs: Iterable[CollectionRun]) -> list[dict[str, Any]]:
    """Runs as the page of a target lists them."""
    return [
        {
            "slot": run.slot.astimezone(run.target.zone),
            "state": run.state,
            "seconds": round(run.seconds, 2),
            "series": run.series,
            "reason": reason_of(run),
            "notes": run.notes,
            "tries": run.tries,
            "sources": run.sources,
        }
        for run in runs
    ]
