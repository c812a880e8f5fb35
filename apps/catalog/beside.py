"""
What the method looks at beside a statistic: a wait of the log writer beside the response of the disks it writes to.

Platforms do not know each other, so they meet in subjects: one platform says that a statistic is read beside
"response of devices, writes", another which of its statistics that is, or why it cannot tell.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, kw_only=True)
class Beside:
    """Statistics that are read together: one (`component` may be a pattern), and the subjects beside it."""

    metric: str
    subjects: tuple[str, ...]
    component: str = "*"


@dataclass(frozen=True)
class Source:
    """Which statistics a platform has on a subject: (metric, pattern of components); or why it has none."""

    statistics: tuple[tuple[str, str], ...] = ()
    missing: str = ""


_beside: dict[str, list[Beside]] = {}
_sources: dict[tuple[str, str], Source] = {}


def add_beside(platform: str, beside: Iterable[Beside], sources: Mapping[str, Source]) -> None:
    """Add what a platform says; a second time replaces the first."""
    _beside[platform] = list(beside)
    _sources.update({(platform, subject): source for subject, source in sources.items()})


def beside(platform: str, metric: str, component: str) -> Beside | None:
    """What is read beside a statistic of a platform, the first that fits; None where the method names nothing."""
    return next(
        (
            one
            for one in _beside.get(platform, ())
            if one.metric == metric and fnmatchcase(component, one.component)
        ),
        None,
    )


def source_of(platform: str, subject: str) -> Source | None:
    """What a platform has on a subject; None where it has nothing to do with it."""
    return _sources.get((platform, subject))
