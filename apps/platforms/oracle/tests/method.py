"""
Which test stands for which row of the method's checklist: the source of docs/method-coverage.md.

    python -m apps.platforms.oracle.tests.method

A test names its rows in its function (`test_col1_...`) or in the id of its parameters ("FAM2 redo size").
"""

import importlib
import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

PAGE = Path(__file__).parents[4] / "docs" / "method-coverage.md"
ROW = re.compile(r"(?<![a-z])(col|fam|pro|thr|pre|act|cor|hst|stu)(\d+)(?!\d)", re.IGNORECASE)

STATEMENTS = {
    "COL1": "One snapshot an instance every 24 hours, without rows of sessions",
    "COL2": "No statement touches a licensed view",
    "COL3": "Counters become differences within one start-up; a restart is neither negative nor a spike",
    "COL4": "Each of the eleven views is read",
    "COL5": "What a release does not have is not available, never 0; names are matched by name",
    "COL6": "Each statistic has its kind and its native unit",
    "COL7": "A steady period is marked, and limits follow from it",
    "COL8": "Months compared: rising, falling, flat, appeared, gone",
    "COL9": "Host and instance stand over the same window, each with its share of it and what both have in common",
    "COL10": "sysstat's records: five minutes, seven days",
    "FAM1": "Workload: 3 statistics",
    "FAM2": "Redo: 12 statistics",
    "FAM3": "Users: 9 statistics",
    "FAM4": "PGA: 14 statistics",
    "FAM5": "SGA: 6 statistics",
    "FAM6": "Undo: 5 statistics",
    "FAM7": "Parallel execution: 10 statistics",
    "FAM8": "I/O: 11 statistics",
    "FAM9": "Enqueues: 6 statistics",
    "FAM10": "Tables and indexes: 10 statistics",
    "FAM11": "Temp activity by file",
    "FAM12": "Tablespaces: used and available add up to the size",
    "FAM13": "Segments: size, growth and activity",
    "FAM14": "Data files: I/O a day, average and maximum response",
    "FAM15": "Time model: CPU stands among the waits",
    "FAM16": "86 statistics, each in one family",
    "PRO1": "The ten largest waits, CPU among them, idle and PX left out",
    "PRO2": "Change against 90, 30 and 7 days ago",
    "PRO3": "Not present is a state of its own",
    "PRO4": "Ten events, eight violated, two comfortable",
    "PRO5": "A day that was not read is stood in for by an earlier one, which is named",
    "PRO6": "The profile shows only enough to decide whether to look further",
    "PRO7": "Busy share of a background process",
    "PRO8": "Average sessions waiting",
    "THR1": "A comfort level on one statistic of one scope, with a course of action and an owner",
    "THR2": "The seven forms of a limit are read and judged",
    "THR3": "Units convert: per second, per day, per transaction",
    "THR4": "A ratio of two counters can carry a limit",
    "THR5": "Hosts have limits too",
    "THR6": "Peak hours apart from the whole day",
    "THR7": "Reviewed daily; the list of violations is where people enter",
    "THR8": "Set once, then revisited: every change is kept",
    "PRE1": "Growth is projected against the registered limit",
    "PRE2": "Least squares on the four printed days, as a line to compare with",
    "PRE3": "The answer carries its spread when methods disagree",
    "PRE4": "Flat or falling: no breach; already over: violated since",
    "PRE5": "Too few points: not enough data, with the number missing",
    "PRE6": "Predicted violations are listed with the days that acting takes",
    "PRE7": "New requirements enter as planned changes",
    "ACT1": "Performance or capacity constraint, with the evidence",
    "ACT2": "Steps, owner, due date; the figures alone close it",
    "ACT3": "Typical capacity actions are offered",
    "ACT4": "The short way of a suspected CPU bottleneck is walked with figures, each answer leading somewhere",
    "ACT5": "The long way: three months of run queue, utilisation, switches, migrations and interrupts as a report",
    "ACT6": "Causes by share of the gain, which add up",
    "ACT7": "A regression is accepted with a reason and a day to look again",
    "COR1": "Response of files, of the volume below them and of its LUNs, side by side for the same day",
    "COR2": "A wait leads to the statistics it is read beside",
    "COR3": "CPU on top and rising page faults suggest a look at the TLB; flat faults suggest nothing",
    "COR5": "Processes: who uses the processors, in program and kernel, with voluntary and involuntary switches",
    "HST1": "Run queue of each system; Unix counts those that wait alone",
    "HST2": "User, system, idle; waiting for I/O is shown and not judged",
    "HST3": "Context switches: voluntary and involuntary apart, and the involuntary share, of the log writer too",
    "HST4": "Thread migrations, and their share of the switches, of the systems that count them",
    "HST5": "Interrupts of each processor, and their imbalance",
    "HST6": "System calls, of the systems that count them",
    "HST7": "Load averages",
    "HST8": "Memory used, swapping, minor and major faults",
    "HST9": "Time spent on finding addresses, where trapstat tells it",
    "HST10": "Requests, size, queue on host and device, response, throughput",
    "HST11": "Filesystems: how full",
    "HST12": "Network: throughput, errors, retransmissions",
    "HST13": "What the tools of a host cannot give is listed with what would, and is never 0",
    "STU1": "Before and after: better, worse, same, met, missed",
    "STU2": "Log buffer: time to fill at a redo rate",
    "STU3": "Log files: interval between switches, and the size for the interval that is wanted",
    "STU4": "The archiver keeps up when a member is archived before the next switch",
    "STU5": "What is beyond the depth of a LUN waits in the host",
    "STU6": "Requests at work are their rate times their service time",
    "STU7": "Advice on the queue depth, with its bounds",
    "STU8": "Size of reads on file systems of two block sizes: the same on both",
    "STU9": "Page sizes of the work area: time and memory side by side",
    "STU10": "Mappings, entries of the translation buffer, and how full it may get",
    "STU11": "Page tables by sessions and SGA",
    "STU12": "Huge pages: needed, in use, surplus",
    "STU13": "One page short is short of all",
    "STU14": "Login time, local and through the listener, before and after; release and pre_page_sga before small pages",
    "STU15": "A difference is told with its significance",
    "STU16": "Page faults at start-up, and what a change won",
    "STU17": "Share of an SGA on one memory node",
    "STU18": "Cost of far memory",
    "STU19": "Huge pages of all nodes cover the SGA",
    "STU20": "A login storm: until all are in, and page tables meanwhile",
    "STU21": "Licences follow cores",
}

