"""A judged profile whose rows say how they stand: closing, at risk, not read, and how many days are left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.db.models import Q

from apps.catalog.metric import Metric
from apps.collection.unread_targets import UnreadTarget, find_unread_target
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import is_about, with_last_days
from apps.thresholds import judge
from apps.thresholds.judge import FigureState, JudgedProfile, JudgedRow
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.precedence import ApplicableThreshold

CHANGED_SINCE = "the limit was changed after the last review; the case is that of the limit before"
OLDEST = timedelta(days=7)  # a forecast older than this is not shown beside today's figures

RowKey = tuple[str, str]  # metric, component


@dataclass(frozen=True)
class ProfileOutlook:
    """A profile whose rows have their states, and the outlook of each row that has a limit."""

    judged: JudgedProfile
    outlooks: Mapping[RowKey, Outlook]
    unread: UnreadTarget | None = None  # where nothing is known of its target now


def read_profile_outlook(
    target: Target,
    day: date,
    now: datetime,
    only: Callable[[Metric], bool] = lambda metric: True,
    also: Iterable[RowKey] = (),
) -> ProfileOutlook:
    """
    A target's profile of a day, or `only` some statistics of it; three queries beside those of the judged one.

    `also` names rows that are shown whatever their size.
    """
    return add_outlooks(judge.profile_of(target, day, only, also), now)


def add_outlooks(judged: JudgedProfile, now: datetime) -> ProfileOutlook:
    """A judged profile with what its cases and forecasts say of its day."""
    target, day = judged.profile.target, judged.profile.day
    unread = find_unread(target, day, now)
    cases: dict[RowKey, dict[str, Violation]] = {}
    for violation in read_cases_on(target, day):
        cases.setdefault((violation.metric, violation.component), {})[violation.figure] = violation
    forecasts = _forecasts(target, day)
    rows, outlooks = [], {}
    for row in judged.rows:
        if row.threshold is None:
            rows.append(row)
            continue
        outlook = _outlook(row, row.threshold, judged, cases.get(row.row.key, {}), forecasts, unread)
        outlooks[row.row.key] = outlook
        rows.append(_row_with_state(row, outlook))
    return ProfileOutlook(replace(judged, rows=rows), outlooks, unread)


def find_unread(target: Target, day: date, now: datetime) -> UnreadTarget | None:
    """Why nothing is known of a target on a day, where that is because it was not read since."""
    unread = find_unread_target(target, now)
    return None if unread is None or (unread.last_day is not None and day < unread.last_day) else unread


def read_cases_on(target: Target, day: date) -> list[Violation]:
    """The cases that were open or predicted at the end of a day."""
    begun = Q(opened_on__lte=day) | Q(predicted_on__lte=day)
    live = Violation.objects.filter(begun, target=target).exclude(closed_on__lte=day)
    return list(live.select_related("threshold", "owner"))


def _forecasts(target: Target, day: date) -> dict[tuple[str, str, int | None], Forecast]:
    figure = ("metric", "component", "threshold_id")
    recent = Forecast.objects.filter(target=target, made_on__lte=day, made_on__gt=day - OLDEST)
    newest = recent.order_by(*figure, "-made_on").distinct(*figure).defer("path")
    return {(forecast.metric, forecast.component, forecast.threshold_id): forecast for forecast in newest}


def _outlook(
    row: JudgedRow,
    threshold: Threshold,
    judged: JudgedProfile,
    cases: Mapping[str, Violation],
    forecasts: Mapping[tuple[str, str, int | None], Forecast],
    unread: UnreadTarget | None,
) -> Outlook:
    metric, component = row.row.key
    day = judged.profile.day
    case = cases.get(threshold.figure) or next(iter(cases.values()), None)
    forecast = forecasts.get((metric, component, threshold.pk))
    return Outlook(
        target=judged.profile.target,
        metric=metric,
        component=component,
        figure=threshold.figure,
        day=day,
        threshold=threshold,
        violation=case,
        forecast=forecast if forecast is not None and is_about(forecast, threshold) else None,
        unread=unread,
        judged=state_on(row.state, case, judged.profile.target, day),
    )


def state_on(
    judged: FigureState | None, case: Violation | None, target: Target, day: date
) -> FigureState | None:
    """
    What a figure says of itself beside its case; None where the case alone says it.

    On the last reviewed day the review has said it: also of a figure that was not judged, or whose limit has changed since.
    On other days what is judged comfortable though its case is open is closing; where a case is only predicted, at risk.
    """
    if case is not None and day == target.reviewed_through:
        return None
    if judged is not FigureState.COMFORTABLE or case is None:
        return judged
    was_open = case.opened_on is not None and case.opened_on <= day
    return FigureState.CLOSING if was_open else FigureState.AT_RISK


def _row_with_state(row: JudgedRow, outlook: Outlook) -> JudgedRow:
    """The row with the state, and the reason where its forecast has one."""
    if row.state is None:
        return row
    state = outlook.state
    if outlook.unread is not None:
        return replace(row, state=FigureState.NO_DATA, severity="", reason=outlook.unread.because)
    severity = (row.severity or outlook.severity) if state is FigureState.VIOLATED else ""
    reason = (
        outlook.reason if state in (FigureState.NO_DATA, FigureState.AT_RISK, FigureState.COMFORTABLE) else ""
    )
    if not outlook.forecast:
        reason = CHANGED_SINCE if outlook.is_of_former_limit else ""
    return replace(row, state=state, severity=severity, reason=row.reason or reason)


def read_figure_outlooks(
    target: Target,
    metric: str,
    component: str,
    limits: Sequence[ApplicableThreshold],
    day: date,
    now: datetime,
    last: float | None = None,
) -> dict[str, Outlook]:
    """
    How one statistic stood at the end of a day, by which of its figures is limited: its value, its change in 30 days.

    `limits` are those that apply; `last` is its value of the day in their unit, by which a day before the last review is
    told. Three queries, and eight where no review has judged by a limit yet.
    """
    unread = find_unread(target, day, now)
    mine = [
        case for case in read_cases_on(target, day) if (case.metric, case.component) == (metric, component)
    ]
    cases = {case.figure: case for case in mine}
    newest = Forecast.objects.filter(
        target=target, metric=metric, component=component, made_on__lte=day, made_on__gt=day - OLDEST
    ).newest()
    forecasts = {forecast.figure: forecast for forecast in newest.select_related("threshold")}
    is_past = target.reviewed_through is not None and day < target.reviewed_through
    outlooks = {}
    for figure in dict.fromkeys([*cases, *forecasts, *(limit.threshold.figure for limit in limits)]):
        case, forecast = cases.get(figure), forecasts.get(figure)
        threshold = (case or forecast or _first(limits, figure)).threshold
        if forecast is not None and not is_about(forecast, threshold):
            forecast = None
        judged = None
        if is_past and last is not None and threshold is not None and figure == Threshold.FigureOf.VALUE:
            is_beyond = threshold.limit.is_beyond(last)
            judged = state_on(
                FigureState.VIOLATED if is_beyond else FigureState.COMFORTABLE, case, target, day
            )
        outlooks[figure] = Outlook(
            target=target, metric=metric, component=component, figure=figure, day=day, threshold=threshold,
            violation=case, forecast=forecast, unread=unread, judged=judged,
        )  # fmt: skip
    if day != target.reviewed_through:
        return outlooks
    return dict(zip(outlooks, with_last_days(list(outlooks.values())), strict=True))


def _first(limits: Sequence[ApplicableThreshold], figure: str) -> ApplicableThreshold:
    return next(limit for limit in limits if limit.threshold.figure == figure)


def read_forecast_outlooks(target: Target, day: date, now: datetime) -> list[Outlook]:
    """
    Every figure of a target that was forecast up to a day, by its newest forecast, the most urgent first.

    What was forecast under a limit that was changed since stands under the new one. Three queries, and eight where one was.
    """
    unread = find_unread(target, day, now)
    cases = {(case.metric, case.component, case.figure): case for case in read_cases_on(target, day)}
    newest = Forecast.objects.filter(target=target, made_on__lte=day).newest()
    is_past = target.reviewed_through is not None and day < target.reviewed_through
    outlooks = []
    for forecast in newest.select_related("threshold__owner").defer("path"):
        case = cases.get((forecast.metric, forecast.component, forecast.figure))
        threshold = case.threshold if case is not None else forecast.threshold
        plain = FigureState.VIOLATED if forecast.is_violated else FigureState.COMFORTABLE
        outlooks.append(
            Outlook(
                target=target, metric=forecast.metric, component=forecast.component, figure=forecast.figure, day=day,
                threshold=threshold, violation=case, unread=unread,
                forecast=forecast if is_past or is_about(forecast, threshold) else None,
                judged=state_on(plain, case, target, day) if is_past else None,
            )
        )  # fmt: skip
    if day == target.reviewed_through:
        outlooks = with_last_days(outlooks)
    return sorted(outlooks, key=lambda outlook: outlook.urgency)
