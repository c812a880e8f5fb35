"""What became of each collection, and of each test of a connection."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from apps.collection.history.models import DayPiece as DayPiece
from apps.collection.history.models import FigureFile as FigureFile
from apps.collection.history.models import HistoryImport as HistoryImport
from apps.inventory.models import Target
from apps.inventory.places import fingerprint_of
from apps.inventory.secrets import EncryptedTextField


class RunQuerySet(models.QuerySet["CollectionRun"]):
    def finished(self) -> Self:
        return self.exclude(state=CollectionRun.State.RUNNING)

    def without_roll_up(self, now: datetime) -> Self:
        """
        The runs whose readings wait to be rolled up though nobody is at it any more, oldest first.

        After two days the nightly review and `rebuild_figures` are left to do it.
        """
        ended = (now - timedelta(days=2), now - timedelta(minutes=2))
        return self.filter(needs_roll_up=True, ended_at__range=ended).order_by("slot")

    def latest_per_target(self, targets: models.QuerySet[Target] | None = None) -> Self:
        """The newest finished run of each target, of these or of all, found by one look into the index a target."""
        among = Target.objects.all() if targets is None else targets
        return self.filter(pk__in=among.values_list(models.Subquery(_newest().values("pk")[:1])))


def _newest() -> "models.QuerySet[CollectionRun]":
    """The finished runs of the target of an outer query, newest first; a slot has one run."""
    return CollectionRun.objects.finished().filter(target=models.OuterRef("pk")).order_by("-slot")


class CollectionRun(models.Model):
    """
    One attempt to read one target for one slot; slots missed one after the other on one day are one row.

    `sources` lists what was asked: [{"name", "category", "seconds", "series", "error"}], errors as sentences.
    """

    class State(models.TextChoices):
        RUNNING = "running", "running"
        COMPLETE = "complete", "complete"
        PARTIAL = "partial", "partial"
        FAILED = "failed", "failed"
        MISSED = "missed", "missed"

    WITH_SNAPSHOT = (State.COMPLETE, State.PARTIAL)

    target = models.ForeignKey(Target, models.CASCADE, related_name="runs")
    slot = models.DateTimeField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    series = models.PositiveIntegerField(default=0)
    sources = models.JSONField(default=list)
    notes = models.JSONField(default=list)  # sentences for people
    reason = models.TextField(blank=True)  # why it failed, in a sentence
    seconds = models.FloatField(default=0.0)
    is_worth_retrying = models.BooleanField(default=False)  # of a failure: the same try later may succeed
    tries = models.PositiveIntegerField(default=1)
    needs_roll_up = models.BooleanField(default=False)  # recorded, and its figures not made yet
    slots = models.PositiveIntegerField(default=1)  # of missed ones in a row: how many ...
    last_slot = models.DateTimeField(null=True)  # ... and the last of them

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-slot", "-began_at"]
        indexes = [
            models.Index(fields=["target", "-slot"], name="runs_of_target"),
            models.Index(fields=["slot"], name="runs_to_roll_up", condition=models.Q(needs_roll_up=True)),
        ]
        constraints = [models.UniqueConstraint(fields=["target", "slot"], name="one_run_per_slot")]

    def __str__(self) -> str:
        return f"{self.target} at {self.slot:%Y-%m-%d %H:%M}: {self.state}"

    @property
    def failed_sources(self) -> list[dict[str, object]]:
        return [source for source in self.sources if source["error"]]

    @property
    def has_snapshot(self) -> bool:
        return self.state in self.WITH_SNAPSHOT

    def as_json(self) -> dict[str, object]:
        """The run as commands print it; keys are those of docs/commands.md."""
        return {
            "target": self.target.name,
            "slot": _iso(self.slot),
            "state": self.state,
            "began_at": _iso(self.began_at),
            "ended_at": _iso(self.ended_at),
            "seconds": round(self.seconds, 3),
            "series": self.series,
            "sources": self.sources,
            "notes": self.notes,
            "reason": self.reason or None,
            "tries": self.tries,
            "slots": self.slots,
            "last_slot": _iso(self.last_slot),
        }


class CountedMembers(models.Model):
    """What the members of a tally had counted at the newest reading of a category, for the next one."""

    target = models.ForeignKey(Target, models.CASCADE, related_name="counted_members")
    category = models.SmallIntegerField()
    captured_at = models.DateTimeField()
    counts = models.JSONField()  # as tallies.py writes it

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "category"], name="one_tally_a_category")]

    def __str__(self) -> str:
        return f"{self.target}: {self.category} at {self.captured_at:%Y-%m-%d %H:%M}"


class SlotAccount(models.Model):
    """Up to which slot every one of a target is accounted for: read, failed, or noted as missed."""

    target = models.OneToOneField(Target, models.CASCADE, primary_key=True, related_name="slot_account")
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.target} up to {self.until:%Y-%m-%d %H:%M}"


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


class HostUpload(models.Model):
    """
    A file of a host that somebody gave on its page: looked into by a worker, and stored once that is asked for.

    `report` is what the worker says of it: what is in it, and what becomes or became of its days. The content goes when it is
    stored, refused or a day old.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waits for a worker"
        READ = "read", "nothing stored yet"
        STORING = "storing", "is being stored"
        STORED = "stored", "stored"
        REFUSED = "refused", "refused"
        TAKEN_BACK = "taken back", "taken back"

    SETTLED: ClassVar = (State.STORED, State.REFUSED, State.TAKEN_BACK)

    target = models.ForeignKey(Target, models.CASCADE, related_name="uploads")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    is_confirmed = models.BooleanField(default=False)  # that it is of this host, whatever it names
    report = models.JSONField(default=dict)
    reason = models.TextField(blank=True)  # why it was refused, in a sentence
    given_at = models.DateTimeField()

    UNDER_WAY = (State.WAITING, State.STORING)

    class Meta:
        ordering = ["-given_at", "name"]

    def __str__(self) -> str:
        return f"{self.name} of {self.target}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        return self.state in self.UNDER_WAY


