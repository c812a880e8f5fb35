"""W and R12: how fast snapshots are written, that writing them again is harmless, and what it costs to let them go."""

import multiprocessing
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import cycle

import numpy as np
from django.db import connection

from apps.inventory.models import Target
from apps.snapshots.record import ReadSource, record_snapshot, write_snapshot
from apps.snapshots.retention import ensure_partitions, first_of_month, prune
from apps.snapshots.vector_rows import CategoryValues, VectorRows, lay_out
from benchmarks import narrow
from benchmarks.binary import FIGURE, NARROW, SNAPSHOT, copy, narrow_rows, vector_row
from benchmarks.clock import in_turns
from benchmarks.data import SERIES, Floats, by_key, shapes
from benchmarks.estate import TODAY, BenchmarkEstate, VectorPlace, all_series, history_of, places_of
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import has_lz4
from benchmarks.size import WORKERS, Size

RAW, RAW_NARROW = "bench_raw", "bench_raw_narrow"
TIMES_A_DAY = 12  # snapshots of each worker in a round
DIFFERENT = 4  # of which so many differ
OLD = date(2019, 1, 1)  # months of their own, that retention drops
ROUNDS_OF_MONTHS, DAYS_OF_MONTH = 3, 28
TARGETS_OF_MONTH = 200  # some 80 MB; what a drop costs beside its files is then a quarter of it


