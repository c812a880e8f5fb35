"""Forecasts, kept for ever: the ledger of the track record; trend changes, scenarios and their planned changes."""

from datetime import date, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Self
from urllib.parse import urlencode

from django.conf import settings
from django.db import models
from django.urls import reverse

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.forecasting.driver import Driver as Driver
from apps.forecasting.driver import DriverDay as DriverDay
from apps.forecasting.driver import DriverToken as DriverToken
from apps.forecasting.promise import KindRecord as KindRecord
from apps.forecasting.promise import Promise as Promise
from apps.inventory.models import Group, Target
from apps.inventory.scope import Scoped, one_scope
from apps.thresholds.models import Threshold, change_in_words

WORTH_A_LOOK = 0.07  # the chance from which pages of many targets list a figure


def forecast_url(target_id: int, metric: str, component: str) -> str:
    """The page of the forecast of a figure."""
    query = f"?{urlencode({'component': component})}" if component else ""
    return reverse("statistic_forecast", args=[target_id, metric]) + query


class ForecastQuerySet(models.QuerySet["Forecast"]):
    def newest(self) -> Self:
        """The newest forecast of each figure, its changes being others; under several limits that of the first to be crossed."""
        soonest = models.F("likely_on").asc(nulls_last=True)
        figure = ("target_id", "metric", "component", "figure")
        return self.order_by(*figure, "-made_on", soonest).distinct(*figure)

    def of_last_review(self) -> Self:
        """Of each target's last review the forecasts, one a figure."""
        return self.filter(made_on=models.F("target__reviewed_through")).newest()

    def worth_a_look(self) -> Self:
        """Of each target's last review the forecasts of figures that may cross a limit, one a figure."""
        return self.filter(chance__gte=WORTH_A_LOOK).of_last_review()


