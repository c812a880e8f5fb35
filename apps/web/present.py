"""Lists of targets, and everything collected of one, as pages show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from apps.charts import figures
from apps.collection.today import newest_read_slot
from apps.collection.unread import Unread, unread_targets
from apps.inventory.models import Group, Target
from apps.outlook.figure import state_of_case
from apps.people.models import User
from apps.snapshots.measured import read_all
from apps.snapshots.models import Fact
from apps.snapshots.presence import Presence
from apps.thresholds.judge import WORST_FIRST, State
from apps.thresholds.models import Threshold, Violation
from apps.web.page import Page
from apps.web.together import stamp_of

VERSIONS = ("version", "kernel")
MOST = 400  # rows of everything collected on one page


@dataclass(frozen=True)
class TargetRow:
    name: str
    url: str
    state: State | None
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


def filtered(given: Mapping[str, str]) -> QuerySet[Target]:
    """The targets of the estate that the filters of an address leave."""
    targets = Target.objects.in_estate().prefetch_related("group", "owner")
    if given.get("group"):
        targets = targets.filter(group__name=given["group"])
    if given.get("environment"):
        targets = targets.filter(environment=given["environment"])
    if given.get("owner"):
        targets = targets.filter(owner__username=given["owner"])
    if given.get("version"):
        targets = targets.annotate(version=_version()).filter(version=given["version"])
    if words := given.get("q"):
        said = Q(name__icontains=words) | Q(notes__icontains=words) | Q(group__name__icontains=words)
        targets = targets.filter(said | Q(environment__icontains=words))
    return targets


def _version() -> Subquery:
    """The version a target said last: of Oracle, or of the kernel of a host."""
    told = Fact.objects.filter(target=OuterRef("pk"), name__in=VERSIONS, component="").order_by("-since")
    return Subquery(told.values("value")[:1])


def filters(given: Mapping[str, str]) -> dict[str, Any]:
    """What can be filtered by, and what is set."""
    owners = User.objects.filter(pk__in=Target.objects.in_estate().values("owner"))
    return {
        "group": {
            "value": given.get("group", ""),
            "options": list(Group.objects.values_list("name", flat=True)),
        },
        "environment": {
            "value": given.get("environment", ""),
            "options": list(
                Target.objects.in_estate()
                .exclude(environment="")
                .order_by()
                .values_list("environment", flat=True)
                .distinct()
            ),
        },
        "owner": {"value": given.get("owner", ""), "options": [(one.username, str(one)) for one in owners]},
        "version": {
            "value": given.get("version", ""),
            "options": list(
                Target.objects.in_estate()
                .annotate(version=_version())
                .exclude(version=None)
                .order_by("version")
                .values_list("version", flat=True)
                .distinct()
            ),
        },
        "q": given.get("q", ""),
        "any": any(given.get(name) for name in ("group", "environment", "owner", "version", "q")),
    }


def states(targets: QuerySet[Target], unread: Mapping[int, Unread]) -> dict[int, State | None]:
    """
    The state of each target: nothing is known of the `unread` ones and before a first review, of others it is the worst of their cases.

    None for a target without any limit.
    """
    cases: dict[int, set[State]] = {}
    live = Violation.objects.live().filter(target__in=targets)
    for case in live.only("target_id", "opened_on", "closed_on", "days_inside"):
        cases.setdefault(case.target_id, set()).add(state_of_case(case))
    limits = Threshold.objects.in_force().order_by()
    limited = set(limits.values_list("target_id", flat=True).distinct())
    groups = set(limits.exclude(group=None).values_list("group_id", flat=True).distinct())

    def state(target: Target) -> State | None:
        if target.pk in unread:
            return State.NO_DATA
        if target.pk in cases:
            return min(cases[target.pk], key=WORST_FIRST.index)
        if target.pk not in limited and target.group_id not in groups:
            return None
        return State.COMFORTABLE if target.reviewed_through is not None else State.NO_DATA

    return {target.pk: state(target) for target in targets}


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
    counts: dict[int, int] = {}
    for pk in Violation.objects.over().filter(target__in=targets).values_list("target_id", flat=True):
        counts[pk] = counts.get(pk, 0) + 1
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
            open_violations=counts.get(target.pk, 0),
            is_demo=target.is_demo,
            is_paused=target.is_paused,
            blocked=target.blocked_because,
            choice=f"{target.pk}:{stamp_of(target)}",
        )
        for target in targets
    ]
    order = {one: index for index, one in enumerate((*WORST_FIRST, None))}
    return sorted(rows, key=lambda row: (order[row.state], row.name.lower())), filters(given)


def everything(page: Page, words: str) -> list[dict[str, Any]]:
    """What was read of a day and its statistic or component contains the words, in the unit of the profile."""
    if page.day is None:
        return []
    measured = read_all([page.target], [page.day])[page.target.pk]
    wanted = words.casefold()
    rows = []
    for at, (metric, (key, component)) in enumerate(zip(measured.metrics, measured.keys, strict=True)):
        presence = measured.presence(at, 0)
        if (
            presence is Presence.NO_DATA
            or wanted not in f"{key} {metric.label} {metric.name} {component}".casefold()
        ):
            continue
        value = measured.value(at, 0)
        rows.append(
            {
                "section": metric.section,
                "statistic": metric.label,
                "key": key,
                "component": component,
                "value": "" if value is None else figures.figure(value),
                "exact": "" if value is None else figures.exact(value, metric.display_unit),
                "number": value,
                "presence": str(presence),
                "unit": metric.display_unit,
                "source": metric.source,
                "pk": str(page.target.pk),
            }
        )
    return rows
