"""
True headroom of space: the least of what a tablespace may grow to and of the free space that it shares with others.

All sizes are in one unit, MB on the pages. What cannot be told is None with a reason, never a number.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CEILING = "the maximum of its files"


@dataclass(frozen=True)
class Pool:
    """A disk group or a filesystem: what is free in it, or why that is not known."""

    name: str  # "+DATA", "/u02"
    free: float | None = None
    why: str = ""


@dataclass(frozen=True)
class SpaceUse:
    """A tablespace of a target: what is used, its files, what they may grow to, and the names of the pools it lies on."""

    owner: str
    name: str
    used: float | None
    size: float | None
    most: float | None
    pools: tuple[str, ...] = ()  # none: it is not known where it lies

    @property
    def growth(self) -> float | None:
        """What the files may still grow beyond their size now."""
        if self.size is None or self.most is None:
            return None
        return max(self.most - self.size, 0.0)


@dataclass(frozen=True)
class OverCommit:
    """
    What the tablespaces on a pool may still grow, as a multiple of what is free there; above 1 not all of them can.

    `uncounted` names targets of which something could not be counted: then the ratio is at least this.
    """

    ratio: float | None
    why: str = ""
    uncounted: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrueRoom:
    """
    What a tablespace can still take.

    `at_least` where it lies on several pools: which of its files grow decides how much from there to `value` it is.
    """

    value: float | None
    binds: str = ""
    why: str = ""
    at_least: float | None = None


def mount_of(directory: str, mounts: Iterable[str]) -> str | None:
    """Return the longest mount point that the directory lies on, None where there is none."""
    path = directory.rstrip("/") + "/"
    points = [mount for mount in mounts if path.startswith(mount.rstrip("/") + "/")]
    return max(points, key=len, default=None)


def holds_too_much(pool: str, held: float, spaces: Iterable[SpaceUse]) -> bool:
    """Return whether tablespaces that lie on this pool alone use more than it holds: then they lie elsewhere."""
    return sum(space.used or 0.0 for space in spaces if space.pools == (pool,)) > held


def over_commit(pool: Pool, spaces: Iterable[SpaceUse], unknown: Iterable[str] = ()) -> OverCommit:
    """
    Return the sum of (maximum - size) over the tablespaces on the pool, by what is free there.

    A tablespace on several pools counts in full on each: any of them may be asked for it. `unknown` names targets that
    share the pool and of which nothing is known.
    """
    if pool.free is None:
        return OverCommit(None, pool.why)
    uncounted = set(unknown)
    growth = 0.0
    for space in spaces:
        if space.pools and pool.name not in space.pools:
            continue
        if not space.pools or space.growth is None:
            uncounted.add(space.owner)
        else:
            growth += space.growth
    named = tuple(sorted(uncounted))
    if pool.free <= 0:
        return OverCommit(None, "nothing is free there", named) if growth else OverCommit(0.0, "", named)
    return OverCommit(growth / pool.free, "", named)


def true_room(space: SpaceUse, pools: Mapping[str, Pool], why_unplaced: str = "") -> TrueRoom:
    """
    Return the least of (maximum - used) and (size - used) + what is free in the pools, and which of the two it is.

    Below zero free counts as nothing. A tablespace that cannot grow needs nothing of its pools.
    """
    if space.used is None or space.size is None or space.most is None or space.growth is None:
        return TrueRoom(None, why="its used space, size or maximum was not read")
    ceiling = max(space.most, space.size) - space.used
    if space.growth == 0:
        return TrueRoom(ceiling, CEILING)
    unused = space.size - space.used
    frees = [pools[name].free for name in space.pools]
    why = next((pools[name].why for name in space.pools if pools[name].free is None), "")
    if not frees or why:
        return TrueRoom(None, why=why or why_unplaced)
    sizes = [max(free or 0.0, 0.0) for free in frees]
    below = unused + sum(sizes)
    sure = unused + min(min(sizes), space.growth)  # all of it may have to be found in the fullest one
    at_least = sure if len(sizes) > 1 and sure < min(ceiling, below) else None
    if ceiling <= below:
        return TrueRoom(ceiling, CEILING, at_least=at_least)
    return TrueRoom(below, f"free space of {' and '.join(space.pools)}", at_least=at_least)


def most_committed(pools: Sequence[OverCommit]) -> OverCommit:
    """Return the worst of several pools: one that cannot be told comes before any ratio."""
    unknown = next((pool for pool in pools if pool.ratio is None), None)
    return unknown or max(pools, key=lambda pool: pool.ratio or 0.0)