class SenderToken(models.Model):
    """By what somebody who sends proves who that is; the token itself is shown once and kept nowhere."""

    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True)  # of what was sent last, in a sentence
    counted_since = models.DateTimeField(null=True)  # the hour in which sendings are counted ...
    sendings = models.PositiveIntegerField(default=0)  # ... and how many there were

    class Meta:
        abstract = True


class PushToken(SenderToken):
    """By what a host proves who it is when it sends its records."""

    target = models.OneToOneField(Target, models.CASCADE, related_name="push_token")

    def __str__(self) -> str:
        return f"token of {self.target}"


class UserFigureToken(SenderToken):
    """By what a program proves that it may send what users of a target experience."""

    target = models.OneToOneField(Target, models.CASCADE, related_name="user_figure_token")

    def __str__(self) -> str:
        return f"token of what users of {self.target} experience"


class ConnectionTest(models.Model):
    """
    One press of "Test connection": what was typed, held for minutes, and what came of it.

    The page writes it, a worker tries it, and whoever asked sees it, in the same session alone: `token` is its name
    there. What was typed as passwords is encrypted and leaves for the address of the test only.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for a worker"
        RUNNING = "running", "running"
        DONE = "done", "done"

    token = models.CharField(max_length=43, unique=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    session = models.CharField(max_length=64)  # a digest of the session's key
    target = models.ForeignKey(
        Target, models.CASCADE, null=True, related_name="+"
    )  # none: not registered yet
    collector = models.CharField(max_length=20)
    address = models.JSONField()
    username = models.CharField(max_length=128, blank=True)
    typed = (
        EncryptedTextField()
    )  # JSON: {"password", "standby_password", "wallet_password"}, those that were typed
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True)
    steps = models.JSONField(default=list)
    host_key = models.TextField(blank=True)  # that the host presented

    class Meta:
        indexes = [models.Index(fields=["person", "asked_at"], name="tests_of_person")]

    def __str__(self) -> str:
        return f"test of {self.collector} by {self.person}: {self.state}"

    @property
    def secret_owner(self) -> str:
        return f"connection test {self.token}"

    @property
    def secret_place(self) -> str:
        return fingerprint_of(self.collector, self.address)
