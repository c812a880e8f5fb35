"""
What a dry run costs: a year of one series, and the page of a template over 100 targets, as it follows the typing.

    python -m benchmarks.dry_run [--targets 100]
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from statistics import median
from unittest.mock import patch

from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

YEAR, RECENT = 420, 145  # days of history: of the one that is asked for a year, of the others
ROUNDS = 5
PLAIN, OF_SPACE, LIMIT = "redo_size", "ts_used_mb", "<=1000 GB"


def main(arguments: list[str] | None = None) -> int:
    """Fill a scratch database, run dry, and say whether both fit."""
    parser = argparse.ArgumentParser(prog="benchmarks.dry_run")
    parser.add_argument("--targets", type=int, default=100)
    options = parser.parse_args(arguments)
    return measured_alone(partial(measure, options.targets))


def measure(targets: int, report: BenchmarkReport) -> None:
    """The dry runs on an estate that is made for it, in a schema of its own."""
    from apps.thresholds.dry_run import dry_runs
    from apps.thresholds.register import add_threshold
    from benchmarks.estate import TODAY, make_estate

    estate = make_estate("dry", targets, YEAR)
    first, *others = estate.targets
    _fill([first], YEAR)
    _fill(others, RECENT)
    (draft,) = add_threshold(PLAIN, "<=50 GB/day", now=estate.began_at, target=first)
    year = _seconds(lambda: dry_runs(draft, {first: [""]}, TODAY, 365))
    draft.delete()
    report.add(Measurement("D1", "dry run of a year of one series", 1000 * year, "ms", most=300))
    page = _seconds(_preview(targets, PLAIN, "<=50 GB/day"))
    report.add(Measurement("D2", f"preview of a template over {targets} targets", page, "s", most=3))
    page = _seconds(_preview(targets, OF_SPACE, LIMIT))
    report.add(Measurement("D3", "... over all 50 tablespaces of each", page, "s"))


def _fill(targets: Sequence[object], days: int) -> None:
    """Give targets the last days of two categories: the statistics of v$sysstat, and the tablespaces."""
    from apps.inventory.models import Target
    from apps.snapshots.models import Coverage
    from benchmarks.binary import FIGURE, copy, vector_row
    from benchmarks.data import SYSSTAT, TABLESPACES, readings, shapes
    from benchmarks.estate import TODAY, places_of

    chosen = [shape for shape in shapes() if shape.category in (SYSSTAT, TABLESPACES)]
    on: list[date] = [TODAY - timedelta(days=back) for back in range(days - 1, -1, -1)]
    categories = {
        str(shape.category): {"hours": 24.0, "spans": 1, "since_restart": False} for shape in chosen
    }
    for target in targets:
        assert isinstance(target, Target)
        parts = places_of(target)
        history = {shape.category: readings(target.pk, days, shape) for shape in chosen}
        rows = [
            vector_row(
                target.pk,
                part.category,
                part.part,
                day,
                part.layout,
                history[part.category][at][part.columns],
            )
            for part in parts
            if part.category in history
            for at, day in enumerate(on)
        ]
        copy("figure", FIGURE, b"".join(rows))
        Coverage.objects.bulk_create(
            Coverage(
                target=target,
                day=day,
                hours=24.0,
                captured_at=datetime(2025, 1, 1, tzinfo=UTC),
                categories=categories,
            )
            for day in on
        )


def _preview(targets: int, metric: str, notation: str) -> Callable[[], None]:
    """Asking for the preview of a template, as the form does while one types."""
    from django.test import Client
    from django.urls import reverse

    from apps.people.models import User
    from benchmarks.estate import TODAY

    client = Client(headers={"host": "localhost", "hx-request": "true"})
    client.force_login(User.objects.get_or_create(username="bench", may_change=True)[0])
    address = reverse("threshold_preview")
    now = datetime.combine(TODAY + timedelta(days=1), datetime.min.time(), UTC)

    def ask() -> None:
        with patch("apps.web.pages.thresholds.preview.timezone.now", lambda: now):
            page = client.get(address, {"metric": metric, "notation": notation}).content.decode()
        assert f"of {targets} targets in the last 90 days" in page, "the dry run leaves targets out"

    return ask


def _seconds(deed: Callable[[], object]) -> float:
    """The median of some rounds, after one that fills the caches."""
    timings = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        deed()
        timings.append(time.perf_counter() - began)
    return median(timings[1:])


if __name__ == "__main__":
    sys.exit(main())
