"""Days that are left out: maintenance windows always, known peaks where a threshold asks for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Self

from django.conf import settings
from django.db import models
from django.urls import reverse

from apps.inventory.models import Group, Target
from apps.inventory.scope import Scoped, holding_for, one_scope
from apps.thresholds.engine.day_notation import Rule, days_covered, parse_days


class CalendarQuerySet(models.QuerySet["Calendar"]):
    def in_force(self) -> Self:
        return self.filter(withdrawn_at=None)

    def touching(self, targets: Iterable[Target]) -> Self:
        """Calendars that leave out days of some of the targets."""
        return self.in_force().filter(holding_for(targets))


class Calendar(Scoped):
    """Named days of one target, of a group, or of all: calendar days of each target's own time zone."""

    class Kind(models.TextChoices):
        MAINTENANCE = "maintenance", "maintenance window"
        PEAK = "peak", "known peak"

    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.MAINTENANCE)
    days = models.TextField()  # in the notation of day_notation.py, a rule a line
    target = models.ForeignKey(Target, models.CASCADE, null=True, blank=True, related_name="calendars")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="calendars")
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = CalendarQuerySet.as_manager()

    class Meta:
        ordering = ["kind", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(withdrawn_at=None), name="one_calendar_of_a_name"
            ),
            one_scope("calendar_of_target_or_group"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("calendar", args=[self.pk])

    @property
    def is_idle(self) -> bool:
        """Whether it leaves out no day any more: it was withdrawn, or its target was retired."""
        return self.withdrawn_at is not None or (
            self.target is not None and self.target.retired_at is not None
        )

    @cached_property
    def rules(self) -> list[Rule]:
        return parse_days(self.days)

    @property
    def reason(self) -> str:
        """Why a day of it is left out, in words."""
        return f"{self.get_kind_display()} “{self.name}”"


@dataclass(frozen=True)
class ExcludedDays:
    """The days of a target that are left out, with the reason of each."""

    maintenance: Mapping[date, str] = field(default_factory=dict)
    peaks: Mapping[date, str] = field(default_factory=dict)

    def reason(self, day: date, *, with_peaks: bool) -> str:
        """Why a day is not judged; empty where it is."""
        return self.maintenance.get(day) or (self.peaks.get(day, "") if with_peaks else "")

    def days(self, *, with_peaks: bool) -> Mapping[date, str]:
        return {**self.peaks, **self.maintenance} if with_peaks else self.maintenance


def read_excluded_days(target: Target, first: date, last: date) -> ExcludedDays:
    """What the calendars of a target leave out from first to last; one query."""
    return read_excluded_days_of([target], first, last)[target.pk]


def read_excluded_days_of(targets: Iterable[Target], first: date, last: date) -> dict[int, ExcludedDays]:
    """What calendars leave out of each of many targets; one query for all."""
    reached = list(targets)
    calendars = list(Calendar.objects.touching(reached))
    covered = {calendar.pk: list(days_covered(calendar.rules, first, last)) for calendar in calendars}
    excluded = {}
    for target in reached:
        by_kind: dict[str, dict[date, str]] = {Calendar.Kind.MAINTENANCE: {}, Calendar.Kind.PEAK: {}}
        for calendar in calendars:
            if calendar.reaches(target):
                for day in covered[calendar.pk]:
                    by_kind[calendar.kind].setdefault(day, calendar.reason)
        maintenance, peaks = (dict(sorted(days.items())) for days in by_kind.values())
        excluded[target.pk] = ExcludedDays(maintenance, peaks)
    return excluded
