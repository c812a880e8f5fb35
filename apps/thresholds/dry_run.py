"""
What a limit would have done: the rule over many days of many targets at once, without writing anything.

The figures of all targets are read together, and `rule.py` judges them as it does for the nightly review.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.snapshots.history import HORIZONS
from apps.snapshots.measured import Measured, read_series
from apps.thresholds.baseline import BaselineLimits, read_baseline_limits
from apps.thresholds.calendars import ExcludedDays, read_excluded_days_of
from apps.thresholds.engine.notation import Form, LimitSide
from apps.thresholds.findings import Flags, Floats, flag_excluded_days, take_findings
from apps.thresholds.models import HORIZON_OF, Threshold
from apps.thresholds.rule import DAYS_BACK, JudgedSeries, Verdict, judge_series


@dataclass(frozen=True)
class DryRun:
    """
    What a limit would have done on a target's days, over all components together.

    `fired` and `judged` are by day, `worst` is the figure furthest from comfort; `opened` counts violations that open on
    these days, `standing` those that were open before the first of them, `spells` from when to when each was open
    (without an end: still), and `avoided` are the days beyond the limit that persistence kept from opening one.
    `left_out` are days of calendars with their reasons, `peaks` the known peaks.
    """

    days: Sequence[date]
    fired: Flags
    judged: Flags
    worst: Floats
    opened: int
    standing: int
    avoided: Sequence[date]
    left_out: Mapping[date, str]
    peaks: Mapping[date, str]
    spells: Sequence[tuple[date, date | None]]
    components: int

    @property
    def standing_value(self) -> float | None:
        """The figure of the last day that has one."""
        values = [float(value) for value in self.worst if value == value]
        return values[-1] if values else None

    @property
    def fired_days(self) -> list[date]:
        return [day for day, is_fired in zip(self.days, self.fired, strict=True) if is_fired]


def dry_runs(
    draft: Threshold, components: Mapping[Target, Sequence[str]], until: date, count: int = 90
) -> dict[int, DryRun]:
    """
    The dry run of a limit on each target's components over so many days up to one, by target id.

    The threshold need not be saved. Five queries whatever the number of targets, six with a second condition.
    """
    targets = [target for target, names in components.items() if names]
    if not targets:
        return {}
    horizon = HORIZON_OF.get(draft.figure, 0)
    back = horizon + HORIZONS[horizon] if horizon else 0
    first = until - timedelta(days=count + DAYS_BACK + back - 1)
    names = sorted({name for members in components.values() for name in members})
    metrics = [draft.metric, *([draft.second_metric] if draft.second_metric else [])]
    measured = read_series(targets, [(metric, name) for metric in metrics for name in names], first, until)
    out = read_excluded_days_of(targets, first, until)
    runs = {}
    for target in targets:
        baseline_limits = (
            read_baseline_limits(target, [draft]) if draft.form == Form.NO_CHANGE else BaselineLimits()
        )
        data = _DryRunData(measured[target.pk], components[target], out[target.pk], baseline_limits)
        runs[target.pk] = _run(draft, data, count)
    return runs


@dataclass(frozen=True)
class _DryRunData:
    """One target's figures of the days that are judged, those before the days shown too."""

    measured: Measured
    names: Sequence[str]
    left_out: ExcludedDays
    baseline_limits: BaselineLimits


def _run(draft: Threshold, data: _DryRunData, count: int) -> DryRun:
    measured, names = data.measured, data.names
    days = [day for day in measured.days if day is not None]
    findings = take_findings(measured, draft.about, names, draft.figure)
    second = (
        take_findings(measured, get_metric(draft.second_metric), names, Threshold.FigureOf.VALUE)
        if draft.second_metric
        else None
    )
    limits = [data.baseline_limits.limit(draft, name) for name in names]
    is_out = flag_excluded_days(data.left_out, days, with_peaks=draft.leaves_out_peaks)
    judged = judge_series(draft, limits, findings, is_out, second)
    verdicts = np.array([series.verdicts for series in judged])
    judged_days = slice(len(days) - count, None)
    opened, standing, avoided = 0, 0, np.zeros(len(days), dtype=bool)
    open_days: list[tuple[date, date | None]] = []
    for series in judged:
        if series.beyond:
            spells, quiet = _spells_of(series)
            opened += sum(opens >= judged_days.start for opens, _ in spells)
            standing += sum(opens < judged_days.start <= closes for opens, closes in spells)
            open_days += [
                (days[opens], days[closes] if closes < len(days) else None)
                for opens, closes in spells
                if closes >= judged_days.start
            ]
            avoided[quiet] = True
    is_lower = draft.limit.side is LimitSide.LOWER
    worst = np.where(findings.is_present, findings.values, np.inf if is_lower else -np.inf)
    extreme = worst.min(axis=0) if is_lower else worst.max(axis=0)
    reasons = data.left_out.days(with_peaks=draft.leaves_out_peaks)
    return DryRun(
        days[judged_days],
        np.any(verdicts == Verdict.VIOLATED, axis=0)[judged_days],
        np.any(verdicts <= Verdict.VIOLATED, axis=0)[judged_days],
        np.where(np.isfinite(extreme), extreme, np.nan)[judged_days],
        opened,
        standing,
        [day for day, is_kept in zip(days[judged_days], avoided[judged_days], strict=True) if is_kept],
        {day: reason for day, reason in reasons.items() if day >= days[judged_days][0]},
        {day: reason for day, reason in data.left_out.peaks.items() if day >= days[judged_days][0]},
        sorted(open_days, key=lambda spell: spell[0]),
        len(names),
    )


def _spells_of(series: JudgedSeries) -> tuple[list[tuple[int, int]], list[int]]:
    """From which to which day violations of one component are open, and the days beyond its limit that open none."""
    spells: list[tuple[int, int]] = []
    avoided: list[int] = []
    opened: int | None = None
    for day in series.judged:
        if opened is not None:
            if series.closes(day, opened):
                spells.append((opened, day))
                opened = None
        elif series.opens(day):
            opened = day
        elif day in series.beyond:
            avoided.append(day)
    if opened is not None:
        spells.append((opened, len(series.values)))
    return spells, avoided
