"""Reports as they were composed."""

from dataclasses import replace
from functools import cached_property
from typing import Self

from django.db import models

from apps.inventory.models import Group
from apps.reports.engine.week import Week, parse_week
from apps.reports.facts import Facts, parse_facts
from apps.thresholds.models import Violation


class WeeklyReportQuerySet(models.QuerySet["WeeklyReport"]):
    def newest_of(self, week: Week, group: Group | None = None) -> "WeeklyReport | None":
        """What was composed last for a week."""
        return self.filter(week=week.name, group=group).order_by("-composed_at", "-pk").first()

    def newest_week(self, group: Group | None, until: Week) -> Week | None:
        """The newest week up to one that was reported; None where none was."""
        names = (
            self.filter(group=group, week__lte=until.name).order_by("-week").values_list("week", flat=True)
        )
        name = names.first()
        return None if name is None else parse_week(name)

    def sent(self) -> Self:
        return self.exclude(sent_at=None)


class WeeklyReport(models.Model):
    """
    The report of one ISO week, with the facts it was written from.

    One that was sent is never changed; composing the week again then makes another.
    """

    week = models.CharField(max_length=8)  # 2026-W47
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="+")
    composed_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)  # when its first mail was prepared
    content = models.JSONField()

    objects = WeeklyReportQuerySet.as_manager()

    class Meta:
        ordering = ["-week", "-composed_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["week", "group"],
                condition=models.Q(sent_at=None),
                name="one_unsent_report_per_week",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return f"week {self.week}"

    @property
    def about(self) -> Week:
        return parse_week(self.week)

    @cached_property
    def facts(self) -> Facts:
        """As they were known, predictions that have come true since marked so."""
        facts = parse_facts(self.content)
        over = Violation.objects.filter(pk__in=[item.violation for item in facts.predicted]).exclude(
            opened_on=None
        )
        opened = {pk: on.isoformat() for pk, on in over.values_list("pk", "opened_on") if on is not None}
        predicted = [replace(item, came_true_on=opened.get(item.violation)) for item in facts.predicted]
        return replace(facts, predicted=predicted)

    @property
    def sentences(self) -> list[str]:
        return list(self.content["sentences"])
