"""The filesystems that the tablespaces of a target lie on, as its hosts see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.catalog.details import Room
from apps.forecasting.engine.true_room import Pool, SpaceUse, holds_too_much, mount_of

NO_HOST = "nobody has said which host it runs on"
Figures = Mapping[tuple[str, str], float]  # by metric and component, in GB


@dataclass(frozen=True)
class Mounts:
    """
    The filesystems of the hosts that a database runs on, as all of them see them.

    What is mounted in the same place on each of several hosts, as the files of one database are, is one cluster filesystem:
    the least that any of them sees free is what is free.
    """

    room: Room
    hosts: Sequence[Figures]

    def mount_of(self, directory: str) -> str | None:
        """The mount point of a directory; None where a host has not measured it, or has it elsewhere."""
        points = {
            mount_of(directory, [point for metric, point in host if metric == self.room.filesystem_free])
            for host in self.hosts
        }
        return points.pop() if len(points) == 1 else None

    def pool(self, mount: str, spaces: Sequence[SpaceUse]) -> Pool:
        """What is free there, or why that is not known."""
        if not self.hosts:
            return Pool(mount, None, NO_HOST)
        frees = [host.get((self.room.filesystem_free, mount)) for host in self.hosts]
        measured = [free for free in frees if free is not None]
        if len(measured) < len(frees):
            where = "" if len(frees) == 1 else " on every host of its instances"
            return Pool(mount, None, f"the filesystem of {mount} was not measured{where}")
        held = max(host.get((self.room.filesystem_used, mount), 0.0) for host in self.hosts)
        if holds_too_much(mount, held, spaces):
            why = f"more is used by what would lie on {mount} than it holds: the filesystem itself was not measured"
            return Pool(mount, None, why)
        return Pool(mount, min(measured))
