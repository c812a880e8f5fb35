"""Studies of a change: a question, what was changed, two windows, and what people say of the outcome."""

from datetime import date

from django.conf import settings
from django.db import models

from apps.inventory.addresses import address
from apps.inventory.models import Target


class ChangeStudy(models.Model):
    """
    A change of a target held against days before and after it, both ends included.

    `kind` is that of study_registry.py, `windows` what it asked for beside the days. `is_of_release` says that the change is
    a new release itself: else both windows must have the same.
    """

    kind = models.CharField(max_length=20, default="days")
    windows = models.JSONField(default=dict)
    target = models.ForeignKey(Target, models.CASCADE, related_name="studies")
    question = models.CharField(max_length=200)
    change = models.TextField()
    before_from = models.DateField()
    before_to = models.DateField()
    after_from = models.DateField()
    after_to = models.DateField()
    is_of_release = models.BooleanField(default=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()
    conclusion = models.TextField(blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    revisit_on = models.DateField(null=True, blank=True)  # when its profile is to be looked at again

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.question

    def get_absolute_url(self) -> str:
        return address("study", self.pk)

    def is_due(self, today: date) -> bool:
        """Whether the day to look at its profile again has come."""
        return self.revisit_on is not None and self.revisit_on <= today


class StudyAim(models.Model):
    """A figure that a study looks at first, with what was aimed at in the notation of limits; empty: better is better."""

    study = models.ForeignKey(ChangeStudy, models.CASCADE, related_name="aims")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    aim = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "metric", "component"], name="an_aim_once_in_a_study")
        ]

    def __str__(self) -> str:
        return f"{self.component or self.metric} {self.aim}".strip()


class StudyAcceptance(models.Model):
    """What got worse by a change and is accepted as its cost, until a day."""

    study = models.ForeignKey(ChangeStudy, models.CASCADE, related_name="acceptances")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    reason = models.CharField(max_length=300)
    until = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "metric", "component"], name="a_figure_accepted_once_in_a_study"
            )
        ]

    def __str__(self) -> str:
        return f"{self.component or self.metric} until {self.until}"


class StudyCause(models.Model):
    """A part of the change, with the share of the gain that somebody puts down to it, in percent."""

    study = models.ForeignKey(ChangeStudy, models.CASCADE, related_name="causes")
    text = models.CharField(max_length=200)
    share = models.PositiveSmallIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-share", "pk"]

    def __str__(self) -> str:
        return f"{self.share} % {self.text}"
