"""What became of each collection."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

from django.db import models

from apps.inventory.models import Target


class RunQuerySet(models.QuerySet["CollectionRun"]):
    def finished(self) -> Self:
        return self.exclude(state=CollectionRun.State.RUNNING)

    def latest_per_target(self, targets: models.QuerySet[Target] | None = None) -> Self:
        """The newest finished run of each target, of these or of all, found by one look into the index a target."""
        among = Target.objects.all() if targets is None else targets
        return self.filter(pk__in=among.values_list(models.Subquery(_newest().values("pk")[:1])))

    def count_last(self, targets: models.QuerySet[Target], states: Sequence[str]) -> int:
        """How many of these targets were left in one of these states by their newest finished run."""
        last = models.Subquery(_newest().values("state")[:1])
        return targets.annotate(last_state=last).filter(last_state__in=states).count()


def _newest() -> "models.QuerySet[CollectionRun]":
    """The finished runs of the target of an outer query, newest first; a slot has one run."""
    return CollectionRun.objects.finished().filter(target=models.OuterRef("pk")).order_by("-slot")


class CollectionRun(models.Model):
    """
    One attempt to read one target for one slot.

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

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-slot", "-began_at"]
        indexes = [models.Index(fields=["target", "-slot"], name="runs_of_target")]
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
        """The run as commands print it; keys are the words of product.md."""
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
        }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
