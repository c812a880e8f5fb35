"""A profile's rows with the limits that apply to them, as `rule.py` judges them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.profiles.build import Profile, ProfileRow, build_profile
from apps.snapshots.measured import Measured, read_series
from apps.snapshots.presence import Presence
from apps.thresholds.baseline import BaselineLimits, read_baseline_limits
from apps.thresholds.calendars import ExcludedDays, read_excluded_days_of
from apps.thresholds.engine.notation import Limit
from apps.thresholds.findings import Findings, take_findings
from apps.thresholds.models import HORIZON_OF, Severity, Threshold
from apps.thresholds.precedence import ApplicableThreshold, find_applicable, list_named_components
from apps.thresholds.rule import Verdict, judge


class FigureState(StrEnum):
    """What a row says of itself, in the order from best to worst that a target's state is taken by."""

    COMFORTABLE = "comfortable"
    NO_DATA = "no_data"
    CLOSING = "closing"  # a case still open whose figure is inside its limit again
    AT_RISK = "at_risk"
    VIOLATED = "violated"


WORST_FIRST = tuple(reversed(FigureState))


def state_of(verdict: Verdict) -> FigureState | None:
    """What a row says by a verdict; None where the limit never fires."""
    match verdict:
        case Verdict.COMFORTABLE:
            return FigureState.COMFORTABLE
        case Verdict.VIOLATED:
            return FigureState.VIOLATED
        case Verdict.UNDECIDED:
            return None
        case _:
            return FigureState.NO_DATA


@dataclass(frozen=True)
class JudgedRow:
    """A row of the profile with the threshold it shows and the worst state of all that apply."""

    row: ProfileRow
    applying: Sequence[ApplicableThreshold]
    threshold: Threshold | None = None
    limit: Limit | None = None
    state: FigureState | None = None
    severity: str = ""
    reason: str = ""


@dataclass(frozen=True)
class JudgedProfile:
    profile: Profile
    rows: Sequence[JudgedRow]
    left_out: ExcludedDays = field(default_factory=ExcludedDays)  # what calendars leave out of its day

    @property
    def state(self) -> FigureState | None:
        """The state of the target: the worst of its rows."""
        have = {row.state for row in self.rows}
        return next((state for state in WORST_FIRST if state in have), None)


@dataclass(frozen=True)
class ProfileQuestion:
    """A target whose profile is asked for, or `only` some statistics of it."""

    target: Target
    only: Callable[[Metric], bool] = lambda metric: True
    also: Sequence[tuple[str, str]] = ()  # (metric, component) that have a row whatever their size


def _judge_profile(
    profile: Profile, thresholds: Sequence[Threshold], left_out: ExcludedDays
) -> JudgedProfile:
    """The rows of a profile with their limits and states."""
    basis = _JudgingBasis(
        profile, read_baseline_limits(profile.target, thresholds), left_out, _seconds(profile, thresholds)
    )
    rows = [
        (row, find_applicable(thresholds, profile.target, row.metric.key, row.component))
        for row in profile.rows
    ]
    answers = _answers(basis, rows)
    return JudgedProfile(profile, [_judged(row, winners, answers) for row, winners in rows], basis.left_out)


def profile_of(
    target: Target,
    day: date,
    only: Callable[[Metric], bool] = lambda metric: True,
    also: Iterable[tuple[str, str]] = (),
) -> JudgedProfile:
    """One target's profile of a day, judged by the thresholds in force."""
    return profiles_of([ProfileQuestion(target, only, list(also))], day)[0]


def profiles_of(questions: Sequence[ProfileQuestion], day: date) -> list[JudgedProfile]:
    """The profiles of a day, judged by the thresholds in force; limits and calendars are read once for all."""
    targets = [question.target for question in questions]
    thresholds = list(Threshold.objects.reaching(targets))
    left_out = read_excluded_days_of(targets, day, day)
    judged = []
    for question in questions:
        target = question.target
        of_target = [threshold for threshold in thresholds if threshold.reaches(target)]
        named = dict.fromkeys([*list_named_components(of_target, target), *question.also])
        profile = build_profile(target, day, named, question.only)
        judged.append(_judge_profile(profile, of_target, left_out[target.pk]))
    return judged


@dataclass(frozen=True)
class _JudgingBasis:
    """What all rows of a profile are judged by."""

    profile: Profile
    baseline_limits: BaselineLimits
    left_out: ExcludedDays
    seconds: Measured | None  # the figures of second conditions on the profile's day


@dataclass(frozen=True)
class _Answer:
    """What one threshold says of one row."""

    threshold: Threshold
    limit: Limit
    verdict: Verdict
    reason: str


def _seconds(profile: Profile, thresholds: Sequence[Threshold]) -> Measured | None:
    """The figures of second conditions on the profile's day; none costs no query."""
    seconds = {
        (threshold.metric, threshold.second_metric) for threshold in thresholds if threshold.second_metric
    }
    pairs = sorted(
        (second, row.component)
        for row in profile.rows
        for metric, second in seconds
        if row.metric.key == metric
    )
    if not pairs:
        return None
    return read_series([profile.target], pairs, profile.day, profile.day)[profile.target.pk]


