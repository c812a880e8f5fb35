"""What our own database knows of a target before it is read: when each source was read last, and what was told of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Max, Q

from apps.inventory.models import Target
from apps.platforms.oracle.host_boot import HostCounters, read_host_counters
from apps.snapshots.models import IDENTITY, Snapshot
from apps.snapshots.newest_facts import read_newest_facts

LONGEST = timedelta(days=35)  # how far back a reading is looked for
SLACK = 0.02  # of a rhythm: slots are not to the second, and days have 23 hours at times
MOST_TOLD = 5  # parameters that are told one by one


@dataclass(frozen=True)
class Before:
    """
    `newest`: the slot of the newest reading of each category before. `facts`: what is known, by name or name/component.

    `segments`: the counters of segments that are read on, by metric and component. `host`: when its counters were read.
    """

    slot: datetime | None = None
    newest: Mapping[int, datetime] = field(default_factory=dict)
    read: frozenset[int] = frozenset()  # of this very slot, by an earlier try that was partial
    facts: Mapping[str, str] = field(default_factory=dict)
    segments: frozenset[tuple[str, str]] = frozenset()
    host: HostCounters | None = None

    @classmethod
    def of(cls, target: Target, slot: datetime) -> "Before":
        """Three queries, before anything is waited for."""
        read = (
            Snapshot.objects.filter(target_id=target.pk, part=0, bucket__gt=slot - LONGEST, bucket__lte=slot)
            .values("category")
            .annotate(newest=Max("bucket", filter=Q(bucket__lt=slot)), read=Max("bucket"))
        )
        return cls(
            slot,
            {row["category"]: row["newest"] for row in read if row["newest"] is not None},
            frozenset(row["category"] for row in read if row["read"] == slot),
            {
                f"{name}/{component}" if component else name: value
                for (_, name, component), value in read_newest_facts([target]).items()
            },
            host=read_host_counters(target, slot),
        )

    def is_due(self, category: int, every: timedelta) -> bool:
        """Whether so much time has gone by since a category was read; one that failed is due again."""
        last = self.newest.get(category)
        if last is None or self.slot is None or not every:
            return True
        patience = max(
            every * SLACK, timedelta(hours=1, minutes=5) if every >= timedelta(days=1) else timedelta()
        )
        return self.slot - last >= every - patience


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What is different from what was known, as sentences."""

    def differs(name: str) -> bool:
        return bool(before.get(name)) and name in now and before[name] != now[name]

    if differs(IDENTITY):
        yield (
            f"Another instance answers: {now[IDENTITY]}, before it was {before[IDENTITY]}. There is no difference over"
            " the change."
        )
    if differs("role"):
        yield f"Its role changed from {before['role'].lower()} to {now['role'].lower()}."
    if differs("version"):
        yield f"Its release changed from {before['version']} to {now['version']}."
    changed = [name for name in now if name.startswith("parameter/") and differs(name)]
    for name in changed[:MOST_TOLD]:
        yield f"{name.removeprefix('parameter/')} changed from {before[name]} to {now[name] or 'nothing'}."
    if len(changed) > MOST_TOLD:
        yield f"{len(changed) - MOST_TOLD} more parameters changed."
