"""Reports as they were composed."""

from django.db import models

from apps.inventory.models import Group


class WeeklyReport(models.Model):
    """The report of one ISO week, with the facts it was written from."""

    week = models.CharField(max_length=8)  # 2026-W47
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="+")
    composed_at = models.DateTimeField()
    content = models.JSONField()

    class Meta:
        ordering = ["-week"]
        constraints = [
            models.UniqueConstraint(
                fields=["week", "group"], name="one_report_per_week", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"week {self.week}"
