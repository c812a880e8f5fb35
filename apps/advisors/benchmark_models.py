"""Benchmark runs as people bring them."""

from django.conf import settings
from django.db import models

from apps.collection.models import SenderToken
from apps.inventory.addresses import address
from apps.inventory.models import Target


class Benchmark(models.Model):
    """
    A series of runs: `runs` has {"parameters": [...], "repetitions": [...], "figures": {name: [...]}} for each, in the order
    of the table.

    `parameters` and `figures` are the names of the columns, `repetitions` what the repetitions are called: of runs that were
    read before these were stored, none.
    """

    name = models.CharField(max_length=120)
    target = models.ForeignKey(
        Target, models.CASCADE, null=True, blank=True, related_name="benchmarks"
    )  # that they ran on
    parameters = models.JSONField(default=list)
    figures = models.JSONField(default=list)
    runs = models.JSONField(default=list)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return address("benchmark", self.pk)


class BenchmarkToken(SenderToken):
    """By what a program proves that it may send runs of a benchmark."""

    benchmark = models.OneToOneField(Benchmark, models.CASCADE, related_name="token")

    def __str__(self) -> str:
        return f"token of {self.benchmark}"