MODULES = (
    "platforms.oracle.tests.test_method_collection", "platforms.oracle.tests.test_method_families",
    "platforms.oracle.tests.test_method_profile", "platforms.oracle.tests.test_logins", "platforms.oracle.tests.test_calculators", "catalog.tests.test_units", "thresholds.tests.test_method_thresholds",
    "thresholds.tests.test_notation", "thresholds.tests.test_resolve", "thresholds.tests.test_check",
    "thresholds.tests.test_dry_run", "thresholds.tests.test_peak_hours", "thresholds.tests.test_life",
    "forecasting.engine.tests.test_lines", "forecasting.engine.tests.test_batch", "forecasting.engine.tests.test_chance",
    "forecasting.engine.tests.test_headroom", "forecasting.tests.test_planned_effects", "forecasting.tests.test_forecast_command",
    "advisors.tests.test_diagnosis", "advisors.tests.test_plan", "advisors.tests.test_study_plan", "advisors.tests.test_change_study", "advisors.tests.test_benchmark", "profiles.tests.test_margin", "advisors.tests.test_rules", "review.tests.test_nightly",
    "platforms.tests.test_method_plans", "profiles.tests.test_related_statistics", "web.pages.thresholds.tests.test_thresholds",
    "web.pages.risks.tests.test_risk_board", "web.pages.packs.tests.test_packs", "web.pages.what_if.tests.test_what_if",
    "web.pages.forecast.tests.test_forecast", "web.pages.case.tests.test_case_file", "web.pages.case.tests.test_files",
    "web.pages.case.tests.test_plan", "web.pages.case.tests.test_study",
    "platforms.linux.tests.test_metrics", "platforms.linux.tests.test_files_of_hosts", "platforms.linux.tests.test_filesystems", "platforms.linux.tests.test_solaris_reports",
    "platforms.linux.tests.test_devices", "platforms.linux.tests.test_proc", "platforms.linux.tests.test_switches", "web.pages.host_files.tests.test_host_files", "web.pages.targets.tests.test_node_exporter_form",
    "web.tests.test_host_and_instances", "web.tests.test_who_uses_the_processors", "web.pages.reports.tests.test_processor_trends", "web.pages.walk.tests.test_walk",
)  # fmt: skip


def modules() -> list[ModuleType]:
    """The modules whose tests stand for rows."""
    return [importlib.import_module(f"apps.{name}") for name in MODULES]


def tests_of(modules: Iterable[ModuleType]) -> Iterator[str]:
    """The names of the tests of these modules, a parametrised one once for each id."""
    for module in modules:
        for name, test in vars(module).items():
            if name.startswith("test_") and callable(test):
                marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
                for ids in product(*(_ids(mark) for mark in marks)):
                    yield f"{name}[{'-'.join(ids)}]" if ids else name


def _ids(mark: Any) -> list[str]:
    ids = mark.kwargs.get("ids")
    values = mark.args[1]
    if ids is not None and not callable(ids):
        return list(ids)
    return [getattr(value, "id", None) or str(value) for value in values]


def tests_by_row(modules: Iterable[ModuleType]) -> dict[str, list[str]]:
    """The tests of each row of the checklist; those whose parameters name a row stand for it alone."""
    tests_of_rows: dict[str, list[str]] = {row: [] for row in STATEMENTS}
    for test in tests_of(modules):
        for kind, number in dict.fromkeys(ROW.findall(test)):
            tests_of_rows[f"{kind.upper()}{number}"].append(test)
    return tests_of_rows


def page(modules: Iterable[ModuleType]) -> str:
    """The text of docs/method-coverage.md."""
    rows = [
        f"| {row} | {STATEMENTS[row]} | {len(tests)} | {', '.join(_short(tests))} |"
        for row, tests in tests_by_row(modules).items()
    ]
    return "\n".join([TOP, *rows, ""])


def _short(tests: list[str]) -> list[str]:
    """The functions among the tests, each once."""
    return [f"`{name}`" for name in dict.fromkeys(test.partition("[")[0] for test in tests)]


TOP = """\
# How the method is covered

Each row of the method's checklist on collection, families of statistics, the profile, limits, prediction, action,
correlation and hosts, and the tests that hold Headroom to it. Those about collected figures go the whole way: a server that speaks Oracle's
protocol, driver, snapshot, the figures of the day, profile. This page is made from the names of the tests.

| row | what it asks | tests | in |
| --- | --- | --- | --- |"""


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    django.setup()
    PAGE.write_text(page(modules()))
