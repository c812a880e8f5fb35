"""
Measure, print one table of what must be and what was got, and end with status 1 where something was missed.

    python -m benchmarks [--size small|standard]
"""

import argparse
import subprocess
import sys

from benchmarks import oracle
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import description, scratch_database
from benchmarks.size import SIZES


def main() -> int:
    """Storage first, then the weekly report, the nightly review, pages, collecting from Oracle, and the forecast."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measure, and print ratios.")
    parser.add_argument("--size", choices=tuple(SIZES), default="small", help="how much is measured")
    parser.add_argument("--storage-only", action="store_true", help="leave all else out")
    options = parser.parse_args()
    report = BenchmarkReport()
    with scratch_database():
        from benchmarks import commands, dry_run, fleet, history, nightly, pages, report_weekly, storage

        server = description()
        storage.measure(SIZES[options.size], report)
        if not options.storage_only:
            commands.measure(report)
            dry_run.measure(100, report)
            report_weekly.measure({"small": 200, "standard": 1000}[options.size], report)
            oracle.measure(report, instances={"small": 100, "standard": 1000}[options.size])
            history.measure({"small": 30, "standard": 180}[options.size], report)
            nightly.measure({"small": 24, "standard": 90}[options.size], report)
            deep = {"small": 4, "standard": 20}[options.size]
            pages.measure(fleet.make_fleet(targets=1000, deep=deep, days=1000), deep, report)
    if not options.storage_only:
        series = {"small": "3000", "standard": "30000"}[options.size]
        alone = [
            sys.executable,
            "-m",
            "benchmarks.forecast",
            "--series",
            series,
        ]  # its peak of memory is its own
        missed = subprocess.run(alone, check=False).returncode
        report.add(Measurement("F", "parts of the forecast that miss a score (see above)", missed, most=0))
    print(f"\n{server}; size {options.size}\n\n{report.table()}")
    if report.missed:
        print("\nMISSED: " + ", ".join(figure.key for figure in report.missed))
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
