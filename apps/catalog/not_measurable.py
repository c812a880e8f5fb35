"""What cannot be measured by a way of reading, whatever is tried: platforms declare it, with what would give it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class NotMeasurable:
    """
    What each way of reading a platform's targets cannot give: {way: {what: what would give it, in a sentence}}.

    A way is the collector of a target; of a day of files, as all days are of the collectors in `of_files`, it is the system whose
    tools wrote them. `statistics` says which statistics each of these is about: any of them shows that a day has it after all.
    """

    by_way: Mapping[str, Mapping[str, str]]
    statistics: Mapping[str, Sequence[str]]
    of_files: Collection[str] = ()


_declared: dict[str, NotMeasurable] = {}


def add_not_measurable(platform: str, declared: NotMeasurable) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _declared[platform] = declared


def not_measurable_on(platform: str) -> NotMeasurable | None:
    """What a platform declares; None where everything can be measured."""
    return _declared.get(platform)
