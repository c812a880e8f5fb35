"""One figure against one limit; and a profile's rows with the limits that apply to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.inventory.models import Target
from apps.profiles.build import Cell, Presence, Profile, Row, build_profile
from apps.thresholds.baseline import Steady, steady_limits
from apps.thresholds.calendars import LeftOut, left_out
from apps.thresholds.finding import HORIZON_OF, Finding
from apps.thresholds.models import Severity, Threshold, Violation
from apps.thresholds.notation import Form, Limit, Second
from apps.thresholds.resolve import Applying, applying, named_components
from apps.thresholds.series import read_figures


class State(StrEnum):
    """What a row says of itself, in the order from best to worst that a target's state is taken by."""

    COMFORTABLE = "comfortable"
    NO_DATA = "no_data"
    AT_RISK = "at_risk"
    VIOLATED = "violated"


WORST_FIRST = (State.VIOLATED, State.AT_RISK, State.NO_DATA, State.COMFORTABLE)


@dataclass(frozen=True)
class Verdict:
    """The state of one figure under one limit; None where the limit never fires."""

    state: State | None
    reason: str = ""

    @property
    def is_judged(self) -> bool:
        return self.state in (State.COMFORTABLE, State.VIOLATED)


def judge(limit: Limit, finding: Finding, metric: Metric) -> Verdict:
    """A figure against a limit. What cannot be judged is "no data", with the reason."""
    if limit.form is Form.UNDECIDED:
        return Verdict(None, "not decided yet")
    if finding.left_out:
        return Verdict(State.NO_DATA, f"left out by the {finding.left_out}, so it is not judged")
    if limit.form is Form.NO_CHANGE and limit.low is None:
        return Verdict(State.NO_DATA, "no baseline is marked, or it has no figures of this statistic")
    if finding.presence is Presence.NO_DATA:
        return Verdict(State.NO_DATA, finding.reason)
    if finding.without:
        names = " and ".join(finding.without)
        return Verdict(State.NO_DATA, f"measured without {names}, not read at both ends, so it is not judged")
    if finding.is_partial:
        return Verdict(
            State.NO_DATA, f"measured over {finding.hours or 0:.1f} hours only, so it is not judged"
        )
    if finding.presence is Presence.NOT_PRESENT:
        if limit.low is None:
            return Verdict(State.COMFORTABLE)
        return Verdict(State.NO_DATA, "it did not occur, and that is not judged against a lower limit")
    is_thin = bool(metric.weight) and finding.weight is not None and finding.weight < metric.enough
    if is_thin and limit.form is not Form.ELIMINATE:
        return Verdict(
            State.NO_DATA,
            f"an average over {finding.weight:,.0f}, fewer than {metric.enough:,.0f}, is not judged",
        )
    if limit.second is None or not limit.is_beyond(finding.value):
        return Verdict(State.VIOLATED if limit.is_beyond(finding.value) else State.COMFORTABLE)
    return _judge_second(limit, finding, limit.second)


def _judge_second(limit: Limit, finding: Finding, second: Second) -> Verdict:
    """The first condition is broken: the second one decides."""
    other = finding.second
    missing = other.missing if other is not None else "it was not read"
    if other is None or missing:
        return Verdict(
            State.NO_DATA, f"both conditions are needed, and “{second.word}” is not known: {missing}"
        )
    is_broken = limit.is_beyond(finding.value, second=other.value)
    return Verdict(State.VIOLATED if is_broken else State.COMFORTABLE)


@dataclass(frozen=True)
class Outlook:
    """What a forecast says of a row, in a word or two: "25 d", "> 90 d"; `kind` is risk, far, or empty."""

    text: str
    kind: str
    days: int | None = None


@dataclass(frozen=True)
class JudgedRow:
    """A row of the profile with the threshold it shows and the worst state of all that apply."""

    row: Row
    applying: Sequence[Applying]
    threshold: Threshold | None = None
    limit: Limit | None = None
    state: State | None = None
    severity: str = ""
    reason: str = ""
    outlook: Outlook | None = None


@dataclass(frozen=True)
class JudgedProfile:
    profile: Profile
    rows: Sequence[JudgedRow]
    left_out: LeftOut = field(default_factory=LeftOut)  # what calendars leave out of its day

    @property
    def state(self) -> State | None:
        """The state of the target: the worst of its rows."""
        have = {row.state for row in self.rows}
        return next((state for state in WORST_FIRST if state in have), None)


