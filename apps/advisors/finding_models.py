"""What rules said of targets: findings, and the trial that they are from."""

from datetime import date
from typing import Self

from django.conf import settings
from django.db import models

from apps.advisors.engine.finding_rules import FindingRule, Weight, find_finding_rule
from apps.inventory.models import Target


class FindingQuerySet(models.QuerySet["Finding"]):
    def live(self) -> Self:
        return self.filter(closed_on=None)

    def standing_on(self, day: date) -> Self:
        """Those that had opened by a day and had not closed before it."""
        return self.filter(opened_on__lte=day).exclude(closed_on__lt=day)


class Finding(models.Model):
    """
    A rule that fires on a target, from the day it opened to the day it closed; one at a time for each rule.

    `evidence` has a line for each component that it fires on, worst first: {"component", "weight", "figures"}, figures by the
    key of the input, null where nothing occurred. They are those of `seen_on`, the last day that it fired.
    """

    target = models.ForeignKey(Target, models.CASCADE, related_name="findings")
    rule = models.CharField(max_length=40)
    weight = models.CharField(max_length=10, choices=[(weight.value, weight.value) for weight in Weight])
    opened_on = models.DateField()
    seen_on = models.DateField()
    reviewed_on = models.DateField()  # the last day that it was looked at
    quiet_days = models.PositiveSmallIntegerField(
        default=0
    )  # in a row, up to the last day that could be evaluated
    closed_on = models.DateField(null=True, blank=True)
    evidence = models.JSONField(default=list)
    line_count = models.PositiveIntegerField(default=1)  # of all components; evidence has the worst of them

    objects = FindingQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_on", "rule"]
        constraints = [
            models.UniqueConstraint(
                fields=["target", "rule"],
                condition=models.Q(closed_on=None),
                name="one_live_finding_per_rule",
            )
        ]

    def __str__(self) -> str:
        return f"{self.rule} on {self.target}"

    @property
    def about(self) -> FindingRule | None:
        """Its rule; None where that has left the product."""
        return find_finding_rule(self.rule)

    def days_on(self, on: date) -> int:
        """For how many days it has been there, the first one included."""
        return (on - self.opened_on).days + 1


class RuleTrial(models.Model):
    """
    The newest trial of all rules on a target.

    `missing` names, by rule, the inputs that were not there: these rules could not be evaluated.
    """

    target = models.OneToOneField(Target, models.CASCADE, related_name="rule_trial")
    on = models.DateField()
    tried = models.PositiveSmallIntegerField(default=0)
    missing = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.tried} rules on {self.target}, {self.on}"


class Dismissal(models.Model):
    """Somebody took note of a finding: it is not shown among the others until a day."""

    target = models.ForeignKey(Target, models.CASCADE, related_name="dismissals")
    rule = models.CharField(max_length=40)
    until = models.DateField()
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.rule} on {self.target} until {self.until}"
