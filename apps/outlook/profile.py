"""A judged profile whose rows say how they stand: closing, at risk, not read, and how many days are left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.db.models import Q, prefetch_related_objects

from apps.catalog.metric import Metric
from apps.collection.unread_targets import UnreadTarget, unread_targets
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import is_about, with_last_days
from apps.thresholds import judge
from apps.thresholds.judge import FigureState, JudgedProfile, JudgedRow, ProfileQuestion
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.precedence import ApplicableThreshold

CHANGED_SINCE = "the limit was changed after the last review; the case is that of the limit before"
OLDEST = timedelta(days=7)  # a forecast older than this is not shown beside today's figures

RowKey = tuple[str, str]  # metric, component
_Cases = dict[tuple[int, str, str], dict[str, Violation]]  # by target, metric and component; then by figure
_Forecasts = dict[tuple[int, str, str, int | None], Forecast]  # by target, metric, component and limit


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
    return read_profile_outlooks([ProfileQuestion(target, only, list(also))], day, now)[0]


def read_profile_outlooks(
    questions: Sequence[ProfileQuestion], day: date, now: datetime
) -> list[ProfileOutlook]:
    """The same of several targets, such as an instance and the host below it; three queries for all of them."""
    judged = judge.profiles_of(questions, day)
    targets = [question.target for question in questions]
    unread = find_unread_on(targets, day, now)
    limits = {
        limit.threshold.pk: limit.threshold for each in judged for row in each.rows for limit in row.applying
    }
    cases = _cases_by_figure(read_cases_on(targets, day, limits))
    forecasts = _forecasts(targets, day)
    return [
        _add_outlooks(profile, cases, forecasts, unread.get(profile.profile.target.pk)) for profile in judged
    ]


def _cases_by_figure(violations: Iterable[Violation]) -> _Cases:
    cases: _Cases = {}
    for violation in violations:
        key = (violation.target_id, violation.metric, violation.component)
        cases.setdefault(key, {})[violation.figure] = violation
    return cases


def _add_outlooks(
    judged: JudgedProfile, cases: _Cases, forecasts: _Forecasts, unread: UnreadTarget | None
) -> ProfileOutlook:
    """A judged profile with what its cases and forecasts say of its day."""
    rows, outlooks = [], {}
    for row in judged.rows:
        if row.threshold is None:
            rows.append(row)
            continue
        outlook = _outlook(row, row.threshold, judged, cases, forecasts, unread)
        outlooks[row.row.key] = outlook
        rows.append(_row_with_state(row, outlook))
    return ProfileOutlook(replace(judged, rows=rows), outlooks, unread)


def find_unread_on(targets: Iterable[Target], day: date, now: datetime) -> dict[int, UnreadTarget]:
    """Of which targets nothing is known on a day, and why, where that is because they were not read since."""
    unread = unread_targets([target.pk for target in targets], now)
    return {pk: why for pk, why in unread.items() if why.last_day is None or day >= why.last_day}


def read_cases_on(
    targets: Sequence[Target], day: date, limits: Mapping[int, Threshold] | None = None
) -> list[Violation]:
    """
    The cases that were open or predicted at the end of a day, with their limits and owners.

    `limits` are those that have been read already, by their key.
    """
    begun = Q(opened_on__lte=day) | Q(predicted_on__lte=day)
    live = Violation.objects.filter(begun, target__in=targets).exclude(closed_on__lte=day)
    cases = list(live.order_by("-opened_on", "pk"))
    of_others = []
    for case in cases:
        limit = (limits or {}).get(case.threshold_id or 0)
        if limit is not None:
            case.threshold = limit
        elif case.threshold_id is not None:
            of_others.append(case)
    prefetch_related_objects(of_others, "threshold")
    prefetch_related_objects([case for case in cases if case.owner_id is not None], "owner")
    return cases


def _forecasts(targets: Sequence[Target], day: date) -> _Forecasts:
    figure = ("target_id", "metric", "component", "threshold_id")
    recent = Forecast.objects.filter(target__in=targets, made_on__lte=day, made_on__gt=day - OLDEST)
    newest = recent.order_by(*figure, "-made_on").distinct(*figure).defer("path")
    return {
        (forecast.target_id, forecast.metric, forecast.component, forecast.threshold_id): forecast
        for forecast in newest
    }


def _outlook(
    row: JudgedRow,
    threshold: Threshold,
    judged: JudgedProfile,
    cases: _Cases,
    forecasts: _Forecasts,
    unread: UnreadTarget | None,
) -> Outlook:
    metric, component = row.row.key
    target, day = judged.profile.target, judged.profile.day
    cases_of_row = cases.get((target.pk, metric, component), {})
    case = cases_of_row.get(threshold.figure) or next(iter(cases_of_row.values()), None)
    forecast = forecasts.get((target.pk, metric, component, threshold.pk))
    return Outlook(
        target=target,
        metric=metric,
        component=component,
        figure=threshold.figure,
        day=day,
        threshold=threshold,
        violation=case,
        forecast=forecast if forecast is not None and is_about(forecast, threshold) else None,
        unread=unread,
        judged=state_on(row.state, case, target, day),
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
    unread = find_unread_on([target], day, now).get(target.pk)
    mine = [
        case for case in read_cases_on([target], day) if (case.metric, case.component) == (metric, component)
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
    unread = find_unread_on([target], day, now).get(target.pk)
    cases = {(case.metric, case.component, case.figure): case for case in read_cases_on([target], day)}
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
