"""On which days users were satisfied, as far as anybody knows, and the steady period that holds no others."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise

import numpy as np

from apps.inventory.models import Target
from apps.profiles.models import Note
from apps.profiles.verdicts import days_called
from apps.snapshots.measured import Measured, read_series
from apps.thresholds.calendars import ExcludedDays, read_excluded_days
from apps.thresholds.experience import AgreedFigure, agreed_figures
from apps.thresholds.findings import take_findings
from apps.thresholds.rule import Verdict, judge

USUAL = 30  # days of a steady period
FURTHEST = 180  # days back within which a period is proposed


def dissatisfied_days(target: Target, first: date, last: date) -> Mapping[date, str]:
    """
    The days of a stretch on which users were not satisfied, and why: they said so, or what they were promised was not kept.

    A value beyond what is promised today counts, whether or not it was promised on that day already.
    """
    reasons = dict.fromkeys(days_called(target, Note.Verdict.SLOW, first, last), "users called it slow")
    for day, what in _broken_days(target, first, last):
        reasons.setdefault(day, f"{what} was beyond what was promised")
    return dict(sorted(reasons.items()))


def propose_period(dissatisfied: Iterable[date], until: date) -> tuple[date, date] | None:
    """
    The newest days up to one on which users were satisfied throughout; where there are too few in a row, most of them.

    None where no day is left.
    """
    begin = until - timedelta(days=FURTHEST)
    edges = [begin - timedelta(days=1), *sorted(dissatisfied), until + timedelta(days=1)]
    runs = [
        (max(before + timedelta(days=1), after - timedelta(days=USUAL)), after - timedelta(days=1))
        for before, after in pairwise(edges)
        if (after - before).days > 1
    ]
    return max(runs, key=lambda run: (run[1] - run[0], run[1]), default=None)


def _broken_days(target: Target, first: date, last: date) -> Iterator[tuple[date, str]]:
    """Each day whose value is beyond what is agreed on, judged as the limit judges any day."""
    agreed = agreed_figures(target)
    if not agreed:
        return
    names = [(figure.metric.key, figure.name) for figure in agreed]
    measured = read_series([target], names, first, last)[target.pk]
    excluded = read_excluded_days(target, first, last)
    for figure in agreed:
        what = figure.metric.called(figure.name)
        yield from ((day, what) for day in _days_beyond(figure, measured, excluded))


def _days_beyond(figure: AgreedFigure, measured: Measured, excluded: ExcludedDays) -> list[date]:
    threshold = figure.threshold
    days = [day for day in measured.days if day is not None]
    left_out = [bool(excluded.reason(day, with_peaks=threshold.leaves_out_peaks)) for day in days]
    findings = take_findings(measured, figure.metric, [figure.name], threshold.figure)
    verdicts = judge([threshold.limit], findings, np.array(left_out))[0]
    return [days[column] for column in np.flatnonzero(verdicts == Verdict.VIOLATED)]
