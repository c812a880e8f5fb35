"""
Targets with a history, in a schema of their own: the product's tables, made by its migrations and filled by COPY.

Two schemas hold a short and a long history side by side, so that both can be asked in turns.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
from django.core.management import call_command
from django.db import connection
from numpy.typing import NDArray

from apps.inventory.models import Target
from apps.snapshots import dictionary
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import HORIZONS
from apps.snapshots.models import Coverage
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.vector_rows import CategoryValues, lay_out
from benchmarks import narrow
from benchmarks.binary import FIGURE, copy, narrow_rows, vector_row
from benchmarks.data import SERIES, Floats, readings, shapes

TODAY = date(2025, 12, 31)
TODAYS = [TODAY - timedelta(days=offset) for offset in range(10)]
_MEGABYTES_AT_ONCE = 64


@dataclass(frozen=True)
class VectorPlace:
    """One part of a category: its layout, and which of the category's values each position holds."""

    category: int
    part: int
    layout: int
    columns: NDArray[np.intp]


@dataclass(frozen=True)
class BenchmarkEstate:
    """The targets of one schema and how many days of history they have; the last series is born half-way."""

    schema: str
    targets: list[Target]
    days: int
    last: date = TODAY

    @property
    def first(self) -> date:
        return self.last - timedelta(days=self.days - 1)

    @property
    def began_at(self) -> datetime:
        """When its instances were started."""
        return datetime.combine(self.first - timedelta(days=30), time(), UTC)

    @property
    def born_on(self) -> date:
        return self.first + timedelta(days=self.days // 2)

    def use(self) -> None:
        """Work on its schema from here on."""
        use(self.schema)


def use(schema: str) -> None:
    """Work on a schema from here on; the ids of another are forgotten."""
    dictionary.forget()
    with connection.cursor() as cursor:
        cursor.execute(f"SET search_path = {schema}")


def begin_in(schema: str) -> None:
    """Let new connections begin in a schema."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        cursor.execute(f'ALTER DATABASE "{cursor.fetchone()[0]}" SET search_path = {schema}')


def anchors_of(day: date) -> dict[date, int]:
    """The days a profile compares, with how much earlier each may lie."""
    return {day: 0, **{day - timedelta(days=horizon): reach for horizon, reach in HORIZONS.items()}}


def make_estate(schema: str, targets: int, days: int, last: date = TODAY) -> BenchmarkEstate:
    """A schema with the product's tables, and targets that have no history yet."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {schema}")
    use(schema)
    call_command("migrate", verbosity=0, skip_checks=True)
    registered = datetime.combine(last - timedelta(days=days), time(), UTC)
    Target.objects.bulk_create(
        Target(
            name=f"T{number:04d}",
            kind=Target.Kind.INSTANCE,
            platform="oracle",
            collector="none",
            is_paused=True,
            registered_at=registered,
        )
        for number in range(targets)
    )
    estate = BenchmarkEstate(schema, list(Target.objects.order_by("pk")), days, last)
    ensure_partitions(estate.first + timedelta(days=offset) for offset in range(-1, days + 1))
    return estate


def fill(estate: BenchmarkEstate, count: int, *, also_narrow: bool = False) -> None:
    """Give the first targets their history."""
    histories = {
        target.pk: [readings(target.pk, estate.days, shape) for shape in shapes()]
        for target in estate.targets[:count]
    }
    before, after = places_of(estate.targets[0], is_born=False), places_of(estate.targets[0])
    rows: list[bytes] = []
    held = 0
    for offset in range(estate.days):
        on = estate.first + timedelta(days=offset)
        parts = after if on >= estate.born_on else before
        for target, history in histories.items():
            of_day = {shape.category: values[offset] for shape, values in zip(shapes(), history, strict=True)}
            rows += [
                vector_row(
                    target, part.category, part.part, on, part.layout, of_day[part.category][part.columns]
                )
                for part in parts
            ]
            held += SERIES * 12
        if held > _MEGABYTES_AT_ONCE * 2**20 or offset == estate.days - 1:
            copy("figure", FIGURE, b"".join(rows))
            rows, held = [], 0
    _cover(estate, count)
    if also_narrow:
        _fill_narrow(estate, histories)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) figure")
        cursor.execute("VACUUM (ANALYZE) coverage")


def places_of(target: Target, *, is_born: bool = True, table: str = "figure") -> list[VectorPlace]:
    """Where the product puts each series; what is laid out are the places themselves."""
    lists = []
    for number, shape in enumerate(shapes(), 1):
        count = len(shape.keys) - (number == len(shapes()) and not is_born)
        lists.append(CategoryValues(shape.category, shape.keys[:count], np.arange(count, dtype=np.float64)))
    rows = lay_out(table, target.pk, lists)
    vectors = np.split(rows.values.astype(np.intp), np.cumsum(rows.lengths)[:-1])
    return [
        VectorPlace(*place) for place in zip(rows.categories, rows.parts, rows.layouts, vectors, strict=True)
    ]


def all_series() -> NDArray[np.int64]:
    """The ids of all series, in the order of the shapes."""
    return np.array(
        series_ids([(shape.category, *key) for shape in shapes() for key in shape.keys]), dtype=np.int64
    )


def history_of(target: Target, days: int) -> Floats:
    """All readings of a target, (days, series) in the order of the shapes."""
    return np.concatenate([readings(target.pk, days, shape) for shape in shapes()], axis=1)


def _cover(estate: BenchmarkEstate, count: int) -> None:
    categories = {
        str(shape.category): {"hours": 24.0, "spans": 1, "since_restart": False} for shape in shapes()
    }
    Coverage.objects.bulk_create(
        (
            Coverage(
                target=target,
                day=estate.first + timedelta(days=offset),
                hours=24.0,
                captured_at=datetime.combine(estate.first + timedelta(days=offset), time(), UTC),
                categories=categories,
            )
            for offset in range(estate.days)
            for target in estate.targets[:count]
        ),
        batch_size=1000,
    )


def _fill_narrow(estate: BenchmarkEstate, histories: dict[int, list[Floats]]) -> None:
    """Narrow rows of the days that profiles compare."""
    narrow.make(estate.first, TODAY + timedelta(days=200))
    ids = all_series()
    for on in sorted({day for today in TODAYS for day in anchors_of(today)}):
        narrow.fill(
            [
                narrow_rows(
                    target, on, ids, np.concatenate([values[(on - estate.first).days] for values in history])
                )
                for target, history in histories.items()
            ]
        )
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {narrow.TABLE}")