class Forecast(models.Model):
    """
    One review's forecast of one figure against one limit. A past one is never overwritten by a later review.

    `path` keeps the expected value and its 80 % bounds at days 7, 14, 30, 60 and 90: {"30": [mean, low, high]}.
    """

    target = models.ForeignKey(Target, models.CASCADE, related_name="forecasts")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    figure = models.CharField(max_length=10, choices=Threshold.FigureOf, default=Threshold.FigureOf.VALUE)
    threshold = models.ForeignKey(Threshold, models.SET_NULL, null=True, related_name="forecasts")
    notation = models.CharField(max_length=80)
    unit = models.CharField(max_length=40, blank=True)
    made_on = models.DateField()  # the last day that went into it
    method = models.CharField(max_length=20)
    horizon = models.PositiveSmallIntegerField()
    value = models.FloatField(null=True)
    chance = models.FloatField(null=True)
    least_chance = models.FloatField(default=WORTH_A_LOOK)  # below it the chance is not told more exactly
    is_likely = models.BooleanField(default=False)
    likely_on = models.DateField(null=True)
    soonest_on = models.DateField(null=True)
    latest_on = models.DateField(null=True)
    reason = models.TextField(blank=True)  # why there is no day
    path = models.JSONField(default=dict)

    objects = ForecastQuerySet.as_manager()

    class Meta:
        ordering = ["-made_on"]
        indexes = [
            models.Index(
                fields=["target", "made_on"],
                name="forecasts_worth_a_look",
                condition=models.Q(chance__gte=WORTH_A_LOOK),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["target", "metric", "component", "threshold", "made_on"],
                name="one_forecast_per_review",
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.component} on {self.target}, made on {self.made_on}"

    @property
    def is_violated(self) -> bool:
        """The figure was over its limit when this was made: then no day of a crossing is foreseen, and nothing is in the way."""
        return self.value is not None and self.chance is None and not self.reason

    @property
    def fan(self) -> list[tuple[date, float, float, float]]:
        """The days of its path, each with the expected value and its 80 % bounds."""
        days = sorted((int(ahead), bounds) for ahead, bounds in self.path.items())
        return [(self.made_on + timedelta(days=ahead), *bounds) for ahead, bounds in days]

    @property
    def url(self) -> str:
        return forecast_url(self.target_id, self.metric, self.component)

    @property
    def what(self) -> str:
        """What it is about, in words."""
        what = get_metric(self.metric).called(self.component)
        return f"{what}, {change}" if (change := change_in_words(self.figure)) else what


class TrendChangeQuerySet(models.QuerySet["TrendChange"]):
    def accepted(
        self, target: Target, on: date, until: datetime | None = None
    ) -> dict[tuple[str, str], list[date]]:
        """The days on which figures moved by what people accepted (until a moment), up to a day, the newest first; one query."""
        rows = self.filter(target=target, state=TrendChange.State.ACCEPTED, on__lte=on).order_by("-on")
        rows = rows if until is None else rows.filter(decided_at__lte=until)
        days_of: dict[tuple[str, str], list[date]] = {}
        for metric, component, day in rows.values_list("metric", "component", "on"):
            days_of.setdefault((metric, component), []).append(day)
        return days_of


class TrendChange(models.Model):
    """
    A day on which the level of a figure moved for good: proposed by the review, accepted or rejected by a person.

    Forecasts go by the days from an accepted one on, once they are enough for a trend; until then what was before is
    moved to the new level. A rejected one is not proposed again.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", "proposed"
        ACCEPTED = "accepted", "accepted"
        REJECTED = "rejected", "rejected"

    target = models.ForeignKey(Target, models.CASCADE, related_name="trend_changes")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    on = models.DateField()  # the first day at the new level
    size = models.FloatField(null=True)  # in the stored unit; none where a person named the day
    state = models.CharField(max_length=10, choices=State, default=State.PROPOSED)
    proposed_on = models.DateField(null=True)  # the day whose review proposed it
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)

    objects = TrendChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-on"]
        constraints = [
            models.UniqueConstraint(
                fields=["target", "metric", "component", "on"], name="one_trend_change_a_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.component} of {self.target} from {self.on}"


class Scenario(models.Model):
    """A named set of planned changes, to see what would come of them."""

    name = models.CharField(max_length=80, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("scenario", args=[self.pk])


class PlannedChange(Scoped):
    """
    A change of a statistic from a day on, in the notation of `change_notation.py`: of one target, of a group, or of all.

    Or of a driver: it holds where the driver does, and moves the figures that follow it.
    One in proportion may move `others` alike: more users mean more executions, redo and sessions.
    Once it is decided it enters the nightly forecast; until then only its scenario.
    """

    scenario = models.ForeignKey(Scenario, models.CASCADE, related_name="changes")
    target = models.ForeignKey(Target, models.CASCADE, null=True, blank=True, related_name="planned_changes")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="planned_changes")
    driver = models.ForeignKey(Driver, models.CASCADE, null=True, blank=True, related_name="planned_changes")
    metric = models.CharField(max_length=120, blank=True)  # empty: of the driver
    others = models.JSONField(default=list, blank=True)  # keys of further statistics
    component = models.CharField(max_length=200, blank=True)  # a name, a pattern (DATA*), or empty: all
    change = models.CharField(max_length=80)
    on = models.DateField()
    why = models.CharField(max_length=200, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)  # empty: only thought of

    class Meta:
        ordering = ["on", "pk"]
        constraints = [one_scope("change_of_target_or_group")]

    def __str__(self) -> str:
        return f"{self.change} from {self.on}"

    @property
    def metrics(self) -> list[str]:
        """The keys of all statistics that it moves by itself; none of a driver's."""
        return [] if self.driver_id else [self.metric, *self.others]

    @property
    def scope(self) -> str:
        return super().scope if self.driver is None else self.driver.scope

    def reaches(self, target: Target) -> bool:
        return super().reaches(target) if self.driver is None else self.driver.reaches(target)

    @property
    def about(self) -> Metric:
        return get_metric(self.metric)

    def covers(self, component: str) -> bool:
        return not self.component or self.component == component or fnmatchcase(component, self.component)
