"""What we measured. The tables of vectors are made by SQL (migration 0002): they are partitioned by month."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from apps.inventory.models import Target
from apps.snapshots.coverage_facts import CoverageFacts

VALUES_PER_ROW = 384  # such an array stays under PostgreSQL's 2 kB threshold once compressed
COMPRESSED_FROM = (
    252  # values; a shorter row is below that threshold as it is, and PostgreSQL leaves it alone
)


OF_HOURS = r":[0-9]{1,2}-[0-9]{1,2}$"  # the end of a metric's key that stands for clock hours


class Series(models.Model):
    """One metric of one component, for example ts_used_mb of USERS. The same name is the same series on every target."""

    category = models.SmallIntegerField()
    metric = models.TextField()
    component = models.TextField(default="", blank=True)
    kind = models.CharField(max_length=1, default="g")  # g gauge, c counter, h high-water, r ratio
    unit = models.TextField(default="", blank=True)
    component_class = models.TextField(default="", blank=True)  # the wait class of an event

    class Meta:
        db_table = "series"
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(
                fields=["category", "metric", "component"], name="one_series_per_component"
            )
        ]
        indexes = [
            models.Index(  # the few that stand for clock hours, which every roll-up of samples asks for
                fields=["metric"], name="series_of_hours", condition=models.Q(metric__regex=OF_HOURS)
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.component}" if self.component else self.metric


class Layout(models.Model):
    """Which series each position of a vector holds. Immutable, shared by every row with the same list."""

    category = models.SmallIntegerField()
    part = models.SmallIntegerField()
    digest = models.BinaryField(unique=True)  # SHA-256 of category, part and ids
    series_ids = ArrayField(models.IntegerField())

    class Meta:
        db_table = "layout"
        indexes = [GinIndex(fields=["series_ids"], name="layout_has")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(series_ids__len__gte=1, series_ids__len__lte=VALUES_PER_ROW),
                name="layout_fits_a_row",
            )
        ]

    def __str__(self) -> str:
        return f"category {self.category}, part {self.part}"


class Snapshot(models.Model):
    """What was read of one category: counters as they stood, gauges as they were. Read by the roll-up alone."""

    pk = models.CompositePrimaryKey("target_id", "category", "part", "bucket")
    target = models.ForeignKey(Target, models.DO_NOTHING)
    category = models.SmallIntegerField()
    part = models.SmallIntegerField()
    bucket = models.DateTimeField()  # the slot, in UTC
    captured_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    layout = models.ForeignKey(Layout, models.DO_NOTHING)
    values = ArrayField(models.FloatField())

    class Meta:
        managed = False
        db_table = "snapshot"


class Figure(models.Model):
    """What it means: the figures of one category of one day, each in its metric's unit."""

    pk = models.CompositePrimaryKey("target_id", "category", "part", "day")
    target = models.ForeignKey(Target, models.DO_NOTHING)
    category = models.SmallIntegerField()
    part = models.SmallIntegerField()
    day = models.DateField()
    captured_at = models.DateTimeField()  # the latest reading that went into it
    layout = models.ForeignKey(Layout, models.DO_NOTHING)
    values = ArrayField(models.FloatField())

    class Meta:
        managed = False
        db_table = "figure"


class Sample(models.Model):
    """Figures as plain rows, for people who bring their own tools. Always filter on target or day."""

    target = models.TextField(primary_key=True)
    day = models.DateField()
    metric = models.TextField()
    component = models.TextField()
    value = models.FloatField(null=True)
    unit = models.TextField()

    class Meta:
        managed = False
        db_table = "sample"


class Coverage(CoverageFacts, models.Model):
    """How much of a target's day was measured."""

    target = models.ForeignKey(Target, models.CASCADE)
    day = models.DateField()
    hours = models.FloatField(default=0.0)  # the least of its categories
    day_hours = models.FloatField(default=24.0)  # 23 or 25 where the clocks change
    restarts = models.PositiveIntegerField(default=0)
    spans_days = models.PositiveIntegerField(default=1)
    is_so_far = models.BooleanField(default=False)  # the day was still running
    captured_at = models.DateTimeField(null=True)
    categories = models.JSONField(default=dict)
    marks = models.JSONField(default=dict)
    origin = models.TextField(blank=True, default="")  # "file sar01"; empty: what the collector read

    class Meta:
        db_table = "coverage"
        constraints = [models.UniqueConstraint(fields=["target", "day"], name="one_coverage_per_day")]

    def __str__(self) -> str:
        return f"{self.target} on {self.day}: {self.hours:.1f} h"


class UserFigure(models.Model):
    """A figure of a day that people give beside what is read; it lies among the figures of the day too."""

    target = models.ForeignKey(Target, models.CASCADE)
    day = models.DateField()
    metric = models.TextField()
    component = models.TextField()
    value = models.FloatField()

    class Meta:
        db_table = "user_figure"
        constraints = [
            models.UniqueConstraint(
                fields=["target", "day", "metric", "component"], name="one_user_figure_a_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.component} on {self.day}: {self.value:g}"


class FailedSource(models.Model):
    """A source that could not be read in a slot whose other sources were, until another try reads it."""

    target = models.ForeignKey(Target, models.CASCADE)
    slot = models.DateTimeField()
    category = models.SmallIntegerField()
    name = models.TextField()  # the view, the file: "/proc/stat"
    reason = models.TextField()  # a sentence

    class Meta:
        db_table = "failed_source"
        constraints = [
            models.UniqueConstraint(fields=["target", "slot", "category"], name="one_failure_per_source")
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.target} at {self.slot:%Y-%m-%d %H:%M}"


IDENTITY = "identity"  # the fact that says whose counters a target's readings are
PROPOSED_HOST = "proposed_host"  # the fact that says which machine an instance runs on, by itself


class Fact(models.Model):
    """A text known of a target: version, role, a parameter. A row is added when it changes."""

    target = models.ForeignKey(Target, models.CASCADE, related_name="facts")
    name = models.TextField()
    component = models.TextField(default="", blank=True)
    since = models.DateTimeField()
    value = models.TextField(blank=True)

    class Meta:
        db_table = "fact"
        constraints = [
            models.UniqueConstraint(
                fields=["target", "name", "component", "since"], name="one_fact_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.component} {self.value}"
