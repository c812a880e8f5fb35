"""compare_storage(): the response of files and disks of a target and of devices of its machine, before and after a change."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.advisors.study_comparison import compare_figures, display_mean
from apps.advisors.study_result import ComparedFigure, StudyResult
from apps.catalog.registry import get_metric
from apps.catalog.storage_levels import DeviceLevel, DiskLevel, FileLevel, device_level_of, file_level_of
from apps.profiles.differences import Comparison

MOST = 8  # files, disks, and devices


@dataclass(frozen=True)
class StorageResponse:
    """A file, a disk or a device with its response to reads and writes; None where it was not measured in either window."""

    group: str
    name: str
    read: ComparedFigure | None
    write: ComparedFigure | None


def compare_storage(result: StudyResult) -> list[StorageResponse]:
    """The busiest files and disks, and the devices with the longest queues, of both windows; none while the days are not over."""
    responses: list[StorageResponse] = []
    for comparison in result.comparisons if result.is_over else ():
        target = comparison.after.target
        files = file_level_of(target.platform)
        levels = (("files", files), ("disks", files.disks if files is not None else None))
        for things, level in levels:
            if level is not None:
                counts = [get_metric(key).judging.weight for key in (level.read, level.write)]
                responses += _responses(f"{things} of {target.name}", comparison, level, counts)
        if (devices := device_level_of(target.platform)) is not None:
            responses += _responses(f"devices of {target.name}", comparison, devices, [devices.queue])
    return responses


def _responses(
    group: str, comparison: Comparison, level: FileLevel | DiskLevel | DeviceLevel, loads: Sequence[str]
) -> list[StorageResponse]:
    """Those with the highest load in the window after, which is the sum of some statistics."""

    def load(name: str) -> float:
        rows = [row for key in loads if (row := comparison.row_of.get((key, name)))]
        return sum(display_mean(row.metric, row.judged.after) or 0.0 for row in rows)

    keys = (level.read, level.write)
    names = dict.fromkeys(component for key, component in comparison.row_of if key in keys)
    busiest = sorted(names, key=lambda name: -load(name))[:MOST]
    figures = {
        (figure.metric.key, figure.component): figure
        for figure in compare_figures(comparison, [(key, name) for name in busiest for key in keys])
    }
    return [
        StorageResponse(group, name, figures.get((level.read, name)), figures.get((level.write, name)))
        for name in busiest
    ]
