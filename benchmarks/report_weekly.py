"""
The weekly report of 1,000 targets with 200 violations: how long it takes to compose, and how large its PDF is.

    python -m benchmarks.report_weekly [--targets 1000] [--violations 200]
"""

import argparse
import sys
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from time import perf_counter

from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

MONDAY = date(2025, 12, 22)
SUNDAY = MONDAY + timedelta(days=6)
DAYS = 95  # of history
TEMPLATES = 20  # histories that are made; the others are copies of them
METRIC, LIMIT = "ts_used_mb", "<2000 GB"


def main(arguments: list[str] | None = None) -> int:
    """Fill a scratch database, compose, print, and say whether both fit."""
    parser = argparse.ArgumentParser(prog="benchmarks.report_weekly")
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--violations", type=int, default=200)
    options = parser.parse_args(arguments)
    return measured_alone(partial(measure, options.targets, violations=options.violations))


def measure(targets: int, report: BenchmarkReport, *, violations: int = 200) -> None:
    """Compose and print the report of an estate that is made for it, in a schema of its own."""
    from apps.reports.engine.week import Week
    from apps.reports.pdf import as_pdf
    from apps.reports.weekly_report import compose_weekly_report

    _fill(targets, violations)
    now = datetime.combine(SUNDAY + timedelta(days=1), time(7), UTC)
    began = perf_counter()
    made = compose_weekly_report(Week(MONDAY), now)
    composed = perf_counter() - began
    began = perf_counter()
    pdf = as_pdf(made)
    printed = perf_counter() - began
    facts = made.facts
    assert len(facts.over) + len(facts.predicted) == violations, "the report leaves violations out"
    report.add(
        Measurement(
            "L1",
            f"weekly report of {targets:,} targets, {violations} violations: composed",
            composed,
            "s",
            most=20,
        )
    )
    report.add(
        Measurement("L2", f"... its PDF with {len(facts.charts)} charts", len(pdf) / 2**20, "MB", most=2)
    )
    report.add(Measurement("L3", "... PDF made", printed, "s"))


def _fill(targets: int, violations: int) -> None:
    """Targets with the 2,500 series of an Oracle instance a day; every fifth violation is foreseen, every third critical."""
    from django.db import connection

    from benchmarks.estate import TODAY, fill, make_estate

    assert timedelta(days=DAYS - 14) > TODAY - SUNDAY
    estate = make_estate("weekly", targets, DAYS)
    fill(estate, min(TEMPLATES, targets))
    originals = [target.pk for target in estate.targets[:TEMPLATES]]
    with connection.cursor() as cursor:
        for number, target in enumerate(estate.targets[TEMPLATES:]):
            original = originals[number % len(originals)]
            cursor.execute(
                'INSERT INTO figure (target_id, category, part, day, captured_at, layout_id, "values")'
                ' SELECT %s, category, part, day, captured_at, layout_id, "values" FROM figure WHERE target_id = %s',
                [target.pk, original],
            )
            cursor.execute(
                "INSERT INTO coverage (target_id, day, hours, day_hours, restarts, spans_days, is_so_far, captured_at,"
                " categories, marks) SELECT %s, day, hours, day_hours, restarts, spans_days, is_so_far, captured_at,"
                " categories, marks FROM coverage WHERE target_id = %s",
                [target.pk, original],
            )
        cursor.execute("ANALYZE figure")
        cursor.execute("ANALYZE coverage")
    _violate([target.pk for target in estate.targets], violations)


def _violate(targets: list[int], count: int) -> None:
    from apps.forecasting.models import Forecast
    from apps.snapshots.models import Series
    from apps.thresholds.models import Step, Threshold, Violation
    from apps.thresholds.register import add_threshold

    moment = datetime.combine(MONDAY - timedelta(days=30), time(), UTC)
    components = list(Series.objects.filter(metric=METRIC).values_list("component", flat=True)[:5])
    (threshold,) = add_threshold(METRIC, LIMIT, now=moment, severity="critical")
    shared = {
        "metric": METRIC,
        "threshold": threshold,
        "notation": threshold.notation,
        "unit": threshold.unit,
    }
    Forecast.objects.bulk_create(
        Forecast(
            target_id=target,
            component=component,
            made_on=day,
            method="weighted-3",
            horizon=90,
            value=1500.0,
            chance=0.6,
            is_likely=True,
            likely_on=day + timedelta(days=30 + target % 50),
            path={
                str(ahead): [1500 + ahead, 1400 + ahead, 1600 + 2 * ahead] for ahead in (7, 14, 30, 60, 90)
            },
            **shared,
        )
        for target in targets
        for component in components
        for day in (SUNDAY, SUNDAY - timedelta(days=1), MONDAY - timedelta(days=1))
    )
    made = Violation.objects.bulk_create(
        Violation(
            target_id=targets[number % len(targets)],
            component=components[number // len(targets) % len(components)],
            severity="critical" if number % 3 == 0 else "warning",
            state="predicted" if number % 5 == 0 else "open",
            predicted_on=SUNDAY if number % 5 == 0 else None,
            opened_on=None if number % 5 == 0 else MONDAY - timedelta(days=number % 14 - 6),
            value=1900.0,
            judged_on=SUNDAY,
            reviewed_on=SUNDAY,
            **shared,
        )
        for number in range(count)
    )
    Step.objects.bulk_create(
        Step(
            violation=violation,
            at=datetime.combine((violation.opened_on or SUNDAY) + timedelta(days=1), time(), UTC),
            on=violation.opened_on or SUNDAY,
            after=violation.state,
        )
        for violation in made
    )
    assert Threshold.objects.count() == 1


if __name__ == "__main__":
    sys.exit(main())
