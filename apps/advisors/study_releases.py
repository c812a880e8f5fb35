"""What ran, and where, on both sides of a change: what differs there may be the cause of every difference."""

from datetime import date

from apps.inventory.models import Target
from apps.snapshots.engine.days import day_of
from apps.snapshots.models import IDENTITY, Fact
from apps.thresholds.case_steps import Refusal

RELEASES = ("version", "kernel", IDENTITY)  # facts that say what software runs, and whose figures these are


def refuse_other_release(target: Target, before: date, after: date) -> None:
    """Refuse two days on which a target or its machine had another release, or was another one. Raises Refusal."""
    for owner in (target, *([target.runs_on] if target.runs_on else [])):
        for name in RELEASES:
            first, second = (_fact_on(owner, name, day) for day in (before, after))
            if first and second and first != second:
                did = "was" if name == IDENTITY else "ran"
                raise Refusal(
                    f"{owner.name} {did} {first} before and {second} after: what changed may be due to that. Choose windows of the"
                    " same release and machine, or tick that this is the change."
                )


def _fact_on(owner: Target, name: str, day: date) -> str:
    """What a fact said at the end of a day; empty where it was not known yet."""
    rows = Fact.objects.filter(
        target=owner, name=name, component="", since__lt=day_of(day, owner.zone).ended_at
    )
    return rows.order_by("-since").values_list("value", flat=True).first() or ""
