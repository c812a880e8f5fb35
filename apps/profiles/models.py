"""What people say of days: a baseline, when all was well, and notes on what happened."""

from datetime import date
from typing import Self

from django.conf import settings
from django.db import models
from django.urls import reverse

from apps.inventory.models import Group, Target
from apps.inventory.scope import Scoped, holding_for, one_scope


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


class NoteQuerySet(models.QuerySet["Note"]):
    def standing(self) -> Self:
        """Those that nobody removed, with all that is shown of them."""
        return self.filter(removed_at=None).prefetch_related("target", "group", "written_by", "changed_by")

    def about(self, target: Target) -> Self:
        """Notes that concern a target: its own, those of its group, and those of the whole estate."""
        return self.standing().filter(holding_for([target]))

    def verdicts(self) -> Self:
        """Those that say what users thought of days."""
        return self.exclude(verdict="")

    def between(self, first: date, last: date) -> Self:
        """Those with a day in a stretch."""
        return self.filter(first_day__lte=last, last_day__gte=first)


class Note(Scoped):
    """
    What happened on a day or a period, in somebody's words, and what users said of it; days are calendar days of each target's time zone.
    """

    class Verdict(models.TextChoices):
        SLOW = "slow", "slow"
        FINE = "fine", "fine"

    LONGEST = 400  # letters
    MOST_DAYS = 366

    target = models.ForeignKey(Target, models.CASCADE, null=True, blank=True, related_name="day_notes")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="day_notes")
    first_day = models.DateField()
    last_day = models.DateField()
    text = models.CharField(max_length=LONGEST)
    verdict = models.CharField(max_length=4, choices=Verdict, blank=True)
    said_by = models.CharField(max_length=80, blank=True)  # those whose verdict it is
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    written_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = NoteQuerySet.as_manager()

    class Meta:
        ordering = ["-first_day", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")), name="note_ends_after_it_begins"
            ),
            one_scope("note_of_target_or_group"),
        ]

    def __str__(self) -> str:
        return self.text

    def get_absolute_url(self) -> str:
        return reverse("note", args=[self.pk])

    @property
    def verdict_in_words(self) -> str:
        """`slow, said accounting`; empty where users said nothing."""
        return ", said ".join(filter(None, (self.verdict, self.said_by))) if self.verdict else ""

    @property
    def is_period(self) -> bool:
        return self.last_day > self.first_day
