"""
A fleet as an installation has it: many targets with their days, limits, violations, forecasts and runs.

All have the days that the page of the estate reads; the first ones have long histories. What all have alike is made by
the product's models for one target and spread over the others by SQL.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
from django.db import connection
from django.db.models import Model
from django.utils import timezone

from apps.catalog.registry import get_metric
from apps.collection.models import CollectionRun
from apps.forecasting.models import Forecast
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.snapshots.models import Coverage
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.vector_rows import CategoryValues, lay_out
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold
from benchmarks.binary import FIGURE, copy, vector_row
from benchmarks.data import Floats, Key, Shape, readings, shapes
from benchmarks.estate import BenchmarkEstate, begin_in, make_estate, places_of

SCHEMA, NIGHTS = "fleet", "nights"
COVERED = 100  # days on which every target was read
RECENT = 8  # days of which every target has its figures
REVIEWS = 8  # whose forecasts are kept
GROUPS = 20
AT_ONCE = 50  # targets whose history is in memory
COMPONENTS = 10  # events and tablespaces under a limit of the target's own: 20 limits beside the 10 for all
FOR_ALL = (
    "redo_size", "redo_log_space_requests", "redo_wastage_pct", "execute_count", "user_commits",
    "session_logical_reads", "pga_allocated", "pga_over_allocation_count", "tm_db_time", "tm_db_cpu",
)  # fmt: skip


def make_fleet(targets: int, deep: int, days: int) -> BenchmarkEstate:
    """A schema with so many targets, in which new connections begin; the first `deep` have a history of `days`."""
    last = timezone.now().date() - timedelta(days=1)
    fleet = make_estate(SCHEMA, targets, days, last)
    begin_in(SCHEMA)
    _people_and_groups(fleet)
    _history(fleet.targets[:deep], last, days)
    _history(fleet.targets[deep:], last, min(days, RECENT))
    _sizes(fleet)
    _coverage(fleet, deep)
    _runs(fleet)
    _limits(fleet)
    _violations(fleet)
    _forecasts(fleet)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    return fleet


def make_nights(targets: int, days: int) -> BenchmarkEstate:
    """Targets with a year of history and thirty limits each, whose last day was read at both its ends."""
    nights = make_estate(NIGHTS, targets, days)
    _history(nights.targets, nights.last, days)
    _coverage(nights, targets)
    _limits(nights)
    ensure_partitions([nights.last, nights.last + timedelta(days=1)])
    for target in nights.targets:
        for offset in range(2):
            at = _midnight(nights.last + timedelta(days=offset))
            read = [
                ReadSource(
                    category=shape.category, values=_read(shape, readings(target.pk, 2, shape)[offset])
                )
                for shape in shapes()
            ]
            record_snapshot(target, read, slot=at, captured_at=at, started_at=nights.began_at)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    return nights


def _read(shape: Shape, values: Floats) -> dict[Key, float]:
    """What a source gives of a category: everything but ratios, which are computed."""
    return {
        key: value
        for key, metric, value in zip(shape.keys, shape.metrics, values.tolist(), strict=True)
        if metric.formula is None
    }


def _people_and_groups(fleet: BenchmarkEstate) -> None:
    groups = Group.objects.bulk_create(Group(name=f"group {number:02}") for number in range(GROUPS))
    owners = User.objects.bulk_create(User(username=f"owner{number}") for number in range(5))
    for number, target in enumerate(fleet.targets):
        target.group, target.owner = groups[number % GROUPS], owners[number % len(owners)]
        target.environment = ("production", "test")[number % 2]
        target.is_paused = False
        target.reviewed_through = fleet.last
    fields = ["group", "owner", "environment", "is_paused", "reviewed_through"]
    Target.objects.bulk_update(fleet.targets, fields, batch_size=500)


def _history(targets: Sequence[Target], last: date, days: int) -> None:
    """All 2,500 series of targets over the days up to the last."""
    for start in range(0, len(targets), AT_ONCE if days <= COVERED else 1):
        some = targets[start : start + (AT_ONCE if days <= COVERED else 1)]
        parts = places_of(some[0])
        rows = []
        for target in some:
            values = {shape.category: readings(target.pk, days, shape) for shape in shapes()}
            for offset in range(days):
                on = last - timedelta(days=days - 1 - offset)
                rows += [
                    vector_row(target.pk, part.category, part.part, on, part.layout, values[part.category][offset][part.columns])
                    for part in parts
                ]  # fmt: skip
        copy("figure", FIGURE, b"".join(rows))


def _sizes(fleet: BenchmarkEstate) -> None:
    """The size of each database on the last day, in GB: what the treemap of the estate draws."""
    key, size = ("db_size_gb", ""), np.zeros(1)
    place = lay_out("figure", fleet.targets[0].pk, [CategoryValues(get_metric(key[0]).category, [key], size)])
    (category,), (part,), (layout,) = place.categories, place.parts, place.layouts
    rows = [
        vector_row(target.pk, category, part, fleet.last, layout, size + 50 * 1.005**number)
        for number, target in enumerate(fleet.targets)
    ]
    copy("figure", FIGURE, b"".join(rows))


def spread(model: type[Model], over: str, changed: Mapping[str, str], where: str = "true") -> None:
    """
    Copy the rows of a model once for each row of another relation.

    `over` is that relation with its name, "inventory_target AS other"; rows of the model are called `one`. `changed`
    gives columns as SQL, all other columns stay as they are.
    """
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = [str(field.column) for field in fields]
    values = [changed.get(column, f'one."{column}"') for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{model._meta.db_table}" ({names})'
            f' SELECT {", ".join(values)} FROM "{model._meta.db_table}" AS one, {over} WHERE {where}'
        )


def _coverage(fleet: BenchmarkEstate, deep: int) -> None:
    categories = {str(shape.category): {"hours": 24.0, "spans": 1} for shape in shapes()}
    first = fleet.targets[0]
    Coverage.objects.bulk_create(
        Coverage(target=first, day=on, hours=24.0, captured_at=_midnight(on), categories=categories)
        for on in (fleet.first + timedelta(days=offset) for offset in range(fleet.days))
    )
    deepest = fleet.targets[:deep][-1].pk
    shallow = fleet.last - timedelta(days=COVERED - 1)
    spread(
        Coverage,
        "inventory_target AS other",
        {"target_id": "other.id"},
        f"other.id <> {first.pk} AND (other.id <= {deepest} OR one.day >= '{shallow}')",
    )


def _runs(fleet: BenchmarkEstate) -> None:
    """The last three runs of each target; of two targets in a hundred the last one failed."""
    first = fleet.targets[0]
    sources = [
        {"name": f"source {shape.category}", "category": shape.category, "seconds": 0.1, "series": len(shape.keys), "error": ""}
        for shape in shapes()
    ]  # fmt: skip
    for back in range(3):
        slot = _midnight(fleet.last + timedelta(days=1 - back)) + timedelta(minutes=5)
        CollectionRun.objects.create(
            target=first, slot=slot, began_at=slot, ended_at=slot, state="complete", series=2500,
            seconds=1.5, sources=sources,
        )  # fmt: skip
    spread(CollectionRun, "inventory_target AS other", {"target_id": "other.id"}, f"other.id <> {first.pk}")
    newest = CollectionRun.objects.filter(target=first).values("slot")[:1]
    CollectionRun.objects.filter(slot__in=newest, target__in=fleet.targets[::50]).update(
        state="failed", reason="Nothing answers at this address."
    )


def _limits(fleet: BenchmarkEstate) -> None:
    """Thirty a target: ten for all, twenty of its own; set before the reviews whose forecasts are kept."""
    now, first = _midnight(fleet.last - timedelta(days=REVIEWS)), fleet.targets[0]
    for metric in FOR_ALL:
        add_threshold(metric, "<=1000000000", now=now)
    for number in range(1, COMPONENTS + 1):
        add_threshold("wait_avg_ms", "<1000", now=now, target=first, component=f"event {number:04}")
        add_threshold(
            "ts_used_mb", "<=1000000000", now=now, target=first, component=f"tablespace {number:04}"
        )
    spread(
        Threshold,
        "inventory_target AS other",
        {"target_id": "other.id"},
        f"one.target_id = {first.pk} AND other.id <> {first.pk}",
    )


def _violations(fleet: BenchmarkEstate) -> None:
    """Of ten targets one has four figures over their limits, one has a prediction; each had three that ended."""
    limits = {
        (threshold.target_id, threshold.metric, threshold.component): threshold
        for threshold in Threshold.objects.exclude(target=None).filter(component__endswith="1")
    }
    made = []
    for number, target in enumerate(fleet.targets):
        for back in (20, 40, 60):
            made.append(
                _violation(target, "user_commits", "", fleet.last - timedelta(days=back), ended=back - 5)
            )
        if number % 10 == 1:
            made += [
                _violation(target, "wait_avg_ms", f"event {event:04}", fleet.last - timedelta(days=event))
                for event in (1, 2, 3)
            ]
            made.append(_violation(target, "ts_used_mb", "tablespace 0001", fleet.last))
        if number % 10 == 2:
            made.append(_violation(target, "ts_used_mb", "tablespace 0001", None))
    for violation in made:
        violation.threshold = limits.get((violation.target_id, violation.metric, violation.component))
    Violation.objects.bulk_create(made, batch_size=1000)


def _violation(
    target: Target, metric: str, component: str, opened: date | None, ended: int | None = None
) -> Violation:
    return Violation(
        target=target, metric=metric, component=component, notation="1000000000", unit="MB", severity="warning",
        state="predicted" if opened is None else "open" if ended is None else "resolved",
        predicted_on=None if opened else timezone.now().date(), opened_on=opened,
        closed_on=None if ended is None else timezone.now().date() - timedelta(days=ended), value=1.0,
    )  # fmt: skip


def _forecasts(fleet: BenchmarkEstate) -> None:
    """One of each limit for the last reviews: one in ten targets has one that is likely, another one that may be."""
    first = fleet.targets[0]
    path = {str(ahead): [1.0, 0.5, 1.5] for ahead in (7, 14, 30, 60, 90)}
    Forecast.objects.bulk_create(
        Forecast(
            target=first, metric=threshold.metric, component=threshold.component, threshold=threshold, notation=threshold.notation,
            unit=threshold.unit, made_on=fleet.last, method="weighted-3", horizon=90, value=1.0, chance=0.02, path=path,
        )
        for threshold in Threshold.objects.touching([first])
    )  # fmt: skip
    spread(
        Forecast,
        "inventory_target AS other, thresholds_threshold AS owned",
        {"target_id": "other.id", "threshold_id": "owned.id"},
        f"one.target_id = {first.pk} AND other.id <> {first.pk} AND owned.metric = one.metric"
        " AND owned.component = one.component AND (owned.target_id = other.id OR owned.target_id IS NULL)",
    )
    likely = Forecast.objects.filter(metric="ts_used_mb", component="tablespace 0001")
    soon = {"soonest_on": fleet.last + timedelta(days=20), "likely_on": fleet.last + timedelta(days=40)}
    likely.filter(target__in=fleet.targets[2::10]).update(chance=0.7, is_likely=True, **soon)
    likely.filter(target__in=fleet.targets[3::10]).update(chance=0.2)
    spread(
        Forecast,
        f"generate_series(1, {REVIEWS - 1}) AS back",
        {"made_on": "one.made_on - back"},
    )


def _midnight(on: date) -> datetime:
    return datetime.combine(on, time(), UTC)
