"""
The history of limits and calendars: who set, changed or withdrew what. Rows are only added, by register.py and
calendar_register.py, and never changed.

Our own tables, not an audit package: those keep copies of rows by triggers, while people want to read what changed, by whom
and where from, in words; that is a few columns and two functions.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Protocol

from django.conf import settings
from django.db import models

from apps.charts import figures
from apps.people.models import User


class ChangedMeanwhile(Exception):
    """Somebody else changed it since it was read; the message says who, when and what."""


class RegisterChange(models.Model):
    """One change; `fields` has a row [label, before, after] for each field that changed, as text."""

    class Kind(models.TextChoices):
        SET = "set", "set"
        CHANGED = "changed", "changed"
        WITHDRAWN = "withdrawn", "withdrawn"

    AT_HEART: ClassVar[str]  # the label of the field that is told when it is set or withdrawn
    NOTATIONS: ClassVar[frozenset[str]] = frozenset()  # the labels of fields that are limits and numbers

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    fields = models.JSONField(default=list)
    through = models.CharField(
        max_length=320, blank=True
    )  # where it came from, where not from the form: a pack, many at once

    class Meta:
        abstract = True
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.words

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row; one that is there cannot be changed."""
        if self.pk is not None:
            raise TypeError("A history is only added to.")
        super().save(*args, **kwargs)

    @property
    def words(self) -> str:
        """What was done, in words, in the reader's marks: "changed limit ≤50 → ≤60, owner none → R. Lindqvist"."""
        through = f" ({self.through})" if self.through else ""
        if self.kind == self.Kind.CHANGED:
            parts = [
                f"{label} {self._written(label, before) or 'none'} → {self._written(label, after) or 'none'}"
                for label, before, after in self.fields
            ]
            return f"changed {', '.join(parts)}{through}"
        heart = next((self._written(*field[::2]) for field in self.fields if field[0] == self.AT_HEART), "")
        return f"{self.get_kind_display()} {heart or 'it'}{through}"

    def _written(self, label: str, text: str) -> str:
        """The text of a field; a limit in the notation of print."""
        return figures.threshold(text) if label in self.NOTATIONS else text


class ThresholdChange(RegisterChange):
    """One change of a limit."""

    AT_HEART = "limit"
    NOTATIONS = frozenset({"limit", "recovery gap"})

    threshold = models.ForeignKey("thresholds.Threshold", models.CASCADE, related_name="changes")


class CalendarChange(RegisterChange):
    """One change of a calendar."""

    AT_HEART = "days"

    calendar = models.ForeignKey("thresholds.Calendar", models.CASCADE, related_name="changes")


class WithHistory(Protocol):
    """What has a history: a limit or a calendar."""

    changes: Any
    set_by: Any
    set_at: Any
    withdrawn_at: Any


def list_differences(
    labels: Mapping[str, str], before: Mapping[str, str], after: Mapping[str, str]
) -> list[list[str]]:
    """The rows of a change: label, before and after of each field whose text is another one now."""
    return [
        [labels[name], before.get(name, ""), text]
        for name, text in after.items()
        if before.get(name, "") != text
    ]


def refuse_the_second(current: WithHistory, read: str | None, what: str) -> None:
    """
    Raise ChangedMeanwhile where somebody changed or withdrew it after `read`, the `set_at` that a person saw, as ISO text.

    Without `read` nothing is compared.
    """
    if read is None or (current.withdrawn_at is None and current.set_at.isoformat() == read):
        return
    changes = [change for change in current.changes.select_related("by") if change.at.isoformat() > read]
    last: RegisterChange | None = changes[0] if changes else None
    who: User | str = (last.by if last else current.set_by) or "Somebody"
    at: datetime = last.at if last else current.set_at
    sentence = "; ".join(f"{change.by or 'somebody'} {change.words}" for change in reversed(changes))
    deed = "withdrew" if current.withdrawn_at is not None else "changed"
    raise ChangedMeanwhile(
        f"{who} {deed} {what} at {at:%H:%M}, after you opened it{f': {sentence}' if sentence else ''}."
    )
