"""What became of a target's history: what was found, what of it is read, and how far that is; of files of figures, and of stretches of days."""

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from apps.collection.history.reach import HistoryReach
from apps.inventory.models import Target
from apps.snapshots.coverage_facts import CoverageFacts


class HistoryImport(models.Model):
    """
    The history of one target: looked for by a worker, read once somebody asks for it, and taken back whole.

    `reach_facts` is what each source has (HistoryReach); `chosen` are the keys that are read. Days are read from `last_day`
    back to `first_day`, and `next_day` is the one that comes next. `stored` names the source of each day that was stored.
    """

    class State(models.TextChoices):
        LOOKING = "looking", "is being looked for"
        LISTED = "listed", "was looked for"
        READING = "reading", "is being read"
        PAUSED = "paused", "paused"
        READ = "read", "read"
        REFUSED = "refused", "could not be looked for"
        TAKEN_BACK = "taken back", "taken back"

    UNDER_WAY: ClassVar = (State.LOOKING, State.READING)
    READABLE: ClassVar = (State.LISTED, State.READ, State.TAKEN_BACK)  # where reading may begin

    target = models.OneToOneField(Target, models.CASCADE, related_name="history")
    state = models.CharField(max_length=10, choices=State, default=State.LOOKING)
    reach_facts = models.JSONField(default=list)
    chosen = models.JSONField(default=list)
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    next_day = models.DateField(null=True)
    stored = models.JSONField(default=dict)
    fact_keys = models.JSONField(default=list)  # of the facts that came with it
    reason = models.TextField(blank=True)  # why it could not be looked for, or stopped, in a sentence
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    looked_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(null=True)  # when a day was last read
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"history of {self.target}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        return self.state in self.UNDER_WAY

    @property
    def can_be_read(self) -> bool:
        """Whether something was found that may be read now."""
        return self.state in self.READABLE and any(reach.days for reach in self.reaches)

    @property
    def reaches(self) -> Sequence[HistoryReach]:
        """What was found, source by source."""
        return [HistoryReach.from_json(fields) for fields in self.reach_facts]

    @property
    def days_stored(self) -> int:
        return len(self.stored)

    @property
    def share_read(self) -> float:
        """How much of the days was read, from 0 to 1."""
        if self.first_day is None or self.last_day is None:
            return 0.0
        if self.next_day is None:
            return 1.0
        return (self.last_day - self.next_day).days / ((self.last_day - self.first_day).days + 1)

    @property
    def oldest(self) -> date | None:
        """The oldest day that was stored."""
        return date.fromisoformat(min(self.stored)) if self.stored else None


class FigureFile(models.Model):
    """
    A CSV of daily figures that somebody gave: what was understood is shown, stored once that is asked for, and taken back whole.

    `columns` says which column holds what, `names` what its names of statistics and targets mean, `report` what was
    understood. A worker stores target by target, and `stored` says how many figures there are of each; the content goes
    with the last one.
    """

    class State(models.TextChoices):
        READ = "read", "nothing stored yet"
        STORING = "storing", "is being stored"
        STORED = "stored", "stored"
        TAKEN_BACK = "taken back", "taken back"

    target = models.ForeignKey(
        Target, models.SET_NULL, null=True, related_name="+"
    )  # that its lines are of, where none says so
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=200, unique=True)
    content = models.BinaryField()
    state = models.CharField(max_length=10, choices=State, default=State.READ)
    columns = models.JSONField(default=dict)
    names = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    reason = models.TextField(blank=True)  # why it cannot be read so, in a sentence
    stored = models.JSONField(default=dict)
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    given_at = models.DateTimeField()
    moved_at = models.DateTimeField()

    class Meta:
        ordering = ["-given_at", "name"]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("figure_file", args=[self.pk])

    @property
    def origin(self) -> str:
        """What its figures name as their source."""
        return f"{CoverageFacts.CSV} {self.name}"

    @property
    def is_under_way(self) -> bool:
        return self.state == self.State.STORING

    @property
    def figures_stored(self) -> int:
        return sum(self.stored.values())


class DayPiece(models.Model):
    """
    A stretch of a day that a file gave, such as the hour of a report: what was read at both its ends, packed.

    The days of a target are put together from such stretches (pieces.py) whenever one comes or goes.
    """

    target = models.ForeignKey(Target, models.CASCADE, related_name="pieces")
    day = models.DateField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    file = models.CharField(max_length=120)
    content = models.BinaryField()

    class Meta:
        ordering = ["began_at", "ended_at"]
        constraints = [
            models.UniqueConstraint(fields=["target", "began_at", "ended_at"], name="one_piece_of_a_stretch")
        ]
        indexes = [models.Index(fields=["target", "day"], name="piece_of_day")]

    def __str__(self) -> str:
        return f"{self.file} of {self.target}: {self.began_at:%Y-%m-%d %H:%M}"
