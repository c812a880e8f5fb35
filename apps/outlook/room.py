"""True headroom of space: what tablespaces lie on, who shares it, and what is left of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from apps.catalog.details import Room, details_of
from apps.catalog.registry import get_metric
from apps.catalog.units import convert
from apps.forecasting.engine.true_room import (
    OverCommit,
    Pool,
    SpaceUse,
    TrueRoom,
    most_committed,
    over_commit,
    true_room,
)
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.mounts import NO_HOST, Figures, Mounts
from apps.snapshots.dictionary import keys_of
from apps.snapshots.history import read_vectors
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage, Fact
from apps.thresholds.models import Threshold

UNIT = "GB"
NOT_READ = "where its files lie was not known then"
NOT_SHOWN = "where some of its files lie could not be read"


FULL = 0.99  # of what a thing may grow to: a limit from there on is its end


def is_full_at_limit(outlook: Outlook) -> bool:
    """Whether what reaches this limit can grow no further; a query where it is the size of a thing that has a ceiling."""
    rooms = [detail.room for detail in details_of(outlook.target.platform) if detail.room is not None]
    room = next((room for room in rooms if room.used == outlook.metric), None)
    limit = outlook.limit
    if room is None or limit is None or limit.edge is None or outlook.figure != Threshold.FigureOf.VALUE:
        return False
    ceiling = (room.most, outlook.component)
    most = read_series([outlook.target], [ceiling], outlook.day, outlook.day)[outlook.target.pk].value(0, 0)
    if most is None:
        return False
    return limit.edge >= FULL * convert(most, get_metric(room.most).display_unit, outlook.unit)


@dataclass(frozen=True)
class RoomRow:
    """One tablespace: its sizes in GB, what it lies on, and what is left."""

    space: SpaceUse
    places: str
    free: float | None  # of all it lies on, together
    why_free: str
    shared: OverCommit
    left: TrueRoom

    @property
    def uncounted(self) -> str:
        return ", ".join(self.shared.uncounted)


def true_rooms(target: Target, room: Room, day: date) -> list[RoomRow]:
    """The true headroom of each tablespace that was read on a day, the least first. The queries do not depend on how many."""
    hosts = _hosts(target)
    sharing = _neighbours(target, hosts)
    read = _figures([*(member.pk for member in (target, *sharing)), *hosts], room, day)
    if not any(metric == room.used for metric, _ in read[target.pk]):
        return []
    lies_on = _read_places([target, *sharing], room.fact, day)
    estate = _Estate(target, room, read, lies_on, Mounts(room, [read[pk] for pk in sorted(hosts)]))
    spaces = [space for member in (target, *sharing) for space in estate.spaces(member)]
    unknown = [
        neighbour.name
        for neighbour in sharing
        if not any(metric == room.used for metric, _ in read.get(neighbour.pk, {}))
    ]
    pools = {name: estate.pool(name, spaces) for name in dict.fromkeys(p for s in spaces for p in s.pools)}
    shared = {
        name: over_commit(pool, spaces, unknown)
        if hosts
        else OverCommit(None, f"who shares it is not known: {NO_HOST}" if pool.free is not None else pool.why)
        for name, pool in pools.items()
    }
    rows = [
        _row(space, pools, shared, estate.unplaced(target, space.name)) for space in estate.spaces(target)
    ]
    return sorted(rows, key=lambda row: (row.left.value is None, row.left.value or 0.0, row.space.name))


def _row(
    space: SpaceUse, pools: Mapping[str, Pool], shared: Mapping[str, OverCommit], unplaced: str
) -> RoomRow:
    own = [pools[name] for name in space.pools]
    why = unplaced if not own else next((pool.why for pool in own if pool.free is None), "")
    free = None if why else sum(pool.free or 0.0 for pool in own)
    ratio = most_committed([shared[name] for name in space.pools]) if own else OverCommit(None, unplaced)
    return RoomRow(space, ", ".join(space.pools), free, why, ratio, true_room(space, pools, unplaced))


def _hosts(target: Target) -> set[int]:
    """The hosts of an instance or, of a database, those of its instances."""
    if target.kind == Target.Kind.DATABASE:
        members = target.members.in_estate().exclude(runs_on=None)
        return {pk for pk in members.values_list("runs_on", flat=True) if pk is not None}
    return {target.runs_on_id} if target.runs_on_id else set()


def _neighbours(target: Target, hosts: Iterable[int]) -> list[Target]:
    """The other targets with tablespaces on these hosts; an instance of a database has those of the database."""
    on_them = Q(kind=Target.Kind.INSTANCE, database=None, runs_on__in=hosts) | Q(
        kind=Target.Kind.DATABASE, members__runs_on__in=hosts
    )
    others = Target.objects.in_estate().filter(on_them, platform=target.platform, is_demo=target.is_demo)
    return list(others.exclude(pk=target.pk).distinct())


def _figures(targets: Sequence[int], room: Room, day: date) -> dict[int, dict[tuple[str, str], float]]:
    """What was read of the targets on a day, in GB: one query, and what the process keeps of names."""
    factors = {
        key: convert(1.0, get_metric(key).unit, UNIT)
        for key in (
            room.used, room.size, room.most, room.group_free, room.filesystem_free, room.filesystem_used,
        )
    }  # fmt: skip
    read = read_vectors(targets, sorted(room.categories()), day)
    figures: dict[int, dict[tuple[str, str], float]] = {pk: {} for pk in targets}
    for pk, layout, values in read.rows:
        for (_, metric, component), value in zip(
            keys_of(read.series[layout].tolist()), values.tolist(), strict=True
        ):
            if metric in factors and value == value:
                figures[pk][metric, component] = value * factors[metric]
    return figures


def _read_places(targets: Sequence[Target], name: str, day: date) -> dict[tuple[int, str], str]:
    """Where each thing lay when the day was closed: two queries."""
    closed = dict(Coverage.objects.filter(target__in=targets, day=day).values_list("target", "captured_at"))
    facts = Fact.objects.filter(target__in=targets, name=name).order_by("since")
    return {
        (pk, component): value
        for pk, component, since, value in facts.values_list("target", "component", "since", "value")
        if (moment := closed.get(pk)) is not None and since <= moment
    }


@dataclass(frozen=True)
class _Estate:
    """What was read of a target, of those that share its hosts, and of the hosts."""

    target: Target
    room: Room
    read: Mapping[int, Figures]
    lies_on: Mapping[tuple[int, str], str]
    mounts: Mounts

    def spaces(self, target: Target) -> list[SpaceUse]:
        of, room = self.read[target.pk], self.room
        names = [component for metric, component in of if metric == room.used]
        return [
            SpaceUse(
                target.name,
                name,
                of.get((room.used, name)),
                of.get((room.size, name)),
                of.get((room.most, name)),
                self._pools_of(target, name),
            )
            for name in names
        ]

    def _pools_of(self, target: Target, name: str) -> tuple[str, ...]:
        places = self.lies_on.get((target.pk, name), "").splitlines()
        pools = (place if place.startswith("+") else self.mounts.mount_of(place) or place for place in places)
        return tuple(dict.fromkeys(pools))

    def unplaced(self, target: Target, name: str) -> str:
        return NOT_READ if (target.pk, name) not in self.lies_on else NOT_SHOWN

    def pool(self, name: str, spaces: Sequence[SpaceUse]) -> Pool:
        """What is free in a disk group as the target itself sees it, or in a filesystem of its hosts."""
        if not name.startswith("+"):
            return self.mounts.pool(name, spaces)
        free = self.read[self.target.pk].get((self.room.group_free, name[1:]))
        return Pool(name, free, "" if free is not None else f"disk group {name} was not measured")
