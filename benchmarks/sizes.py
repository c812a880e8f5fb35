"""S: bytes per value; and first of all that what was written is what is read."""

from datetime import UTC, date, datetime, time, timedelta
from time import perf_counter

import numpy as np
from django.db import connection

from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day
from benchmarks import narrow
from benchmarks.data import SERIES, Floats, Key, Shape, readings, shapes
from benchmarks.estate import TODAY, BenchmarkEstate, all_series, history_of
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.size import Size


def check(estate: BenchmarkEstate, report: BenchmarkReport) -> None:
    """Compare the view with what was generated, value by value, over days before and after a series is born."""
    target, ids = estate.targets[0], all_series()
    expected = history_of(target, estate.days)
    different = 0
    for on in sorted({estate.first, estate.born_on - timedelta(days=1), estate.born_on, _last(estate)}):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT series_id, value FROM sample WHERE target_id = %s AND day = %s", [target.pk, on]
            )
            value_of = {series: np.nan if value is None else value for series, value in cursor.fetchall()}
        series_ids = ids[:-1] if on < estate.born_on else ids
        values = expected[(on - estate.first).days, : len(series_ids)]
        got = np.array([value_of.get(series, -1.0) for series in series_ids.tolist()])
        different += int((~((got == values) | (np.isnan(got) & np.isnan(values)))).sum())
        different += abs(len(value_of) - len(series_ids))
    report.add(Measurement("C1", "values that the view shows otherwise than written", different, most=0))


def _last(estate: BenchmarkEstate) -> date:
    return estate.first + timedelta(days=estate.days - 1)


def measure(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """The tables as they are after filling."""
    values = size.targets * estate.days * SERIES
    per_value = bytes_of("figure") / values
    narrow_per_value = bytes_of(narrow.TABLE) / _lines_of(narrow.TABLE)
    report.add(Measurement("S1", "vectors, indexes and TOAST", per_value, "bytes/value", most=6.5))
    report.add(
        Measurement(
            "S2", "the same / narrow table with its primary key", per_value / narrow_per_value, most=0.08
        )
    )
    narrow.add_trend_index()


def _lines_of(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return int(cursor.fetchone()[0])


def bytes_of(table: str) -> int:
    """What a partitioned table takes on disk, with its indexes and TOAST."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = %s::regclass",
            [table],
        )
        return int(cursor.fetchone()[0])


def rolled_up(estate: BenchmarkEstate, report: BenchmarkReport) -> None:
    """What readings take, and the figures that the roll-up makes of them; and how long both take."""
    ensure_partitions([estate.first - timedelta(days=1), TODAY + timedelta(days=1)])
    recording = rolling = 0.0
    for target in estate.targets:
        history = {shape.category: readings(target.pk, estate.days, shape) for shape in shapes()}
        for offset in range(estate.days):
            at = datetime.combine(estate.first + timedelta(days=offset), time(), UTC)
            read = [
                ReadSource(category=shape.category, values=_read(shape, history[shape.category][offset]))
                for shape in shapes()
            ]
            began = perf_counter()
            record_snapshot(target, read, slot=at, captured_at=at, started_at=estate.began_at)
            between = perf_counter()
            roll_up_day(target, at.date() - timedelta(days=1), at)
            recording += between - began
            rolling += perf_counter() - between
    snapshots = len(estate.targets) * estate.days
    report.add(Measurement("U1", "recording what was read of one target", 1000 * recording / snapshots, "ms"))
    report.add(Measurement("U2", "rolling up its day", 1000 * rolling / snapshots, "ms"))
    of_readings, of_figures = bytes_per_value("snapshot"), bytes_per_value("figure")
    report.add(Measurement("S3", "readings as recorded", of_readings, "bytes/value"))
    report.add(Measurement("S4", "figures as rolled up: rates with every digit", of_figures, "bytes/value"))


def _read(shape: Shape, values: Floats) -> dict[Key, float]:
    """What a source gives of a category: everything but ratios, which are computed."""
    return {
        key: value
        for key, metric, value in zip(shape.keys, shape.metrics, values.tolist(), strict=True)
        if metric.formula is None
    }


def bytes_per_value(table: str) -> float:
    """What a table takes on disk for each value it holds."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT sum(cardinality("values")) FROM {table}')
        return bytes_of(table) / int(cursor.fetchone()[0])
