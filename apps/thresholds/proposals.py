"""Limits proposed for a target from its baseline: one for each key statistic, with how often it would have fired."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from apps.catalog.metric import Metric
from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage
from apps.thresholds.calendars import read_excluded_days
from apps.thresholds.engine.notation import Limit
from apps.thresholds.engine.proposed_limit import ProposedLimit, propose_alternatives, propose_limit
from apps.thresholds.findings import Findings, Floats, take_findings
from apps.thresholds.judge import profile_of
from apps.thresholds.models import Threshold
from apps.thresholds.register import no_limit_because, read_limits
from apps.thresholds.rule import Verdict, judge

DAYS = 90  # over which it is told how often a limit would have fired


@dataclass(frozen=True)
class LimitProposal:
    """A statistic of a target with the limit its baseline suggests, and the one it has already."""

    metric: Metric
    component: str
    proposal: ProposedLimit
    fired: int
    judged: int
    existing: Threshold | None

    @property
    def key(self) -> str:
        """Names the statistic in a form."""
        return f"{self.metric.key}|{self.component}"


def propose_limits(target: Target, baseline: Baseline, on: date) -> list[LimitProposal]:
    """
    A proposal for each statistic in the profile of a day, from the days of the baseline.

    Days that were partial, left out by a calendar or not read count for nothing.
    """
    rows = [row for row in profile_of(target, on).rows if not row.row.today.presence.is_unknown]
    pairs = [(row.row.metric.key, row.row.component) for row in rows]
    if not pairs:
        return []
    first = min(baseline.first_day, on - timedelta(days=DAYS))
    measured = read_series([target], pairs, first, on)[target.pk]
    out = read_excluded_days(target, first, on).days(with_peaks=True)
    steady = _days(baseline.first_day, min(baseline.last_day, on), out)
    recent = _days(on - timedelta(days=DAYS - 1), on, read_excluded_days(target, first, on).maintenance)
    proposed = []
    for row in rows:
        metric, component = row.row.metric, row.row.component
        if no_limit_because(metric):
            continue
        findings = take_findings(measured, metric, [component], Threshold.FigureOf.VALUE)
        values = _values(findings)[[(day - first).days for day in steady]]
        proposal = propose_limit(values, metric.worse, is_share=metric.is_percent)
        limit = read_limits(metric.key, proposal.notation)[0] if proposal.notation else None
        fired, judged = _fired(findings, limit, [(day - first).days for day in recent])
        own = [
            applicable.threshold
            for applicable in row.applying
            if applicable.threshold.figure == Threshold.FigureOf.VALUE
        ]
        proposed.append(LimitProposal(metric, component, proposal, fired, judged, own[0] if own else None))
    return proposed


@dataclass(frozen=True)
class SteadyLimit:
    """A limit that a steady period suggests, why, and on how many of the days that could be judged it would have fired."""

    notation: str
    why: str
    fired: int
    judged: int


def suggest_limits(
    target: Target, baseline: Baseline, on: date, metric: Metric, component: str
) -> list[SteadyLimit]:
    """What the days of a baseline suggest for one figure: several limits, the usual one first."""
    first = min(baseline.first_day, on - timedelta(days=DAYS))
    measured = read_series([target], [(metric.key, component)], first, on)[target.pk]
    out = read_excluded_days(target, first, on)
    findings = take_findings(measured, metric, [component], Threshold.FigureOf.VALUE)
    steady = _days(baseline.first_day, min(baseline.last_day, on), out.days(with_peaks=True))
    recent = [(day - first).days for day in _days(on - timedelta(days=DAYS - 1), on, out.maintenance)]
    values = _values(findings)[[(day - first).days for day in steady]]
    suggested = []
    for notation, why in propose_alternatives(values, metric.worse, is_share=metric.is_percent):
        fired, judged = _fired(findings, read_limits(metric.key, notation)[0], recent)
        suggested.append(SteadyLimit(notation, why, fired, judged))
    return suggested


def steady_days(target: Target, baseline: Baseline) -> int:
    """How many days of a baseline were read."""
    return Coverage.objects.filter(
        target=target, day__range=(baseline.first_day, baseline.last_day), is_so_far=False
    ).count()


def _days(first: date, last: date, out: object) -> list[date]:
    days = (first + timedelta(days=offset) for offset in range((last - first).days + 1))
    return [day for day in days if day not in out]  # type: ignore[operator]


def _values(findings: Findings) -> Floats:
    """One component by day; what did not occur is zero for a limit, and what cannot be judged is missing."""
    with np.errstate(invalid="ignore"):
        is_thin = findings.weights < findings.metric.judging.enough
    values = np.where(findings.is_sound & ~is_thin, findings.values, np.nan)
    return np.asarray(np.where(findings.is_absent, 0.0, values)[0])


def _fired(findings: Findings, limit: Limit | None, days: Sequence[int]) -> tuple[int, int]:
    """On how many of these days a limit would have fired, and on how many it could be judged."""
    if limit is None:
        return 0, 0
    verdicts = judge([limit], findings, np.zeros(findings.values.shape[1], dtype=bool))[0, list(days)]
    return int((verdicts == Verdict.VIOLATED).sum()), int((verdicts <= Verdict.VIOLATED).sum())
