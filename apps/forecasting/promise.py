"""Promise: what a review said of a figure and its limit on one night, and what became of it."""

from datetime import date
from typing import Self

from django.db import models

from apps.catalog.registry import remembered_metric
from apps.inventory.models import Target
from apps.thresholds.models import Threshold, change_in_words


class PromiseQuerySet(models.QuerySet["Promise"]):
    def waiting(self) -> Self:
        return self.filter(outcome=Promise.Outcome.WAITING)

    def ended(self) -> Self:
        """Those whose days are over and that count: only then does what came weigh no more than what did not."""
        return self.filter(
            outcome__in=(Promise.Outcome.CAME, Promise.Outcome.MISSED),
            due_on__lte=models.F("target__reviewed_through"),
        )

    def of_account(self, *, is_demo: bool, is_imported: bool = False) -> Self:
        """Those that are summed up together: of the demo or not, of nights that came by files or of those that were read."""
        return self.filter(target__is_demo=is_demo, is_imported=is_imported)

    def due_between(self, first: date, last: date) -> Self:
        return self.filter(due_on__range=(first, last))


class KindRecord(models.Model):
    """
    What promises of one kind of figure came to in the last half year, as forecasts of that kind go by it: one row a kind.

    `width` is how much wider their bands are by it in forecasts made of `since` and later days; `width_before` that of the days before. Kinds of demo targets have rows of their own.
    """

    kind = models.CharField(max_length=80)
    is_demo = models.BooleanField(default=False)
    width = models.FloatField(default=1.0)
    width_before = models.FloatField(default=1.0)
    since = models.DateField()
    promises = models.PositiveIntegerField()
    in_range = models.FloatField(null=True)  # of crossings between soonest and latest; null with too few
    days_off = models.FloatField(null=True)  # in the middle
    line_days_off = models.FloatField(null=True)
    is_line_nearer = models.BooleanField(default=False)
    chance_off = models.FloatField(null=True)
    is_untrue = models.BooleanField(default=False)

    class Meta:
        ordering = ["kind"]
        constraints = [models.UniqueConstraint(fields=["is_demo", "kind"], name="one_record_a_kind")]

    def __str__(self) -> str:
        return self.kind

    def width_on(self, day: date) -> float:
        """How much wider bands are in a forecast that is made of a day and those before, whenever that is done."""
        return self.width if day >= self.since else self.width_before


class Promise(models.Model):
    """
    The chance and the days that one night's review gave of one figure under one limit.

    It holds until `due_on`, the last day that the chance is about, and is settled by the reviews that follow. The limit
    and its rule stand in it as they were on that night; `line_on` is the day of a straight line over 30 days.
    """

    class Outcome(models.TextChoices):
        WAITING = "waiting", "not due yet"
        CAME = "came", "came"
        MISSED = "missed", "did not come"
        WITHDRAWN = "withdrawn", "not counted"

    class Reason(models.TextChoices):
        LIMIT = "limit", "the limit was changed or withdrawn"
        GONE = "gone", "the figure is not there any more"
        DAYS = "days", "too many days without a figure"

    target = models.ForeignKey(Target, models.CASCADE, related_name="promises")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    figure = models.CharField(max_length=10, choices=Threshold.FigureOf, default=Threshold.FigureOf.VALUE)
    threshold = models.ForeignKey(Threshold, models.SET_NULL, null=True, related_name="promises")
    notation = models.CharField(max_length=80)
    unit = models.CharField(max_length=40, blank=True)
    opens_after = models.PositiveSmallIntegerField(default=1)
    opens_within = models.PositiveSmallIntegerField(default=1)
    made_on = models.DateField()
    due_on = models.DateField()
    is_notice = models.BooleanField(default=False)  # a violation was predicted on this night
    chance = models.FloatField()
    likely_on = models.DateField(null=True)
    soonest_on = models.DateField(null=True)
    latest_on = models.DateField(null=True)
    line_on = models.DateField(null=True)
    width = models.FloatField(default=1.0)  # how much wider than its method alone it was
    is_imported = models.BooleanField(default=False)  # its night came by a file: an account of its own
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.WAITING)
    reason = models.CharField(max_length=10, choices=Reason, blank=True)  # why it does not count
    happened_on = models.DateField(null=True)

    objects = PromiseQuerySet.as_manager()

    class Meta:
        ordering = ["-made_on", "target", "metric", "component"]
        indexes = [
            models.Index(
                fields=["target", "due_on"],
                name="promises_waiting",
                condition=models.Q(outcome="waiting"),
            ),
            models.Index(fields=["due_on"], name="promises_by_due_day"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["threshold", "target", "metric", "component", "made_on"],
                name="one_promise_per_night",
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.component} on {self.target}, promised on {self.made_on}"

    @property
    def what(self) -> str:
        """What it is about, in words."""
        what = remembered_metric(self.metric, self.unit).called(self.component)
        return f"{what}, {change}" if (change := change_in_words(self.figure)) else what
