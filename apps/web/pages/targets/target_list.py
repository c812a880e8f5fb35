"""The list of targets, worst state first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from apps.collection.today import newest_read_slot
from apps.collection.unread_targets import unread_targets
from apps.outlook.counts import over_by_target
from apps.snapshots.models import Fact
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.web.pages.targets.bulk_change import stamp_of
from apps.web.target_filters import VERSIONS, filtered, filters
from apps.web.target_states import states


@dataclass(frozen=True)
class TargetRow:
    name: str
    url: str
    state: FigureState | None
    kind: str
    version: str
    group: str
    environment: str
    owner: str
    read_at: datetime | None
    open_violations: int
    is_demo: bool
    is_paused: bool
    blocked: str
    choice: str = ""  # key and stamp, as a list sends them

    @property
    def key(self) -> str:
        return self.choice.partition(":")[0]


def target_rows(given: Mapping[str, str]) -> tuple[list[TargetRow], dict[str, Any]]:
    """Rows of the list of targets, worst state first, and the filters."""
    targets = filtered(given)
    now = timezone.now()
    state = states(targets, unread_targets(targets, now))
    read = dict(targets.values_list("pk", newest_read_slot(now)))
    versions = dict(
        Fact.objects.filter(target__in=targets, name__in=VERSIONS)
        .order_by("since")
        .values_list("target_id", "value")
    )
    over = over_by_target(targets, now)
    rows = [
        TargetRow(
            name=target.name,
            url=target.get_absolute_url(),
            state=state[target.pk],
            kind=target.get_kind_display(),
            version=versions.get(target.pk, ""),
            group=target.group.name if target.group else "",
            environment=target.environment,
            owner=str(target.owner) if target.owner else "",
            read_at=read_at.astimezone(target.zone) if (read_at := read[target.pk]) else None,
            open_violations=over[target.pk],
            is_demo=target.is_demo,
            is_paused=target.is_paused,
            blocked=target.blocked_because,
            choice=f"{target.pk}:{stamp_of(target)}",
        )
        for target in targets
    ]
    order = {one: index for index, one in enumerate((*WORST_FIRST, None))}
    return sorted(rows, key=lambda row: (order[row.state], row.name.lower())), filters(given)
