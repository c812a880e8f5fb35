"""What is to be done about a violation, by whom, until when; and what people wrote and kept with it."""

from datetime import date
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models

from apps.advisors.benchmark_models import Benchmark as Benchmark
from apps.advisors.benchmark_models import BenchmarkToken as BenchmarkToken
from apps.advisors.finding_models import Dismissal as Dismissal
from apps.advisors.finding_models import Finding as Finding
from apps.advisors.finding_models import RuleTrial as RuleTrial
from apps.advisors.rule_setting_models import RuleSetting as RuleSetting
from apps.advisors.rule_setting_models import RuleSettingChange as RuleSettingChange
from apps.advisors.study_models import ChangeStudy as ChangeStudy
from apps.advisors.study_models import StudyAcceptance as StudyAcceptance
from apps.advisors.study_models import StudyAim as StudyAim
from apps.advisors.study_models import StudyCause as StudyCause
from apps.thresholds.models import Violation


class Diagnosis(models.TextChoices):
    PERFORMANCE = "performance", "performance problem"
    CAPACITY = "capacity", "capacity constraint"
    UNDETERMINED = "undetermined", "undetermined"


class ActionPlan(models.Model):
    """
    The plan of one violation: its diagnosis, and the steps to carry out.

    `proposed` is what the figures said on the day `proposed_on`, made anew each night until a person has decided;
    `diagnosis` is what holds: a person confirms it or overrules it. `version` grows with each decision, so that of two people the second is told.
    """

    Diagnosis = Diagnosis

    violation = models.OneToOneField(Violation, models.CASCADE, related_name="plan")
    diagnosis = models.CharField(max_length=12, choices=Diagnosis, default=Diagnosis.UNDETERMINED)
    proposed = models.CharField(max_length=12, choices=Diagnosis, default=Diagnosis.UNDETERMINED)
    proposed_on = models.DateField(null=True, blank=True)  # the day whose figures it is proposed from
    evidence = models.JSONField(
        default=list
    )  # [{"kind": ..., "speaks_for": ..., "changes": [...], "numbers": {...}}]
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)  # why a person decided so
    made_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=0)
    uid = models.UUIDField(default=uuid4, editable=False)  # of its entries in calendars
    before_from = models.DateField(null=True, blank=True)  # the windows of its study, both ends included
    before_to = models.DateField(null=True, blank=True)
    after_from = models.DateField(null=True, blank=True)
    after_to = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return f"plan for {self.violation}"

    @property
    def is_overruled(self) -> bool:
        """A person decided against what the figures say."""
        return self.confirmed_at is not None and self.diagnosis != self.proposed

    def is_asking(self, on: date) -> bool:
        """Whether what the figures say of a day is of interest: nobody has decided, or somebody did against them."""
        is_older = self.proposed_on is not None and on < self.proposed_on
        return (self.confirmed_at is None or self.is_overruled) and not is_older


class ActionQuerySet(models.QuerySet["Action"]):
    def to_be_done(self) -> Self:
        return self.exclude(state__in=(Action.State.DONE, Action.State.DROPPED))


class Action(models.Model):
    """One step of a plan; `version` grows with each change of it."""

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
    done_on = models.DateField(null=True, blank=True)
    notes = models.TextField(blank=True)
    share = models.PositiveSmallIntegerField(null=True, blank=True)  # percent of what was gained by it
    cost = models.CharField(max_length=80, blank=True)  # in the words of whoever planned it
    days_won = models.PositiveSmallIntegerField(null=True, blank=True)  # by which it puts off the breach
    version = models.PositiveIntegerField(default=0)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField(null=True, blank=True)
    uid = models.UUIDField(default=uuid4, editable=False)  # of its entry in calendars

    objects = ActionQuerySet.as_manager()

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.text

    @property
    def is_over(self) -> bool:
        """Nothing is left to do about it."""
        return self.state in (self.State.DONE, self.State.DROPPED)

    def is_late(self, today: date) -> bool:
        return not self.is_over and self.due_on is not None and self.due_on < today


class PlanTemplate(models.Model):
    """
    A course of action kept for violations of a kind: a family of statistics, a diagnosis, or both.

    `steps` has a line for each step: what to do, then optionally `| days` it may take from the day the plan is made.
    Those that come with Headroom have a `key`; once a person changed one it is theirs.
    """

    name = models.CharField(max_length=120, unique=True)
    family = models.CharField(max_length=80, blank=True)  # a section of the profile; empty: any
    diagnosis = models.CharField(max_length=12, choices=Diagnosis, blank=True)  # empty: any
    steps = models.TextField()
    source = models.CharField(max_length=200, blank=True)
    key = models.CharField(max_length=40, blank=True)
    is_withdrawn = models.BooleanField(default=False)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Comment(models.Model):
    """What somebody wrote about a violation."""

    violation = models.ForeignKey(Violation, models.CASCADE, related_name="comments")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    text = models.TextField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.text[:60]


class AttachmentQuerySet(models.QuerySet["Attachment"]):
    def without_content(self) -> Self:
        return self.defer("content").select_related("by")


class Attachment(models.Model):
    """
    A file kept with a violation: in the database, so that a backup has it and the end of the violation removes it.

    It is given back as a download and never shown or run.
    """

    violation = models.ForeignKey(Violation, models.CASCADE, related_name="attachments")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=120)
    size = models.PositiveIntegerField()
    content = models.BinaryField()

    objects = AttachmentQuerySet.as_manager()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.name


class StudyFigure(models.Model):
    """One figure that the study of a plan looks at before and after, with what was aimed at in its unit."""

    plan = models.ForeignKey(ActionPlan, models.CASCADE, related_name="figures")
    metric = models.CharField(max_length=120)
    component = models.CharField(max_length=200, blank=True)
    aim = models.CharField(max_length=80, blank=True)  # the notation of limits, or empty: none set

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "metric", "component"], name="a_figure_once_in_a_study")
        ]

    def __str__(self) -> str:
        return f"{self.component or self.metric} of {self.plan}"
