"""
The history of limits: who set, changed or withdrew what. Rows are added by register.py alone and never changed.

Our own table, not an audit package: those keep copies of rows by triggers, while people want to read what changed, by whom
and where from, in words; that is one table and one function.
"""

from typing import Any

from django.conf import settings
from django.db import models


class ThresholdChange(models.Model):
    """One change of a limit; `fields` has a row [label, before, after] for each field that changed, as text."""

    class Kind(models.TextChoices):
        SET = "set", "set"
        CHANGED = "changed", "changed"
        WITHDRAWN = "withdrawn", "withdrawn"

    threshold = models.ForeignKey("thresholds.Threshold", models.CASCADE, related_name="changes")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    fields = models.JSONField(default=list)
    through = models.CharField(
        max_length=320, blank=True
    )  # where it came from, where not from the form: a pack, many at once

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.words

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row; one that is there cannot be changed."""
        if self.pk is not None:
            raise TypeError("The history of limits is only added to.")
        super().save(*args, **kwargs)

    @property
    def words(self) -> str:
        """What was done, in words: "changed limit <=50 → <=60, owner none → R. Lindqvist"."""
        through = f" ({self.through})" if self.through else ""
        if self.kind == self.Kind.CHANGED:
            parts = [
                f"{label} {before or 'none'} → {after or 'none'}" for label, before, after in self.fields
            ]
            return f"changed {', '.join(parts)}{through}"
        limit = next((after for label, _, after in self.fields if label == "limit"), "")
        return f"{self.get_kind_display()} {limit}".strip() + (f" it{through}" if not limit else through)
