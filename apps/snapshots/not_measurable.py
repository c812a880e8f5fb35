"""Why a statistic cannot be measured on a target at all: its collector, or the tools of its system, do not have it."""

from collections.abc import Mapping

from apps.catalog.not_measurable import not_measurable_on
from apps.inventory.models import Target
from apps.snapshots.newest_facts import read_facts

SYSTEM = "operating_system"  # the fact that names it


class NotMeasurableReason(str):
    """A sentence without its point; its type sets it apart from why a reading failed."""

    __slots__ = ()


def not_measurable_by_way(target: Target, *, is_of_file: bool) -> Mapping[str, str]:
    """What the way by which a target was read cannot give, and what would: by its collector, or by what wrote its files."""
    declared = not_measurable_on(target.platform)
    if declared is None:
        return {}
    is_by_system = is_of_file or target.collector in declared.of_files
    return declared.by_way.get(_system_of(target) if is_by_system else target.collector, {})


def reasons_by_statistic(target: Target, *, is_of_file: bool) -> Mapping[str, NotMeasurableReason]:
    """By statistic why it cannot be measured this way."""
    declared = not_measurable_on(target.platform)
    if declared is None:
        return {}
    return {
        key: NotMeasurableReason(f"not measurable here: {instead.rstrip('.')}")
        for what, instead in not_measurable_by_way(target, is_of_file=is_of_file).items()
        for key in declared.statistics.get(what, ())
    }


def _system_of(target: Target) -> str:
    return read_facts(target, SYSTEM).get(SYSTEM, "")
