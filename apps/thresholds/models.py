"""Where comfort ends, and what became of it."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from fnmatch import fnmatchcase
from typing import Self

from django.conf import settings
from django.db import models

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, is_metric, remembered_metric
from apps.charts.figures import long_day
from apps.inventory.addresses import address
from apps.inventory.models import Group, Target
from apps.inventory.scope import Scoped, holding_for, one_scope
from apps.thresholds.calendars import Calendar as Calendar
from apps.thresholds.changes import CalendarChange as CalendarChange
from apps.thresholds.changes import ThresholdChange as ThresholdChange
from apps.thresholds.engine.notation import LONGEST, Form, Limit, Second, says_unit
from apps.thresholds.step_text import write_sentence

PATTERN_SIGN = re.compile(r"[*?\[]")


class Severity(models.TextChoices):
    WARNING = "warning", "warning"
    CRITICAL = "critical", "critical"


class ThresholdQuerySet(models.QuerySet["Threshold"]):
    def in_force(self) -> Self:
        return self.filter(withdrawn_at=None)

    def reaching(self, targets: Iterable[Target]) -> Self:
        """Thresholds that may apply to some of the targets, with their owners."""
        return self.in_force().filter(holding_for(targets)).select_related("owner")

    def touching(self, targets: Iterable[Target]) -> Self:
        """The same with their targets and groups, where pages say for what they are set."""
        return self.reaching(targets).select_related("target", "group")


class Threshold(Scoped):
    """
    A comfort level set by a person on one figure of one statistic.

    Without target and group it is a template for every target that has the statistic. `low` and `high` are in
    `unit`, the one the profile showed when it was typed.
    """

    class FigureOf(models.TextChoices):
        VALUE = "value", "the day's figure"
        CHANGE_7 = "change_7", "its change in 7 days, %"
        CHANGE_30 = "change_30", "its change in 30 days, %"
        CHANGE_90 = "change_90", "its change in 90 days, %"

    target = models.ForeignKey(Target, models.CASCADE, null=True, blank=True, related_name="thresholds")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="thresholds")
    metric = models.CharField(max_length=120)  # key, with the reduction where it has one
    component = models.CharField(max_length=200, blank=True)  # a name, a pattern (DATA*), or empty: all
    figure = models.CharField(max_length=10, choices=FigureOf, default=FigureOf.VALUE)
    notation = models.CharField(max_length=LONGEST)
    form = models.CharField(max_length=10, choices=[(form.value, form.value) for form in Form])
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    unit = models.CharField(max_length=40, blank=True)
    second_metric = models.CharField(
        max_length=120, blank=True
    )  # of a second condition, broken only with the first
    second_word = models.CharField(max_length=40, blank=True)
    second_form = models.CharField(
        max_length=10, choices=[(form.value, form.value) for form in Form], blank=True
    )
    second_low = models.FloatField(null=True, blank=True)
    second_high = models.FloatField(null=True, blank=True)
    second_unit = models.CharField(max_length=40, blank=True)
    severity = models.CharField(max_length=10, choices=Severity, default=Severity.WARNING)
    opens_after = models.PositiveSmallIntegerField(default=1)  # N of ...
    opens_within = models.PositiveSmallIntegerField(default=1)  # ... the last M judged days
    closes_after = models.PositiveSmallIntegerField(default=3)  # K judged days in a row
    recovery_gap = models.FloatField(default=0.0)  # percent of the limit
    leaves_out_peaks = models.BooleanField(default=False)  # maintenance is left out always
    lead_time_days = models.PositiveSmallIntegerField(default=30)
    plan = models.TextField(blank=True)  # the course of action decided when all was calm
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = ThresholdQuerySet.as_manager()

    class Meta:
        ordering = ["metric", "component", "severity"]
        constraints = [
            one_scope("target_or_group_or_neither"),
            models.CheckConstraint(
                condition=models.Q(opens_after__gte=1)
                & models.Q(opens_within__gte=models.F("opens_after"))
                & models.Q(closes_after__gte=1),
                name="persistence_makes_sense",
            ),
        ]

    def __str__(self) -> str:
        of = f" of {self.component}" if self.component else ""
        return f"{self.notation} on {self.metric}{of}"

    def get_absolute_url(self) -> str:
        return address("threshold", self.pk)

    @property
    def limit(self) -> Limit:
        return Limit(Form(self.form), self.low, self.high, second=self.second)

    @property
    def second(self) -> Second | None:
        """The second condition, where there is one."""
        if not self.second_metric:
            return None
        limit = Limit(Form(self.second_form), self.second_low, self.second_high)
        return Second(self.second_metric, limit, self.second_unit, self.second_word)

    @property
    def about(self) -> Metric:
        return get_metric(self.metric)

    @property
    def label(self) -> str:
        """The statistic in words; its key where it has left the catalogue."""
        return remembered_metric(self.metric, self.unit).label

    @property
    def why_idle(self) -> str:
        """Why nothing is judged by it any more, in a sentence; empty where it is in force."""
        if self.withdrawn_at is not None:
            return f"It was {self.changes.first() or 'withdrawn'} on {long_day(self.withdrawn_at.date())}."
        if self.target is not None and self.target.retired_at is not None:
            gone_on = long_day(self.target.retired_at.astimezone(self.target.zone).date())
            return f"{self.target.name} was retired on {gone_on}."
        if not is_metric(self.metric):
            return f"{self.metric} is not a statistic of the catalogue any more."
        return ""

    @property
    def own_unit(self) -> str:
        """The unit to write behind the limit; empty where its notation names one, or needs none."""
        return "" if says_unit(self.notation) else self.unit

    @property
    def is_pattern(self) -> bool:
        return PATTERN_SIGN.search(self.component) is not None

    def covers(self, component: str) -> bool:
        """Whether a component is under this threshold."""
        if not self.component or self.component == component:
            return True
        return self.is_pattern and fnmatchcase(component, self.component)


HORIZON_OF: Mapping[str, int] = {  # days back of the figures that are changes
    Threshold.FigureOf.CHANGE_7: 7,
    Threshold.FigureOf.CHANGE_30: 30,
    Threshold.FigureOf.CHANGE_90: 90,
}


def change_in_words(figure: str) -> str:
    """What a limit is on where it is a change: "change in 30 days"; empty for the value of the day."""
    days = HORIZON_OF.get(figure)
    return "" if days is None else f"change in {days} days"


class ViolationQuerySet(models.QuerySet["Violation"]):
    def live(self) -> Self:
        """Predicted, open, acknowledged, in progress or accepted: everything that has not ended."""
        return self.filter(closed_on=None)

    def open(self) -> Self:
        """Broken and not ended, whatever people have said of them."""
        return self.live().exclude(opened_on=None)

    def over(self) -> Self:
        """Over their limit now: open, and not inside it again."""
        return self.open().filter(days_inside=None)

    def predicted(self) -> Self:
        """Foreseen and not come true, whatever people have said of them."""
        return self.live().filter(opened_on=None)

    def for_report(self, first_day: date, last_day: date) -> Self:
        """Violations seen in a period, with all that a report prints about them."""
        return (
            self.filter(models.Q(opened_on__lte=last_day) | models.Q(predicted_on__lte=last_day))
            .exclude(closed_on__lt=first_day)
            .select_related("target", "target__group", "threshold", "threshold__owner", "owner")
        )


class Violation(models.Model):
    """
    One figure of one component of one target beyond its limit, from the day it opened to the day it closed.

    One record per target, statistic, component and figure at a time; it carries the highest severity that holds.
    """

    class State(models.TextChoices):
        PREDICTED = "predicted", "predicted"
        OPEN = "open", "open"
        ACKNOWLEDGED = "acknowledged", "acknowledged"
        IN_PROGRESS = "in_progress", "in progress"
        ACCEPTED = "accepted", "accepted risk"
        REGRESSION = "regression", "accepted regression"
        RESOLVED = "resolved", "resolved"
        AVERTED = "averted", "averted"

    target = models.ForeignKey(Target, models.CASCADE, related_name="violations")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    figure = models.CharField(max_length=10, choices=Threshold.FigureOf, default=Threshold.FigureOf.VALUE)
    threshold = models.ForeignKey(Threshold, models.SET_NULL, null=True, related_name="violations")
    notation = models.CharField(max_length=80)  # of the limit as it stood at the last review
    unit = models.CharField(max_length=40, blank=True)
    severity = models.CharField(max_length=10, choices=Severity)
    state = models.CharField(max_length=12, choices=State, default=State.OPEN)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    due_on = models.DateField(null=True, blank=True)
    predicted_on = models.DateField(null=True, blank=True)  # the day whose review predicted it
    opened_on = models.DateField(null=True, blank=True)
    closed_on = models.DateField(null=True, blank=True)
    closed_because = models.TextField(blank=True)
    value = models.FloatField(null=True)  # at the last judged day, in `unit`
    worst_value = models.FloatField(null=True)
    judged_on = models.DateField(null=True)  # the last day that was judged
    days_inside = models.PositiveSmallIntegerField(
        null=True
    )  # at the last judged day: how many in a row count towards its
    # end; none while that day was beyond the limit
    reviewed_on = models.DateField(null=True)  # the last day that was looked at
    review_on = models.DateField(null=True, blank=True)  # of what was accepted or acknowledged: look again
    follows = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")

    objects = ViolationQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_on", "target"]
        constraints = [
            models.UniqueConstraint(
                fields=["target", "metric", "component", "figure"],
                condition=models.Q(closed_on=None),
                name="one_live_violation_per_figure",
            )
        ]

    def __str__(self) -> str:
        of = f" {self.component}" if self.component else ""
        return f"{self.target}{of} {self.metric}"

    def get_absolute_url(self) -> str:
        return address("violation", self.pk)

    @property
    def about(self) -> Metric:
        """Its statistic; of one that has left the catalogue what is remembered of it."""
        return remembered_metric(self.metric, self.unit)

    @property
    def what(self) -> str:
        """What is over its limit, in words."""
        what = self.about.called(self.component)
        return f"{what}, {change}" if (change := change_in_words(self.figure)) else what

    @property
    def is_live(self) -> bool:
        return self.closed_on is None

    @property
    def is_predicted(self) -> bool:
        """It never broke its limit; people may have acknowledged it all the same."""
        return self.opened_on is None

    @property
    def is_closing(self) -> bool:
        """It is open still, and its figure was inside its limit again on the last judged day."""
        return self.is_live and not self.is_predicted and self.days_inside is not None

    @property
    def is_accepted(self) -> bool:
        """Somebody took it upon themselves until a day: as a risk, or as what a change for the better cost."""
        return self.state in (self.State.ACCEPTED, self.State.REGRESSION)


class Step(models.Model):
    """
    One step in the life of a violation: who, when, why.

    `why` is what a person wrote, or a review without any number; what a review measured stands in `facts`, and its
    sentence is made when it is shown. `severity_before` is set where the step changed the severity.
    """

    violation = models.ForeignKey(Violation, models.CASCADE, related_name="steps")
    at = models.DateTimeField()
    on = models.DateField(null=True)  # the day reviewed, where the review took the step
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    before = models.CharField(max_length=12, blank=True)
    after = models.CharField(max_length=12)
    severity_before = models.CharField(max_length=10, choices=Severity, blank=True)
    facts = models.JSONField(default=dict, blank=True)  # {"kind": "over", "value": 96.0, ...}: step_text.py
    why = models.TextField(blank=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.before or 'new'} → {self.after}"

    @property
    def sentence(self) -> str:
        """Why it was taken, in the marks of whoever reads it."""
        return write_sentence(self.facts) if self.facts else self.why