def _answers(
    basis: _JudgingBasis, rows: Sequence[tuple[ProfileRow, Sequence[ApplicableThreshold]]]
) -> dict[tuple[int | None, tuple[str, str]], _Answer]:
    """Every threshold is asked once about all rows on which it applies; answers by threshold and row."""
    rows_of: dict[int | None, list[ProfileRow]] = {}
    thresholds: dict[int | None, Threshold] = {}
    for row, winners in rows:
        for winner in winners:
            thresholds[winner.threshold.pk] = winner.threshold
            rows_of.setdefault(winner.threshold.pk, []).append(row)
    answers = {}
    for pk, threshold in thresholds.items():
        for row, answer in zip(rows_of[pk], _ask(basis, threshold, rows_of[pk]), strict=True):
            answers[pk, row.key] = answer
    return answers


def _ask(basis: _JudgingBasis, threshold: Threshold, rows: Sequence[ProfileRow]) -> list[_Answer]:
    profile = basis.profile
    limits = [basis.baseline_limits.limit(threshold, row.component) for row in rows]
    findings = findings_of_rows(rows, threshold.figure, is_over=not profile.is_so_far)
    out = basis.left_out.reason(profile.day, with_peaks=threshold.leaves_out_peaks)
    second = None
    if threshold.second_metric and basis.seconds is not None:
        names = [row.component for row in rows]
        other = get_metric(threshold.second_metric)
        second = take_findings(basis.seconds, other, names, Threshold.FigureOf.VALUE)
    verdicts = judge(limits, findings, np.array([bool(out)]), second, so_far=profile.is_so_far)
    return [
        _Answer(threshold, limit, verdict, _reason(verdict, row, threshold, out, second, number))
        for number, (row, limit, verdict) in enumerate(
            zip(rows, limits, map(Verdict, verdicts[:, 0].tolist()), strict=True)
        )
    ]


def findings_of_rows(rows: Sequence[ProfileRow], figure: str, *, is_over: bool) -> Findings:
    """The figures of rows of one metric that a threshold is on: the value of the day, or its change; (rows, 1)."""
    horizon = HORIZON_OF.get(figure)
    numbers = [row.today.value if horizon is None else row.then[horizon].delta for row in rows]
    absent = [horizon is None and row.today.presence is Presence.NOT_PRESENT for row in rows]
    weights = [np.nan if row.weight is None else row.weight for row in rows]

    def column(values: Sequence[object], kind: type) -> NDArray[Any]:
        return np.array(values, dtype=kind)[:, None]

    return Findings(
        rows[0].metric,
        column([np.nan if number is None else number for number in numbers], float),
        column(absent, bool),
        column([is_over] * len(rows), bool),
        column([not row.is_partial or bool(row.without) for row in rows], bool),
        column([not row.without for row in rows], bool),
        column(weights, float),
    )


def _judged(
    row: ProfileRow,
    winners: Sequence[ApplicableThreshold],
    answers: Mapping[tuple[int | None, tuple[str, str]], _Answer],
) -> JudgedRow:
    if not winners:
        return JudgedRow(row, [])
    answer = min((answers[winner.threshold.pk, row.key] for winner in winners), key=_most_telling)
    state = state_of(answer.verdict)
    severity = answer.threshold.severity if state is FigureState.VIOLATED else ""
    return JudgedRow(row, winners, answer.threshold, answer.limit, state, severity, answer.reason)


def _most_telling(answer: _Answer) -> tuple[int, int, int]:
    """Worst state first; of violated ones the critical, of others the warning, which comes nearer."""
    state = state_of(answer.verdict)
    rank = WORST_FIRST.index(state) if state else len(WORST_FIRST)
    is_critical = answer.threshold.severity == Severity.CRITICAL
    return rank, int(is_critical != (state is FigureState.VIOLATED)), answer.threshold.pk or 0


def _reason(
    verdict: Verdict, row: ProfileRow, threshold: Threshold, out: str, second: Findings | None, number: int
) -> str:
    """Why a row is not judged, in words; empty where it is."""
    match verdict:
        case Verdict.UNDECIDED:
            return "not decided yet"
        case Verdict.LEFT_OUT:
            return f"left out by the {out}, so it is not judged"
        case Verdict.NO_BASELINE:
            return "no baseline is marked, or it has no figures of this statistic"
        case Verdict.NO_FIGURE:
            return _why_no_figure(row, threshold.figure)
        case Verdict.INCOMPLETE:
            return f"measured without {' and '.join(row.without)}, not read at both ends, so it is not judged"
        case Verdict.PARTIAL:
            return f"measured over {row.hours or 0:.1f} hours only, so it is not judged"
        case Verdict.ABSENT:
            return "it did not occur, and that is not judged against a lower limit"
        case Verdict.THIN:
            return f"an average over {row.weight:,.0f}, fewer than {row.metric.judging.enough:,.0f}, is not judged"
        case Verdict.NO_SECOND:
            word = threshold.limit.second.word if threshold.limit.second else ""
            return f"both conditions are needed, and “{word}” is not known: {_why_no_second(row, second, number)}"
        case _:
            return ""


def _why_no_figure(row: ProfileRow, figure: str) -> str:
    if figure not in HORIZON_OF:
        return row.today.reason
    cell = row.then[HORIZON_OF[figure]]
    if cell.change:
        return f"it is {cell.change}, so its change has no percentage"
    return cell.reason or row.today.reason or "there is nothing to compare with"


def _why_no_second(row: ProfileRow, second: Findings | None, number: int) -> str:
    if second is None or not second.is_present[number, 0]:
        return "it has no figure of this day"
    if not second.is_complete[number, 0]:
        return "measured without an instance of the database"
    return "measured over too little of the day"