def judge_profile(profile: Profile, thresholds: Sequence[Threshold]) -> JudgedProfile:
    """The rows of a profile with their limits and states."""
    scene = _Scene(
        profile,
        thresholds,
        steady_limits(profile.target, thresholds),
        left_out(profile.target, profile.day, profile.day),
        _seconds(profile, thresholds),
    )
    predicted = set(
        Violation.objects.predicted()
        .filter(target=profile.target, predicted_on__lte=profile.day)
        .values_list("metric", "component")
    )
    rows = [_judge_row(row, scene) for row in profile.rows]
    return JudgedProfile(
        profile, [_at_risk(row) if row.row.key in predicted else row for row in rows], scene.left_out
    )


def _at_risk(judged: JudgedRow) -> JudgedRow:
    """A comfortable row whose violation is predicted is at risk."""
    return replace(judged, state=State.AT_RISK) if judged.state is State.COMFORTABLE else judged


def profile_of(
    target: Target, day: date, only: Callable[[Metric], bool] = lambda metric: True
) -> JudgedProfile:
    """A target's profile of a day, or `only` some statistics of it, judged by the thresholds in force."""
    thresholds = list(Threshold.objects.touching([target]))
    profile = build_profile(target, day, named_components(thresholds, target), only)
    return judge_profile(profile, thresholds)


@dataclass(frozen=True)
class _Scene:
    """What all rows of a profile are judged by."""

    profile: Profile
    thresholds: Sequence[Threshold]
    steady: Steady
    left_out: LeftOut
    seconds: Mapping[tuple[str, str], Finding]

    def finding(self, row: Row, threshold: Threshold) -> Finding:
        reason = self.left_out.reason(self.profile.day, with_peaks=threshold.leaves_out_peaks)
        second = self.seconds.get((threshold.second_metric, row.component))
        return replace(finding_of(row, threshold.figure), left_out=reason, second=second)


def _seconds(profile: Profile, thresholds: Sequence[Threshold]) -> dict[tuple[str, str], Finding]:
    """The figures of second conditions on the profile's day, by metric and component; none costs no query."""
    wanted = {(one.metric, one.second_metric) for one in thresholds if one.second_metric}
    pairs = sorted(
        {
            (second, row.component)
            for row in profile.rows
            for metric, second in wanted
            if row.metric.key == metric
        }
    )
    if not pairs:
        return {}
    figures = read_figures(profile.target, pairs, profile.day, days_back=0)
    return {
        (metric, component): figures.finding(
            get_metric(metric), component, Threshold.FigureOf.VALUE, profile.day, so_far=profile.is_so_far
        )
        for metric, component in pairs
    }


def _judge_row(row: Row, scene: _Scene) -> JudgedRow:
    found = applying(scene.thresholds, scene.profile.target, row.metric.key, row.component)
    if not found:
        return JudgedRow(row, [])
    judged = []
    for one in found:
        limit = scene.steady.limit(one.threshold, row.component)
        verdict = judge(limit, scene.finding(row, one.threshold), row.metric)
        judged.append((one.threshold, limit, verdict))
    threshold, limit, verdict = min(judged, key=_most_telling)
    return JudgedRow(
        row,
        found,
        threshold,
        limit,
        verdict.state,
        threshold.severity if verdict.state is State.VIOLATED else "",
        verdict.reason,
    )


def _most_telling(judged: tuple[Threshold, Limit, Verdict]) -> tuple[int, int, int]:
    """Worst state first; of violated ones the critical, of others the warning, which comes nearer."""
    threshold, _, verdict = judged
    rank = WORST_FIRST.index(verdict.state) if verdict.state else len(WORST_FIRST)
    is_critical = threshold.severity == Severity.CRITICAL
    return rank, int(is_critical != (verdict.state is State.VIOLATED)), threshold.pk or 0


def finding_of(row: Row, figure: str) -> Finding:
    """The figure of a row that a threshold is on: the value of the day, or its change."""
    whole = Finding(
        row.today.presence,
        row.today.value,
        row.today.reason,
        row.is_partial,
        row.hours,
        row.without,
        row.weight,
    )
    if figure not in HORIZON_OF:
        return whole
    cell = row.then[HORIZON_OF[figure]]
    if cell.delta is None:
        return replace(
            whole, presence=Presence.NO_DATA, value=None, reason=_no_change_because(cell, row.today)
        )
    return replace(whole, presence=Presence.PRESENT, value=cell.delta, reason="")


def _no_change_because(cell: Cell, today: Cell) -> str:
    if cell.change:
        return f"it is {cell.change}, so its change has no percentage"
    return cell.reason or today.reason or "there is nothing to compare with"
