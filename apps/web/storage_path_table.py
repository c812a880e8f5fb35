"""The files of the instances on a host, the disks or volumes below them and what these are made of: their response on one day."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from apps.catalog.registry import get_metric
from apps.catalog.storage_levels import DeviceLevel, DiskLevel, FileLevel, device_level_of, file_level_of
from apps.charts import figures
from apps.charts.words import count
from apps.forecasting.engine.true_room import mount_of
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.snapshots.engine.days import day_of
from apps.snapshots.measured import Measured, read_all
from apps.snapshots.models import Fact
from apps.snapshots.reasons import failed_categories, why_no_data
from apps.web.cells import below, link, no_figure
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

LATEST = timedelta(hours=1)  # after midnight, for the reading that ends a day


class ResponseTime(NamedTuple):
    """Milliseconds; None with the reason."""

    read: float | None
    write: float | None
    why: str = ""


@dataclass(frozen=True)
class DeviceFigures:
    """A device on a day: `service` is the part of its response, in ms, on the device alone, `waiting` that of its queue on the host."""

    name: str
    url: str
    response: ResponseTime
    service: float | None
    queue: float | None
    waiting: float | None
    busy: float | None


@dataclass(frozen=True)
class DiskFigures:
    """A disk of a pool on a day, as the instance counts it, and under which path it finds it."""

    name: str
    url: str
    path: str
    response: ResponseTime


@dataclass(frozen=True)
class StoragePath:
    """Files of an instance in one place, the disk or the volume below them, and one of the devices that it is made of."""

    instance: Target
    place: str
    files: int
    of_files: ResponseTime
    volume: DeviceFigures | None
    part: DeviceFigures | None
    why: str = ""  # why there is no volume
    disk: DiskFigures | None = None

    @property
    def lowest(self) -> DeviceFigures | None:
        """The device that answers below all: the volume itself where it is made of no other."""
        return self.part or self.volume


def storage_paths(host: Target, instances: Sequence[Target], day: date) -> list[StoragePath]:
    """Every place with files of these instances, with the devices of their host below it."""
    level = device_level_of(host.platform)
    file_levels = {instance.platform: file_level_of(instance.platform) for instance in instances}
    if level is None or not any(file_levels.values()):
        return []
    devices = _Devices.read(host, level, day)
    paths: list[StoragePath] = []
    for instance in instances:
        files = file_levels[instance.platform]
        if files is not None:
            paths += _paths_of(instance, files, devices, day)
    return paths


def _paths_of(instance: Target, level: FileLevel, devices: "_Devices", day: date) -> list[StoragePath]:
    disks = level.disks
    keys = (level.read, level.write, *((disks.read, disks.write) if disks else ()))
    measured = read_all([instance], [day], {get_metric(key).category for key in keys})[instance.pk]
    names = dict.fromkeys(name for key, name in measured.keys if key in (level.read, level.write))
    by_place: dict[str, list[str]] = {}
    for name in names:
        by_place.setdefault(level.place_of(name), []).append(name)
    disks_of = _disks_by_place(measured, disks, day) if disks else {}
    paths: list[StoragePath] = []
    for place, files in sorted(by_place.items()):
        response = ResponseTime(_mean(measured, level.read, files), _mean(measured, level.write, files))
        if response.read is None and response.write is None:
            continue
        path = StoragePath(instance, place, len(files), response, None, None)
        if not place.startswith("+"):
            paths += devices.add_below(path, *devices.below(place))
            continue
        for disk in disks_of.get(place, ()):
            paths += devices.add_below(replace(path, disk=disk), *devices.below_disk(disk))
        if place not in disks_of:
            why = _why_no_disks(measured, disks, place)
            paths.append(replace(path, why=why))
    return paths


def _disks_by_place(measured: Measured, level: DiskLevel, day: date) -> dict[str, list[DiskFigures]]:
    """The disks of each pool that were read on a day, whether anything was asked of them or not."""
    category = get_metric(level.read).category
    series = zip(measured.metrics, measured.keys, measured.is_present[:, 0], strict=True)
    names = sorted(
        {name for metric, (_, name), is_there in series if is_there and metric.category == category}
    )
    if not names:
        return {}
    paths = _facts_on(measured.target, [level.path_of], day)[level.path_of]
    disks: dict[str, list[DiskFigures]] = {}
    for name in names:
        figure = _FigureOf(measured, name, day)
        why = figure.why_no_average(level.read) or figure.why_no_average(level.write)
        response = ResponseTime(figure.value(level.read), figure.value(level.write), why)
        disk = DiskFigures(name, figure.url(level.read), paths.get(name, ""), response)
        disks.setdefault(level.place_of(name), []).append(disk)
    return disks


def _why_no_disks(measured: Measured, level: DiskLevel | None, place: str) -> str:
    """Why the disks of a pool are not known: a source that failed, or that has nothing of this pool."""
    about = f"which disks {place} has is not known"
    if level is None:
        return about
    requests = get_metric(get_metric(level.read).judging.weight)
    cover = next(iter(measured.coverage.values()), None)
    if cover is None or failed_categories(requests, cover):
        return f"{about}: {why_no_data(measured.target, requests, cover)}"
    return f"{about}: {requests.source} has none of them for this day"


def _facts_on(target: Target, names: Sequence[str], day: date) -> dict[str, dict[str, str]]:
    """Facts of a target as the reading that ends a day told them, by name and component; those told first where it told none."""
    facts: dict[str, dict[str, str]] = {name: {} for name in names}
    ended_at = day_of(day, target.zone).ended_at + LATEST
    history = Fact.objects.filter(
        target=target, name__in=names, since__date__lte=day + timedelta(days=1)
    ).order_by("since")
    for name, component, since, value in history.values_list("name", "component", "since", "value"):
        if since <= ended_at or component not in facts[name]:
            facts[name][component] = value
    return facts


@dataclass(frozen=True)
class _FigureOf:
    """The figures of one component on a day, and its page."""

    measured: Measured
    name: str
    day: date

    def value(self, key: str) -> float | None:
        row = self._row(key)
        return None if row is None else self.measured.value(row, 0)

    def why_none(self, key: str) -> str:
        return "" if self._row(key) is not None else f"{self.name} was not measured on this day"

    def why_no_average(self, key: str) -> str:
        """Why there is no average; empty where there is one."""
        row = self._row(key)
        return self.why_none(key) if row is None else self.measured.reason(row, 0)

    def url(self, key: str) -> str:
        query = urlencode({"component": self.name, "on": self.day.isoformat()})
        return f"{address('statistic', self.measured.target.pk, key)}?{query}"

    def _row(self, key: str) -> int | None:
        return self.measured.row_of.get((key, self.name))


def _mean(measured: Measured, key: str, files: Iterable[str]) -> float | None:
    """The mean response of files, weighted by their requests; None where nothing was asked of them."""
    metric = get_metric(key)
    rows = [(measured.row_of[key, name], name) for name in files if (key, name) in measured.row_of]
    values = np.array([measured.values[row, 0] for row, _ in rows], dtype=float)
    weights = np.array(
        [measured.weights.get((metric.judging.weight, name), [np.nan])[0] for _, name in rows], dtype=float
    )
    is_known = ~np.isnan(values) & (weights > 0)
    if not is_known.any():
        return None
    mean = float(np.average(values[is_known], weights=weights[is_known]))
    return metric.to_display_unit(mean)


@dataclass(frozen=True)
class _Devices:
    """The devices of a host on a day, and what lies below what."""

    level: DeviceLevel
    measured: Measured
    day: date
    device_of: Mapping[str, str]
    made_of: Mapping[str, str]
    device_at: Mapping[str, str]  # by path

    @classmethod
    def read(cls, host: Target, level: DeviceLevel, day: date) -> "_Devices":
        keys = (level.read, level.write, level.service, level.busy, level.queue, level.waiting)
        measured = read_all([host], [day], {get_metric(key).category for key in keys})[host.pk]
        facts = _facts_on(host, [level.device_of, level.made_of, level.path_names], day)
        lines = facts[level.path_names].get("", "").splitlines()
        device_at = {path: device for path, _, device in (line.partition("\t") for line in lines)}
        return cls(level, measured, day, facts[level.device_of], facts[level.made_of], device_at)

    def below(self, place: str) -> tuple[DeviceFigures | None, str]:
        """The device below a directory, or why it is not known."""
        mount = mount_of(place, self.device_of)
        if mount is None:
            return None, f"which device lies below {place} is not known"
        return self._figures(self.device_of[mount]), ""

    def below_disk(self, disk: DiskFigures) -> tuple[DeviceFigures | None, str]:
        """The device that the path of a disk means on the host, or why it is not known."""
        host = self.measured.target.name
        if not disk.path:
            return None, f"the instance finds {disk.name} under no path"
        if disk.path in self.device_at:
            return self._figures(self.device_at[disk.path]), ""
        if not disk.path.startswith("/"):
            return None, f"{disk.path} is no path of {host}: a library of its own leads to the device"
        return None, f"{host} does not say which device {disk.path} is"

    def add_below(self, path: StoragePath, volume: DeviceFigures | None, why: str) -> list[StoragePath]:
        """A path with the device below it: a row for each of the devices that this one is made of."""
        parts: list[DeviceFigures | None] = list(self._parts_of(volume.name)) if volume is not None else []
        return [replace(path, volume=volume, part=part, why=why) for part in parts or [None]]

    def _parts_of(self, volume: str) -> list[DeviceFigures]:
        return [self._figures(name) for name in self.made_of.get(volume, "").splitlines()]

    def _figures(self, name: str) -> DeviceFigures:
        level, figure = self.level, _FigureOf(self.measured, name, self.day)
        response = ResponseTime(
            figure.value(level.read), figure.value(level.write), figure.why_none(level.read)
        )
        return DeviceFigures(
            name,
            figure.url(level.read),
            response,
            service=figure.value(level.service),
            queue=figure.value(level.queue),
            waiting=figure.value(level.waiting),
            busy=figure.value(level.busy),
        )


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def storage_path_table(host: Target, paths: Sequence[StoragePath], day: date) -> FilledTable[StoragePath]:
    """Response of files, disks, volumes and their devices side by side; files have the columns that are empty, too."""
    columns = [
        column if any(map(SELDOM.get(column.head, bool), paths)) else replace(column, in_file_only=True)
        for column in STORAGE_PATHS.columns
    ]
    table = replace(STORAGE_PATHS, columns=columns)
    return table.fill(paths, file_name=f"{host.name}-files-volumes-{day}")


def _cell(value: float | None, why: str = "") -> object:
    if value is not None:
        return figures.figure(value)
    return no_figure(why) if why else figures.MISSING


def _of_volume(row: StoragePath) -> ResponseTime | None:
    return row.volume.response if row.volume else None


def _of_part(row: StoragePath) -> ResponseTime | None:
    return row.part.response if row.part else None


def _of_disk(row: StoragePath) -> ResponseTime | None:
    return row.disk.response if row.disk else None


def _why_no_disk(row: StoragePath) -> str:
    """Why a place has no disk; a directory has none to begin with."""
    return row.why if row.place.startswith("+") else ""


def _disk_cell(row: StoragePath) -> object:
    if row.disk is None:
        return _cell(None, _why_no_disk(row))
    return below(link(row.disk.url, row.disk.name), row.disk.path)


def _of_lowest(head: str, take: Callable[[DeviceFigures], float | None]) -> Column[StoragePath]:
    return FigureColumn(head, lambda row: take(row.lowest) if row.lowest else None)


def _response(
    head: str,
    take: Callable[[StoragePath], ResponseTime | None],
    *,
    is_read: bool,
    why: Callable[[StoragePath], str] = lambda row: row.why,
) -> Column[StoragePath]:
    def value(row: StoragePath) -> float | None:
        response = take(row)
        return None if response is None else (response.read if is_read else response.write)

    def show(row: StoragePath) -> object:
        response = take(row)
        return _cell(value(row), why(row) if response is None else response.why)

    return FigureColumn(head, value, show)


def _part_name(row: StoragePath) -> str:
    if row.part is not None:
        return row.part.name
    return "the volume itself" if row.volume is not None else ""


SELDOM: Mapping[str, Callable[[StoragePath], bool]] = {  # columns of a page where a row has what they are of
    **dict.fromkeys(("disk", "read: disk, ms", "write: disk, ms"), lambda row: row.disk is not None),
    **dict.fromkeys(("made of", "read: device, ms", "write: device, ms"), lambda row: row.part is not None),
    "service, ms": lambda row: row.lowest is not None and row.lowest.service is not None,
    "waiting": lambda row: row.lowest is not None and row.lowest.waiting is not None,
}
STORAGE_PATHS: Table[StoragePath] = Table(
    "storage-paths",
    "Files, the volumes below them and their devices",
    (
        RowHead("files in", lambda row: row.place, lambda row: below(row.place, count(row.files, "file"))),
        Column("instance", lambda row: row.instance.name, lambda row: link(row.instance.get_absolute_url(), row.instance.name)),
        Column("disk", lambda row: row.disk.name if row.disk else "", _disk_cell),
        Column("path", lambda row: row.disk.path if row.disk else "", in_file_only=True),
        Column("volume", lambda row: row.volume.name if row.volume else "", lambda row: link(row.volume.url, row.volume.name) if row.volume else _cell(None, row.why)),
        Column("made of", _part_name, lambda row: link(row.part.url, row.part.name) if row.part else _part_name(row)),
        _response("read: files, ms", lambda row: row.of_files, is_read=True),
        _response("read: disk, ms", _of_disk, is_read=True, why=_why_no_disk),
        _response("read: volume, ms", _of_volume, is_read=True),
        _response("read: device, ms", _of_part, is_read=True),
        _response("write: files, ms", lambda row: row.of_files, is_read=False),
        _response("write: disk, ms", _of_disk, is_read=False, why=_why_no_disk),
        _response("write: volume, ms", _of_volume, is_read=False),
        _response("write: device, ms", _of_part, is_read=False),
        _of_lowest("service, ms", lambda device: device.service),
        _of_lowest("queue", lambda device: device.queue),
        _of_lowest("waiting", lambda device: device.waiting),
        _of_lowest("busy, %", lambda device: device.busy),
        Column("why not", lambda row: row.why, in_file_only=True),
    ),
    title="Files, volumes, devices",
    region="storage-paths-title",
)  # fmt: skip
