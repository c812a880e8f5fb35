"""The files of the instances on a host, the volumes below them and what these are made of: their response on one day."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from apps.catalog.registry import get_metric
from apps.catalog.storage_levels import DeviceLevel, FileLevel, device_level_of, file_level_of
from apps.charts import figures
from apps.charts.words import count
from apps.forecasting.engine.true_room import mount_of
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.snapshots.measured import Measured, read_all
from apps.snapshots.models import Fact
from apps.web.cells import below, link, no_figure
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table


class ResponseTime(NamedTuple):
    """Milliseconds; None with the reason."""

    read: float | None
    write: float | None
    why: str = ""


@dataclass(frozen=True)
class DeviceFigures:
    """A device on a day."""

    name: str
    url: str
    response: ResponseTime
    queue: float | None
    busy: float | None


@dataclass(frozen=True)
class StoragePath:
    """Files of an instance in one place, the volume below them, and one of the devices that it is made of."""

    instance: Target
    place: str
    files: int
    of_files: ResponseTime
    volume: DeviceFigures | None
    part: DeviceFigures | None
    why: str = ""  # why there is no volume

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
    categories = {get_metric(key).category for key in (level.read, level.write)}
    measured = read_all([instance], [day], categories)[instance.pk]
    names = dict.fromkeys(name for key, name in measured.keys if key in (level.read, level.write))
    by_place: dict[str, list[str]] = {}
    for name in names:
        by_place.setdefault(level.place_of(name), []).append(name)
    paths: list[StoragePath] = []
    for place, files in sorted(by_place.items()):
        response = ResponseTime(_mean(measured, level.read, files), _mean(measured, level.write, files))
        if response.read is None and response.write is None:
            continue
        volume, why = devices.below(place)
        parts: list[DeviceFigures | None] = list(devices.parts_of(volume.name)) if volume is not None else []
        paths += [
            StoragePath(instance, place, len(files), response, volume, part, why) for part in parts or [None]
        ]
    return paths


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

    @classmethod
    def read(cls, host: Target, level: DeviceLevel, day: date) -> "_Devices":
        keys = (level.read, level.write, level.busy, level.queue)
        measured = read_all([host], [day], {get_metric(key).category for key in keys})[host.pk]
        facts: dict[str, dict[str, str]] = {level.device_of: {}, level.made_of: {}}
        history = Fact.objects.filter(
            target=host, name__in=facts, since__date__lte=day + timedelta(days=1)
        ).order_by("since")
        for name, component, value in history.values_list("name", "component", "value"):
            facts[name][component] = value
        return cls(level, measured, day, facts[level.device_of], facts[level.made_of])

    def below(self, place: str) -> tuple[DeviceFigures | None, str]:
        """The device below a place, or why it is not known."""
        if place.startswith("+"):
            return None, f"which devices {place} lies on is not read"
        mount = mount_of(place, self.device_of)
        if mount is None:
            return None, f"which device lies below {place} is not known"
        return self._figures(self.device_of[mount]), ""

    def parts_of(self, volume: str) -> list[DeviceFigures]:
        return [self._figures(name) for name in self.made_of.get(volume, "").splitlines()]

    def _figures(self, name: str) -> DeviceFigures:
        level = self.level
        query = urlencode({"component": name, "on": self.day.isoformat()})
        url = f"{address('statistic', self.measured.target.pk, level.read)}?{query}"
        why = "" if self._row(level.read, name) is not None else f"{name} was not measured on this day"
        response = ResponseTime(self._value(level.read, name), self._value(level.write, name), why)
        return DeviceFigures(
            name, url, response, self._value(level.queue, name), self._value(level.busy, name)
        )

    def _row(self, key: str, name: str) -> int | None:
        return self.measured.row_of.get((key, name))

    def _value(self, key: str, name: str) -> float | None:
        row = self._row(key, name)
        return None if row is None else self.measured.value(row, 0)


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def storage_path_table(host: Target, paths: Sequence[StoragePath], day: date) -> FilledTable[StoragePath]:
    """ResponseTime of files, volumes and their devices side by side."""
    return STORAGE_PATHS.fill(paths, file_name=f"{host.name}-files-volumes-{day}")


def _cell(value: float | None, why: str = "") -> object:
    if value is not None:
        return figures.figure(value)
    return no_figure(why) if why else figures.MISSING


def _of_volume(row: StoragePath) -> ResponseTime | None:
    return row.volume.response if row.volume else None


def _of_part(row: StoragePath) -> ResponseTime | None:
    return row.part.response if row.part else None


def _response(
    head: str, take: Callable[[StoragePath], ResponseTime | None], *, is_read: bool
) -> Column[StoragePath]:
    def value(row: StoragePath) -> float | None:
        response = take(row)
        return None if response is None else (response.read if is_read else response.write)

    def show(row: StoragePath) -> object:
        response = take(row)
        return _cell(value(row), row.why if response is None else response.why)

    return FigureColumn(head, value, show, label=head)


def _part_name(row: StoragePath) -> str:
    if row.part is not None:
        return row.part.name
    return "the volume itself" if row.volume is not None else ""


STORAGE_PATHS: Table[StoragePath] = Table(
    "storage-paths",
    "Files, the volumes below them and their devices",
    (
        RowHead("files in", lambda row: row.place, lambda row: below(row.place, count(row.files, "file"))),
        Column("instance", lambda row: row.instance.name, lambda row: link(row.instance.get_absolute_url(), row.instance.name)),
        Column("volume", lambda row: row.volume.name if row.volume else "", lambda row: link(row.volume.url, row.volume.name) if row.volume else _cell(None, row.why)),
        Column("made of", _part_name, lambda row: link(row.part.url, row.part.name) if row.part else _part_name(row)),
        _response("read: files, ms", lambda row: row.of_files, is_read=True),
        _response("read: volume, ms", _of_volume, is_read=True),
        _response("read: device, ms", _of_part, is_read=True),
        _response("write: files, ms", lambda row: row.of_files, is_read=False),
        _response("write: volume, ms", _of_volume, is_read=False),
        _response("write: device, ms", _of_part, is_read=False),
        FigureColumn("queue", lambda row: row.lowest.queue if row.lowest else None),
        FigureColumn("busy, %", lambda row: row.lowest.busy if row.lowest else None),
        Column("why not", lambda row: row.why, in_file_only=True),
    ),
    title="Files, volumes, devices",
)  # fmt: skip
