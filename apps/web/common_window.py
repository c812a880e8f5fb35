"""An instance beside its host: how much of the same window each was measured over, and whether the host still answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from apps.charts import figures
from apps.charts.words import count
from apps.collection.unread_targets import UnreadTarget
from apps.inventory.models import Target
from apps.outlook.profile import find_unread_on
from apps.snapshots.window_coverage import WindowCoverage, read_window_coverage


def window_sentence(target: Target, other: Target, days: Sequence[date]) -> str:
    """How much of the days two targets were measured over, each and both."""
    own, theirs = read_window_coverage([target, other], days)
    common = own.common_hours(theirs)
    shares = f"{_share_words(own)}, {_share_words(theirs)}"
    if common < own.whole:
        shares += f", both over at most {_hours(common)} hours ({_percent(common / own.whole)})"
    return f"Measured: {shares}.{_zone_words(target, other, days[0])}"


def _share_words(coverage: WindowCoverage) -> str:
    """ "GISPRD over 24 of 24 hours (100 %)"."""
    hours = f"{_hours(coverage.measured)} of {_hours(coverage.whole)} hours"
    return f"{coverage.target.name} over {hours} ({_percent(coverage.share)})"


def _hours(hours: float) -> str:
    return figures.fixed(hours, 0 if abs(hours - round(hours)) < 0.05 else 1)


def _percent(share: float) -> str:
    return f"{figures.figure(round(100 * share, 1))}{figures.SPACE}%"


def _zone_words(target: Target, other: Target, day: date) -> str:
    """That the days of the two do not begin at the same moment; empty where they do."""
    offsets = {datetime.combine(day, time(), of.zone).utcoffset() for of in (target, other)}
    return "" if len(offsets) == 1 else f" Days of {other.name} are those of {other.time_zone}."


@dataclass(frozen=True)
class SilentHost:
    """A host that was not read, seen from its instances: since when, for how long, and why."""

    host: Target
    unread: UnreadTarget
    days: int  # ago

    @property
    def fact(self) -> str:
        age = f", {count(self.days, 'day')} ago" if self.days and not self.unread.is_daily else ""
        return f"{self.host.name} {self.unread.words}{age}."


def silent_host_of(target: Target, day: date | None, now: datetime) -> SilentHost | None:
    """The host below a target where nothing is known of it on a day; None where it answers, or there is none."""
    host = target.runs_on
    if host is None:
        return None
    return silent_host(host, find_unread_on([host], day or date.max, now).get(host.pk), now)


def silent_host(host: Target, unread: UnreadTarget | None, now: datetime) -> SilentHost | None:
    """A host with why it is not known; None where it is."""
    if unread is None:
        return None
    ago = (now.astimezone(host.zone).date() - unread.last_day).days if unread.last_day is not None else 0
    return SilentHost(host, unread, ago)
