"""Who may do what."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.inventory.models import Target, validate_time_zone


class People(UserManager["User"]):
    """Whoever signs in comes with their preferences, by one query."""

    use_in_migrations = False

    def get_queryset(self) -> models.QuerySet["User"]:
        return super().get_queryset().select_related("preferences")


class User(AbstractUser):
    """
    A person. Everybody who signs in may read; planners may change targets and thresholds, staff everything.
    """

    may_change = models.BooleanField(
        "may change targets, thresholds and plans",
        default=False,
        help_text="Without it a person reads profiles and reports.",
    )
    time_zone = models.CharField(max_length=64, default="UTC")

    has_first_password = models.BooleanField(default=False)  # somebody else made it, and knows it

    objects: ClassVar[People] = People()

    @property
    def is_planner(self) -> bool:
        return self.is_active and (self.may_change or self.is_staff)

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def prefers(self) -> "Preferences":
        """Their preferences; the usual ones, not saved, where they never chose any."""
        return getattr(self, "preferences", None) or Preferences(person=self)


class Preferences(models.Model):
    """How one person reads: their marks of numbers and order of dates, their clock, their columns, their pinned targets."""

    class Format(models.TextChoices):
        BRITISH = "en-GB", "1,234.5 and 14 Mar 2026"
        AMERICAN = "en-US", "1,234.5 and Mar 14, 2026"
        GERMAN = "de-DE", "1.234,5 and 14. März 2026"
        FRENCH = "fr-FR", "1\u202f234,5 and 14 mars 2026"
        SWISS = "de-CH", "1’234.5 and 14. März 2026"
        SWEDISH = "sv-SE", "1\u202f234,5 and 2026-03-14"

    class WaitUnit(models.TextChoices):
        CENTISECONDS = "cs", "centiseconds"
        MILLISECONDS = "ms", "milliseconds"

    class Column(models.TextChoices):
        CLASS = "class", "class and unit"
        NINETY = "90", "−90 and its change"
        THIRTY = "30", "−30 and its change"
        SEVEN = "7", "−7 and its change"
        SPARK = "spark", "the last 30 days"
        LIMIT = "limit", "threshold"
        LEFT = "left", "days left"

    person = models.OneToOneField(User, models.CASCADE, related_name="preferences")
    locale = models.CharField(max_length=10, choices=Format, default=Format.BRITISH)
    time_zone = models.CharField(
        max_length=64, blank=True, validators=[validate_time_zone]
    )  # empty: the target's
    waits_in = models.CharField(max_length=2, choices=WaitUnit, default=WaitUnit.CENTISECONDS)
    hidden_columns = ArrayField(
        models.CharField(max_length=10, choices=Column), default=list, blank=True
    )  # of profiles
    has_single_keys = models.BooleanField(default=True)  # the keyboard moves with single letters
    has_help = models.BooleanField(default=True)  # a line of help on each page
    pinned = models.ManyToManyField(Target, related_name="+", blank=True)

    class Meta:
        verbose_name_plural = "preferences"

    def __str__(self) -> str:
        return f"how {self.person} reads"
