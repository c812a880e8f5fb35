"""What is to be done about a violation, by whom, until when."""

from django.conf import settings
from django.db import models

from apps.thresholds.models import Violation


class ActionPlan(models.Model):
    """The plan of one violation: its diagnosis, and the steps to carry out."""

    class Diagnosis(models.TextChoices):
        PERFORMANCE = "performance", "performance problem"
        CAPACITY = "capacity", "capacity constraint"
        UNDETERMINED = "undetermined", "undetermined"

    violation = models.OneToOneField(Violation, models.CASCADE, related_name="plan")
    diagnosis = models.CharField(max_length=12, choices=Diagnosis, default=Diagnosis.UNDETERMINED)
    evidence = models.JSONField(default=list)  # [{"speaks_for": "capacity", "sentence": "..."}]
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"plan for {self.violation}"


class Action(models.Model):
    """One step of a plan."""

    class State(models.TextChoices):
        TO_DO = "to_do", "to do"
        UNDER_WAY = "under_way", "under way"
        DONE = "done", "done"
        DROPPED = "dropped", "dropped"

    plan = models.ForeignKey(ActionPlan, models.CASCADE, related_name="actions")
    position = models.PositiveSmallIntegerField(default=0)
    text = models.TextField()
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    due_on = models.DateField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.TO_DO)
    notes = models.TextField(blank=True)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.text
