"""What was not read and why, and what the readings have to say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.urls import reverse

from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.web.cells import link
from apps.web.sentences import capital, count
from apps.web.tables import Column, FigureColumn, RowHead, Table


@dataclass(frozen=True)
class Problem:
    """A target that was not read in full, why, and the one next step."""

    target: str
    url: str
    what: str
    step: str
    step_url: str
    since_on: date


def problems(runs: Iterable[CollectionRun]) -> list[Problem]:
    """What is wrong now, those that wait for a person first."""
    ordered = []
    for run in runs:
        target = run.target
        url = reverse("target_collection", args=[target.pk])
        since_on = run.slot.astimezone(target.zone).date()
        if not run.has_snapshot:
            step, name = way_on(target)
            ordered.append(
                (
                    not target.is_blocked,
                    Problem(target.name, url, run.reason, step, reverse(name, args=[target.pk]), since_on),
                )
            )
        elif run.state == CollectionRun.State.PARTIAL:
            first = run.failed_sources[0]
            more = len(run.failed_sources) - 1
            what = f"{first['error']}" + (f" {capital(count(more, 'more source'))} failed." if more else "")
            ordered.append((True, Problem(target.name, url, what, "Look at its runs", url, since_on)))
    return [problem for _, problem in sorted(ordered, key=lambda pair: (pair[0], pair[1].target))]


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


PROBLEMS: Table[Problem] = Table(
    "not-read",
    "Targets that were not read in full",
    (
        RowHead("target", lambda row: row.target, lambda row: link(row.url, row.target, "")),
        Column("what happened", lambda row: row.what),
        FigureColumn("slot", lambda row: row.since_on, label="slot", css="nowrap"),
        FigureColumn("next step", lambda row: row.step, lambda row: link(row.step_url, row.step, "")),
    ),
    title="What was not read",
    css="tall folds",
    opens_rows=True,
)
NOTED: Table[Mapping[str, str]] = Table(
    "noted",
    "What readings noted",
    (
        RowHead("target", lambda row: row["target"], lambda row: link(row["url"], row["target"], "")),
        Column("what was noted", lambda row: row["notes"]),
    ),
    css="tall folds",
)
