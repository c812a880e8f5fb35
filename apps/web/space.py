"""True headroom of space on the page of a target: what its tablespaces lie on, who shares it, and what is left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from apps.catalog.details import Room
from apps.catalog.registry import get_metric
from apps.catalog.units import convert
from apps.charts import figures
from apps.forecasting.room import (
    OverCommit,
    Pool,
    Space,
    TrueRoom,
    most_committed,
    over_commit,
    true_room,
)
from apps.inventory.models import Target
from apps.snapshots.dictionary import keys_of
from apps.snapshots.history import read_vectors
from apps.snapshots.models import Coverage, Fact
from apps.web.mounts import NO_HOST, Figures, Mounts
from apps.web.sentences import Part, day_in_words

UNIT = "GB"
MOST_ROWS = 50
NOT_READ = "where its files lie was not known by then"
NOT_SHOWN = "where some of its files lie could not be read"


@dataclass(frozen=True)
class RoomRow:
    """One tablespace: its sizes in GB, what it lies on, and what is left."""

    space: Space
    places: str
    free: float | None  # of all it lies on, together
    why_free: str
    shared: OverCommit
    left: TrueRoom

    @property
    def sizes(self) -> tuple[float | None, float | None, float | None]:
        return self.space.used, self.space.size, self.space.most

    @property
    def left_plain(self) -> str:
        return f"{self.left.value:.9g}"

    @property
    def ratio_plain(self) -> str:
        return f"{self.shared.ratio:.9g}"

    @property
    def uncounted(self) -> str:
        return ", ".join(self.shared.uncounted)


@dataclass(frozen=True)
class Rooms:
    """The table of true headroom, least first, as of one day, those whose name contains the words."""

    day: date
    rows: Sequence[RoomRow]
    words: str = ""

    @property
    def matching(self) -> list[RoomRow]:
        wanted = self.words.casefold()
        return [row for row in self.rows if wanted in row.space.name.casefold()]

    @property
    def shown(self) -> list[RoomRow]:
        return self.matching[:MOST_ROWS]

    @property
    def more(self) -> int:
        return len(self.matching) - len(self.shown)

    @property
    def aside(self) -> str:
        return f"{UNIT}, by the last readings of {figures.short_day(self.day)}, least first"

    @property
    def footnotes(self) -> list[str]:
        """What the marks of the rows mean, and why something is missing, for people who have no pointer to hover with."""
        said = []
        if any(row.left.at_least is not None for row in self.shown):
            said.append("From … to: it lies on several places, and which of its files grow decides.")
        uncounted = sorted({name for row in self.shown for name in row.shared.uncounted})
        if uncounted:
            said.append(
                f"≥: not everything of {', '.join(uncounted)} on the same host is known, and it is left out."
            )
        reasons = [why for row in self.shown for why in (row.why_free, row.shared.why)]
        return [*said, *(f"No data: {why}." for why in dict.fromkeys(reasons) if why)]

    def sentence(self) -> list[Part]:
        """The tablespace with the least room, what binds it, and the most over-committed place."""
        known = [row for row in self.rows if row.left.value is not None]
        if not known:
            return [Part("True headroom cannot be told", True), Part(f": {self.rows[0].left.why}.")]
        first = known[0]
        parts = [
            Part(f"{first.space.name} has the least true headroom", True),
            Part(f": {_span(first.left)} {UNIT} on {day_in_words(self.day)}"),
            Part(f", bound by {first.left.binds}."),
        ]
        crowded = max(self.rows, key=lambda row: row.shared.ratio or 0.0)
        if (crowded.shared.ratio or 0.0) > 1:
            least = "at least " if crowded.shared.uncounted else ""
            parts.append(
                Part(
                    f" What lies on {crowded.places} may still grow by {least}"
                    f"{figures.figure(crowded.shared.ratio)} times what is free there."
                )
            )
        unknown = len(self.rows) - len(known)
        if unknown:
            parts.append(Part(f" Of {unknown} it cannot be told; the table says why."))
        return parts

    def sheet(self) -> tuple[list[str], Iterator[list[str | float | date | None]]]:
        heads = [
            "tablespace",
            "day",
            *(f"{name} ({UNIT})" for name in ("used", "size", "ceiling")),
            "lies on",
            f"free there ({UNIT})",
            "over-commit (times)",
            f"true headroom ({UNIT})",
            "what binds",
            "note",
        ]
        return heads, (
            [
                row.space.name,
                self.day,
                row.space.used,
                row.space.size,
                row.space.most,
                row.places,
                row.free,
                row.shared.ratio,
                row.left.value,
                row.left.binds,
                _note(row),
            ]
            for row in self.matching
        )


def _span(room: TrueRoom) -> str:
    """The figure, or both ends of what it may be."""
    least = "" if room.at_least is None else f"{figures.figure(room.at_least)} to "
    return f"{least}{figures.figure(room.value)}"


def _note(row: RoomRow) -> str:
    said = [row.left.why, row.why_free, row.shared.why]
    if row.left.at_least is not None:
        sure = figures.figure(row.left.at_least)
        said.append(
            f"at least {sure} {UNIT}: its files lie on several places, and which of them grow decides"
        )
    if row.shared.uncounted:
        said.append(f"over-commit is at least this, without all of {row.uncounted}")
    return "; ".join(dict.fromkeys(one for one in said if one))


def rooms_of(target: Target, room: Room, day: date, words: str = "") -> Rooms | None:
    """The true headroom of each tablespace that was read on a day; None where none was. The queries do not depend on how many."""
    hosts = _hosts(target)
    sharing = _sharing(target, hosts)
    read = _figures([*(one.pk for one in (target, *sharing)), *hosts], room, day)
    if not any(metric == room.used for metric, _ in read[target.pk]):
        return None
    lies_on = _lies_on([target, *sharing], room.fact, day)
    estate = _Estate(target, room, read, lies_on, Mounts(room, [read[pk] for pk in sorted(hosts)]))
    spaces = [space for one in (target, *sharing) for space in estate.spaces(one)]
    unknown = [
        one.name for one in sharing if not any(metric == room.used for metric, _ in read.get(one.pk, {}))
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
    rows.sort(key=lambda row: (row.left.value is None, row.left.value or 0.0, row.space.name))
    return Rooms(day, rows, words)


def _row(space: Space, pools: Mapping[str, Pool], shared: Mapping[str, OverCommit], unplaced: str) -> RoomRow:
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


def _sharing(target: Target, hosts: Iterable[int]) -> list[Target]:
    """The other targets with tablespaces on these hosts; an instance of a database has those of the database."""
    on_them = Q(kind=Target.Kind.INSTANCE, database=None, runs_on__in=hosts) | Q(
        kind=Target.Kind.DATABASE, members__runs_on__in=hosts
    )
    others = Target.objects.in_estate().filter(on_them, platform=target.platform, is_demo=target.is_demo)
    return list(others.exclude(pk=target.pk).distinct())


def _figures(targets: Sequence[int], room: Room, day: date) -> dict[int, dict[tuple[str, str], float]]:
    """What was read of the targets on a day, in GB: one query, and what the process keeps of names."""
    wanted = {
        key: convert(1.0, get_metric(key).unit, UNIT)
        for key in (
            room.used, room.size, room.most, room.group_free, room.filesystem_free, room.filesystem_used,
        )
    }  # fmt: skip
    read = read_vectors(targets, sorted(room.categories()), day)
    found: dict[int, dict[tuple[str, str], float]] = {pk: {} for pk in targets}
    for pk, layout, values in read.rows:
        for (_, metric, component), value in zip(
            keys_of(read.series[layout].tolist()), values.tolist(), strict=True
        ):
            if metric in wanted and value == value:
                found[pk][metric, component] = value * wanted[metric]
    return found


def _lies_on(targets: Sequence[Target], name: str, day: date) -> dict[tuple[int, str], str]:
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

    def spaces(self, target: Target) -> list[Space]:
        of, room = self.read[target.pk], self.room
        names = [component for metric, component in of if metric == room.used]
        return [
            Space(
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
        found = (one if one.startswith("+") else self.mounts.mount_of(one) or one for one in places)
        return tuple(dict.fromkeys(found))

    def unplaced(self, target: Target, name: str) -> str:
        return NOT_READ if (target.pk, name) not in self.lies_on else NOT_SHOWN

    def pool(self, name: str, spaces: Sequence[Space]) -> Pool:
        """What is free in a disk group as the target itself sees it, or in a filesystem of its hosts."""
        if not name.startswith("+"):
            return self.mounts.pool(name, spaces)
        free = self.read[self.target.pk].get((self.room.group_free, name[1:]))
        return Pool(name, free, "" if free is not None else f"disk group {name} was not measured")
