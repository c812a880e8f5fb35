"""What the limits of a target are judged and forecast by, read once for all steps of a review."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

from apps.catalog.registry import is_metric
from apps.inventory.models import Target
from apps.snapshots.dictionary import Name
from apps.snapshots.measured import Measured, days_between, read_series, take_days, take_rows
from apps.thresholds.calendars import ExcludedDays, read_excluded_days
from apps.thresholds.models import Threshold
from apps.thresholds.series import components_of, count_days_needed


@dataclass
class LimitReader:
    """
    The limits of a target, the components they are on, the days they leave out, and figures of so many days up to `on`.

    Without `days_asked` these are what judging takes. Each is read when a step asks first. Figures are read for all of the days then: what a later step asks for is there,
    and what nobody asked for is read beside it.
    """

    target: Target
    on: date
    days_asked: int = 0
    days_ahead: int = 0  # for which calendars are read
    _measured: Measured | None = field(default=None, repr=False)

    @cached_property
    def days(self) -> int:
        return self.days_asked or count_days_needed(self.thresholds) + 1

    @property
    def first(self) -> date:
        return self.on - timedelta(days=self.days - 1)

    @cached_property
    def thresholds(self) -> list[Threshold]:
        """Those on statistics of the catalogue."""
        return [each for each in Threshold.objects.touching([self.target]) if is_metric(each.metric)]

    @cached_property
    def components(self) -> dict[str, list[str]]:
        """The components of each limited statistic that the target has."""
        return components_of(self.target, {threshold.metric for threshold in self.thresholds}, self.on)

    @cached_property
    def excluded_days(self) -> ExcludedDays:
        """Of the days up to `on`, and of those ahead."""
        return read_excluded_days(self.target, self.first, self.on + timedelta(days=self.days_ahead))

    def read(self, names: Sequence[Name], days: int) -> Measured:
        """Chosen series of the last so many days, at most those of the reader."""
        if not 1 <= days <= self.days:
            raise ValueError(f"days: given {days}, expected 1 to {self.days}")
        before = self._measured.row_of.keys() if self._measured else set()
        if self._measured is None or not before >= set(names):
            every_name = [*before, *names]
            self._measured = read_series([self.target], every_name, self.first, self.on)[self.target.pk]
        chosen = take_rows(self._measured, names)
        since = self.on - timedelta(days=days - 1)
        return chosen if days == self.days else take_days(chosen, days_between(since, self.on))
