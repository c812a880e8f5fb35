"""The statistics whose course over three months says whether a machine runs short of processors, as platforms declare them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TrendStatistic:
    """
    One of them; `missing` says why a machine may have no figures of it.

    Without a metric it cannot be measured at all: `label` then names it, so that the report says so.
    """

    metric: str = ""
    missing: str = ""
    label: str = ""


_declared: dict[str, Sequence[TrendStatistic]] = {}


def add_trend_statistics(platform: str, statistics: Sequence[TrendStatistic]) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _declared[platform] = tuple(statistics)


def trend_statistics_of(platform: str) -> Sequence[TrendStatistic]:
    """The statistics of a platform; none where it declares none."""
    return _declared.get(platform, ())
