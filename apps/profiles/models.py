"""A baseline: a steady period when users were satisfied."""

from django.conf import settings
from django.db import models

from apps.inventory.models import Target


class Baseline(models.Model):
    """Days of a target that people call steady; first thresholds and "no change" refer to them."""

    target = models.ForeignKey(Target, models.CASCADE, related_name="baselines")
    first_day = models.DateField()
    last_day = models.DateField()
    note = models.TextField(blank=True)
    marked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    marked_at = models.DateTimeField()

    class Meta:
        ordering = ["-marked_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")), name="baseline_ends_after_it_begins"
            )
        ]

    def __str__(self) -> str:
        return f"{self.target}: {self.first_day} to {self.last_day}"