def measure(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """Writing, in the month after the history."""
    last = TODAY + timedelta(days=size.rounds + size.crowded_rounds + 2)
    ensure_partitions([TODAY, last])
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE UNLOGGED TABLE {RAW} (LIKE snapshot INCLUDING COMPRESSION)")
        cursor.execute(
            f"CREATE UNLOGGED TABLE {RAW_NARROW} (target_id int, day date, series_id int, value float8)"
        )
    _one_at_a_time(estate, size, report)
    _measure_crowd(estate, size, report)
    _again_and_late(estate, report)
    _let_go(estate, report)


def midnight(offset: int, hour: int = 0) -> datetime:
    """A moment so many days after the history."""
    return datetime.combine(TODAY + timedelta(days=1 + offset), time(hour), UTC)


def sources_of(values: Floats) -> list[ReadSource]:
    """One day's readings of a target as a collector hands them over."""
    sources, first = [], 0
    for shape in shapes():
        last = first + len(shape.keys)
        sources.append(ReadSource(category=shape.category, values=by_key(shape, values[first:last])))
        first = last
    return sources


def _by_category(values: Floats) -> dict[int, Floats]:
    lengths = np.cumsum([len(shape.keys) for shape in shapes()])[:-1]
    return dict(zip([shape.category for shape in shapes()], np.split(values, lengths), strict=True))


def laid_out(target: Target, values: Floats) -> VectorRows:
    """One day's readings as they are written."""
    of_day = _by_category(values)
    lists = [CategoryValues(shape.category, shape.keys, of_day[shape.category]) for shape in shapes()]
    return lay_out("snapshot", target.pk, lists)


def vector_rows(
    target: int, parts: Sequence[VectorPlace], when: date | datetime, values: Floats
) -> list[bytes]:
    """The same as rows of COPY."""
    of_day = _by_category(values)
    return [
        vector_row(target, part.category, part.part, when, part.layout, of_day[part.category][part.columns])
        for part in parts
    ]


def _one_at_a_time(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """W1 to W3: one connection."""
    parts, ids = places_of(estate.targets[0], table="snapshot"), all_series()
    histories = {target.pk: history_of(target, size.rounds) for target in estate.targets}
    made: dict[str, bytes] = {}
    read: dict[int, list[ReadSource]] = {}

    def prepare(turn: int) -> None:
        vectors, lines = [], []
        for target, history in histories.items():
            vectors += vector_rows(target, parts, midnight(turn), history[turn])
            lines.append(narrow_rows(target, midnight(turn).date(), ids, history[turn]))
            read[target] = sources_of(history[turn])
        made.update(vectors=b"".join(vectors), narrow=b"".join(lines))
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {RAW}, {RAW_NARROW}")

    def record(turn: int) -> None:
        at = midnight(turn, 12)
        for target in estate.targets:
            record_snapshot(target, read[target.pk], slot=at, captured_at=at, started_at=None)

    timings = in_turns(
        size.rounds,
        {
            "raw": lambda turn: copy(RAW, SNAPSHOT, made["vectors"]),
            "copy": lambda turn: copy("snapshot", SNAPSHOT, made["vectors"]),
            "narrow": lambda turn: copy(RAW_NARROW, NARROW, made["narrow"]),
            "record": record,
        },
        prepare,
    )
    values = len(estate.targets) * SERIES
    report.add(
        Measurement("W1", "COPY / raw COPY of the same bytes", timings["raw"] / timings["copy"], least=0.6)
    )
    report.add(
        _with_lz4("W2", "COPY / raw COPY of narrow rows", timings["narrow"] / timings["copy"], least=2.0)
    )
    report.add(
        _with_lz4(
            "W3",
            "recording, a commit each / raw COPY of narrow rows",
            timings["narrow"] / timings["record"],
            least=0.3,
        )
    )
    report.add(
        Measurement(
            "W3a",
            "recording a snapshot of 2,500 series",
            1000 * timings["record"] / len(estate.targets),
            "ms",
        )
    )
    for name, words in (("raw", "raw COPY"), ("narrow", "raw COPY of narrow rows"), ("record", "recording")):
        report.add(Measurement(f"W-{name}", words, values / timings[name] / 1000, "thousand values/s"))


def _with_lz4(key: str, words: str, got: float, *, least: float) -> Measurement:
    """A ratio that is defined with lz4, and has to be met where the server compresses by it."""
    return Measurement(key, words, got, least=least, is_binding=has_lz4())


class Crew:
    """Sixty-four processes, each with a connection and one target, that set out together."""

    def __init__(self, estate: BenchmarkEstate, rounds: int) -> None:
        fork = multiprocessing.get_context("fork")
        self.start, self.end = fork.Barrier(WORKERS + 1), fork.Barrier(WORKERS + 1)
        self.order = fork.Array("i", 2)  # what to do, and in which round
        self.rounds = rounds
        connection.close()
        self.processes = [
            fork.Process(target=self._work, args=(estate, target), daemon=True)
            for target in estate.targets[:WORKERS]
        ]
        for process in self.processes:
            process.start()
        estate.use()
        self.start.wait()

    def run(self, what: int, turn: int) -> None:
        """All of them do it once, and are waited for."""
        self.order[0], self.order[1] = what, turn
        self.start.wait()
        self.end.wait()

    def dismiss(self) -> None:
        self.order[0] = -1
        self.start.wait()
        for process in self.processes:
            process.join()

    def _work(self, estate: BenchmarkEstate, target: Target) -> None:
        estate.use()
        history, ids = history_of(target, DIFFERENT), all_series()
        written = [laid_out(target, values) for values in history]
        nothing: list[datetime | None] = [None] * len(written[0].parts)
        read = [sources_of(values) for values in history]
        lines = [
            narrow_rows(target.pk, midnight(turn).date(), ids, history[turn % DIFFERENT])
            for turn in range(self.rounds)
        ]
        self.start.wait()
        while True:
            self.start.wait()
            what, turn = self.order[0], self.order[1]
            if what < 0:
                connection.close()
                return
            if what == NARROW_ROWS:
                narrow.rewrite(target.pk, midnight(turn).date(), lines[turn])
            else:
                for number in range(TIMES_A_DAY):
                    at = midnight(40 + turn, 2 * number + what)
                    shot = number % DIFFERENT
                    if what == VECTORS:
                        write_snapshot(target.pk, written[shot], nothing, slot=at, captured_at=at)
                    else:
                        record_snapshot(target, read[shot], slot=at, captured_at=at, started_at=None)
            self.end.wait()


VECTORS, RECORDED, NARROW_ROWS = range(3)


def _measure_crowd(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """W4 and W5: 64 workers, each with its own connection and its own target."""
    ensure_partitions([midnight(40).date(), midnight(41 + size.crowded_rounds).date()])
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {narrow.TABLE}")
    parts = places_of(estate.targets[0], table="snapshot")
    crew = Crew(estate, size.crowded_rounds)
    shots = [
        (target.pk, values) for target in estate.targets[:WORKERS] for values in history_of(target, DIFFERENT)
    ]
    rows = b"".join(
        row
        for number in range(TIMES_A_DAY // DIFFERENT)
        for target, values in shots
        for row in vector_rows(target, parts, midnight(0, number), values)
    )
    written: list[int] = []

    def prepare(_: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {RAW}")
            cursor.execute("ANALYZE snapshot")  # as autovacuum does within a minute

    def upsert(turn: int) -> None:
        before = _wal()
        crew.run(VECTORS, turn)
        written.append(_wal() - before)

    timings = in_turns(
        size.crowded_rounds,
        {
            "raw": lambda _: copy(RAW, SNAPSHOT, rows),
            "upsert": upsert,
            "record": lambda turn: crew.run(RECORDED, turn),
            "narrow": lambda turn: crew.run(NARROW_ROWS, turn),
        },
        prepare,
    )
    crew.dismiss()
    values = WORKERS * TIMES_A_DAY * SERIES
    narrow_rate = values / TIMES_A_DAY / timings["narrow"]
    report.add(
        _with_lz4(
            "W4", "64 writers / raw COPY of the same bytes", timings["raw"] / timings["upsert"], least=0.4
        )
    )
    report.add(
        _with_lz4(
            "W4b",
            "64 writers / 64 that delete and COPY narrow rows",
            values / timings["upsert"] / narrow_rate,
            least=6,
        )
    )
    report.add(
        Measurement("W4c", "64 workers that lay out too / raw COPY", timings["raw"] / timings["record"])
    )
    report.add(
        Measurement("W5", "WAL of the 64 writers", float(np.median(written)) / values, "bytes/value", most=8)
    )


def _wal() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")
        return int(cursor.fetchone()[0])


def _again_and_late(estate: BenchmarkEstate, report: BenchmarkReport) -> None:
    """W6: a snapshot delivered again, and an older one late."""
    target, at = estate.targets[0], midnight(0, 18)
    first, other = history_of(target, 2)

    def record(values: Floats, captured_at: datetime) -> None:
        record_snapshot(target, sources_of(values), slot=at, captured_at=captured_at, started_at=None)

    def held() -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(
                'SELECT category, part, layout_id, captured_at, "values"::text FROM snapshot'
                " WHERE target_id = %s AND bucket = %s ORDER BY category, part",
                [target.pk, at],
            )
            return list(cursor.fetchall())

    record(first, at)
    expected = held()
    record(first, at)
    record(other, at - timedelta(minutes=5))
    different = sum(got != want for got, want in zip(held(), expected, strict=True))
    report.add(Measurement("W6", "rows that a second or an older delivery changed", different, most=0))


def _let_go(estate: BenchmarkEstate, report: BenchmarkReport) -> None:
    """R12: dropping a month against deleting half of one and vacuuming; months that were written long ago."""
    parts = places_of(estate.targets[0])
    months = [first_of_month(OLD, number) for number in range(2 * ROUNDS_OF_MONTHS)]
    ensure_partitions(months)
    first = max(target.pk for target in estate.targets) + 1
    targets = range(first, first + TARGETS_OF_MONTH)
    histories = [history_of(target, DAYS_OF_MONTH) for target in estate.targets[:WORKERS]]
    for month in months:
        rows = [
            row
            for offset in range(DAYS_OF_MONTH)
            for target, history in zip(targets, cycle(histories), strict=False)
            for row in vector_rows(target, parts, month + timedelta(days=offset), history[offset])
        ]
        copy("figure", FIGURE, b"".join(rows))
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE figure_{month:%Y_%m} SET (autovacuum_enabled = off)")
            cursor.execute(f"VACUUM (ANALYZE) figure_{month:%Y_%m}")

    def drop_before(month: date) -> None:
        prune(month, reading_days=36500, figure_days=0)

    def delete(turn: int) -> None:
        month = months[2 * turn + 1]
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM figure WHERE day >= %s AND day < %s AND target_id <= %s",
                [month, first_of_month(month, 1), targets[len(targets) // 2 - 1]],
            )
            cursor.execute(f"VACUUM figure_{month:%Y_%m}")

    def settle(turn: int) -> None:
        drop_before(months[2 * turn])
        with connection.cursor() as cursor:
            cursor.execute("CHECKPOINT")

    timings = in_turns(
        ROUNDS_OF_MONTHS,
        {"drop": lambda turn: drop_before(months[2 * turn + 1]), "delete": delete},
        settle,
    )
    report.add(
        Measurement(
            "R12",
            "dropping a month of 200 targets / deleting half of one and vacuuming",
            timings["drop"] / timings["delete"],
            most=0.3,
        )
    )
