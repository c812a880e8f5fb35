"""What ran, and where, on both sides of a change: what differs there may be the cause of every difference."""

from datetime import date

from apps.inventory.models import Target
from apps.snapshots.engine.days import day_of
from apps.snapshots.models import IDENTITY
from apps.snapshots.newest_facts import read_facts
from apps.thresholds.case_steps import Refusal

RELEASES = ("version", "kernel", IDENTITY)  # facts that say what software runs, and whose figures these are


def refuse_other_release(target: Target, before: date, after: date) -> None:
    """Refuse two days on which a target or its machine had another release, or was another one. Raises Refusal."""
    for owner in (target, *([target.runs_on] if target.runs_on else [])):
        then, later = (
            read_facts(owner, *RELEASES, until=day_of(day, owner.zone).ended_at) for day in (before, after)
        )
        for name in RELEASES:
            first, second = then.get(name), later.get(name)
            if first and second and first != second:
                did = "was" if name == IDENTITY else "ran"
                raise Refusal(
                    f"{owner.name} {did} {first} before and {second} after: what changed may be due to that. Choose windows of the"
                    " same release and machine, or tick that this is the change."
                )
