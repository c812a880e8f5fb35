"""
What the method looks at beside a statistic: a wait of the log writer beside the response of the disks it writes to.

Platforms do not know each other, so they meet in subjects: one platform says that a statistic is read beside
"response of devices, writes", another which of its statistics that is, or why it cannot tell.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, kw_only=True)
class Neighbourhood:
    """A statistic (`component` may be a pattern), and the subjects that are read beside it."""

    metric: str
    subjects: tuple[str, ...]
    component: str = "*"


@dataclass(frozen=True)
class SubjectStatistics:
    """Which statistics a platform has on a subject: (metric, pattern of components); or why it has none."""

    statistics: tuple[tuple[str, str], ...] = ()
    missing: str = ""


_neighbourhoods: dict[str, tuple[Neighbourhood, ...]] = {}
_subjects: dict[tuple[str, str], SubjectStatistics] = {}


def add_subjects(
    platform: str, neighbourhoods: Iterable[Neighbourhood], subjects: Mapping[str, SubjectStatistics]
) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _neighbourhoods[platform] = tuple(neighbourhoods)
    _subjects.update({(platform, subject): statistics for subject, statistics in subjects.items()})


def neighbourhood_of(platform: str, metric: str, component: str) -> Neighbourhood | None:
    """What is read beside a statistic of a platform, the first that fits; None where the method names nothing."""
    for neighbourhood in _neighbourhoods.get(platform, ()):
        if neighbourhood.metric == metric and fnmatchcase(component, neighbourhood.component):
            return neighbourhood
    return None


def statistics_on(platform: str, subject: str) -> SubjectStatistics | None:
    """What a platform has on a subject; None where it has nothing to do with it."""
    return _subjects.get((platform, subject))
