"""What we measured. The tables of vectors are made by SQL (migration 0002): they are partitioned by month."""

from collections.abc import Collection

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from apps.charts import figures
from apps.inventory.models import Target

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


MOST_MEMBERS = 50  # that PostgreSQL's function takes: it has at most 100 arguments


def _members(field: str, keys: Collection[str]) -> models.Func:
    """Some members of a JSON object, as one object with null for those it lacks."""
    named = [
        (models.Value(key), models.Func(models.F(field), models.Value(key), function="jsonb_extract_path"))
        for key in keys
    ]
    parts = (part for pair in named for part in pair)
    return models.Func(*parts, function="jsonb_build_object", output_field=models.JSONField())


class CoverageQuerySet(models.QuerySet["Coverage"]):
    def about(self, categories: Collection[int]) -> "list[Coverage]":
        """
        These days with what is known of some categories alone; the rest stays in the database.

        Years of days are read for a page or a forecast: a model's own way of leaving fields out costs twice as much.
        """
        if not 0 < len(categories) <= MOST_MEMBERS:
            return list(self)
        names = [field.attname for field in self.model._meta.concrete_fields]
        part = _members("categories", [str(category) for category in categories])
        rows = self.values_list(*(part if name == "categories" else name for name in names))
        covers = [Coverage.from_db(self.db, names, values) for values in rows]
        for cover in covers:
            cover.categories = {name: entry for name, entry in cover.categories.items() if entry is not None}
        return covers


class Coverage(models.Model):
    """
    How much of a target's day was measured.

    `categories` says for each category, by its number, the hours measured, the days its differences span and what
    is to be said of it: {"1": {"hours": 17.8, "spans": 1, "since_restart": true}}; a category that failed has
    {"missing": "why"}. `marks` names the series that have no figure for a reason of their own: {"317": "fell"}.
    """

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

    objects = CoverageQuerySet.as_manager()

    class Meta:
        db_table = "coverage"
        constraints = [models.UniqueConstraint(fields=["target", "day"], name="one_coverage_per_day")]

    def __str__(self) -> str:
        return f"{self.target} on {self.day}: {self.hours:.1f} h"

    ENOUGH = 0.8  # of a day's length; less is partial
    MUCH = 1.2  # of a day's length; more is said

    @property
    def is_partial(self) -> bool:
        return self.hours < self.ENOUGH * self.day_hours

    def missing(self, category: int) -> str:
        """Why a category has no figures of this day, in a sentence; empty where it was read, or was not asked for."""
        return str(self.categories.get(str(category), {}).get("missing", ""))

    def spans_of(self, category: int) -> int:
        """How many days a category's differences span."""
        return int(self.categories.get(str(category), {}).get("spans", 1))

    def is_since_restart(self, category: int) -> bool:
        return bool(self.categories.get(str(category), {}).get("since_restart", False))

    def length_of(self, category: int) -> str:
        """What is to be said of the time that a category's differences were measured over; empty where it is a day."""
        spans, hours = self.spans_of(category), self.hours_of(category)
        if spans > 1:
            return f"spans {spans} days, quoted per day"
        if hours and not self.ENOUGH * self.day_hours <= hours <= self.MUCH * self.day_hours:
            return f"measured over {figures.fixed(hours, 1)} hours"
        return ""

    def hours_of(self, category: int) -> float:
        return float(self.categories.get(str(category), {}).get("hours", self.hours))

    def is_partial_in(self, category: int) -> bool:
        """Whether the figures of a category were measured over too little of the day to be judged."""
        return self.hours_of(category) < self.ENOUGH * self.day_hours or bool(self.without(category))

    def without(self, category: int) -> list[str]:
        """Of a database: its instances that were not read at both ends of the day."""
        return list(self.categories.get(str(category), {}).get("without", []))


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
