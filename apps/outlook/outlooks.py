"""How all limited figures of targets stand, by a constant number of queries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time

from django.db.models import QuerySet, prefetch_related_objects

from apps.catalog.metric import base_of
from apps.catalog.registry import metrics_of
from apps.collection.unread_targets import UnreadTarget, unread_targets
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState
from apps.thresholds.last_day import LastDay, judge_last_days
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.precedence import contest_key, precedence

Key = tuple[int, str, str, str]  # target, metric, component, and which figure of it


def outlooks_of(
    targets: QuerySet[Target], now: datetime, unread: Mapping[int, UnreadTarget], *, is_whole: bool = False
) -> list[Outlook]:
    """
    The limited figures of targets as their last reviews left them, the most urgent first.

    Those with a case, those that may cross their limit, and those beyond a limit that is newer than the last review; the
    `is_whole` list has all, also limits of which neither a case nor a forecast tells. `unread` are the targets of which
    nothing is known. The number of queries is constant. Owners and plans are left to `read_owners`.
    """
    by_pk = {target.pk: target for target in targets}
    cases = read_cases(targets)
    foreseen = Forecast.objects.of_last_review() if is_whole else Forecast.objects.worth_a_look()
    forecasts = {key_of(forecast): forecast for forecast in _with_limits(foreseen, targets)}
    outlooks = [
        outlook_of(case or forecasts[key], forecasts.get(key), by_pk, unread, now)
        for key, case in (cases | {key: None for key in forecasts if key not in cases}).items()
    ]
    outlooks = with_last_days(
        [*outlooks, *_outlooks_without_case(by_pk, outlooks, unread, now, is_whole=is_whole)]
    )
    if not is_whole:
        outlooks = [
            outlook
            for outlook in outlooks
            if not _is_silent(outlook) or outlook.state is FigureState.VIOLATED
        ]
    return sorted(outlooks, key=lambda outlook: outlook.urgency)


def outlooks_of_cases(violations: Iterable[Violation], now: datetime) -> list[Outlook]:
    """How the figures of these cases stand, live or ended, most urgent first; their targets are read already."""
    cases = list(violations)
    by_pk = {violation.target_id: violation.target for violation in cases}
    unread = unread_targets(by_pk, now)
    forecasts = _forecasts_of(case for case in cases if case.is_live and case.is_predicted)
    outlooks = [
        outlook_of(case, forecasts.get(key_of(case)), by_pk, unread if case.is_live else {}, now)
        for case in cases
    ]
    return sorted(outlooks, key=lambda outlook: outlook.urgency)


def _forecasts_of(cases: Iterable[Violation]) -> dict[Key, Forecast]:
    """What the last review foresaw of the figures of these cases; a target has many others."""
    keys = {key_of(case) for case in cases}
    targets, metrics, components, _ = zip(*keys, strict=True) if keys else ((), (), (), ())
    foreseen = Forecast.objects.of_last_review().filter(
        target__in=set(targets), metric__in=set(metrics), component__in=set(components)
    )
    return {key_of(forecast): forecast for forecast in foreseen.defer("path") if key_of(forecast) in keys}


def read_cases(targets: QuerySet[Target]) -> dict[Key, Violation]:
    """The live violations of targets, with their limits."""
    live = Violation.objects.live().filter(target__in=targets).select_related("threshold")
    return {key_of(violation): violation for violation in live}


def read_owners(outlooks: Sequence[Outlook]) -> None:
    """Read whom figures belong to and where their plans stand, at once: of a large estate a page shows the first few."""
    cases = [outlook.violation for outlook in outlooks if outlook.violation is not None]
    limits = [outlook.threshold for outlook in outlooks if outlook.violation is None and outlook.threshold]
    prefetch_related_objects(cases, "owner", "plan__actions")
    prefetch_related_objects(limits, "owner")


def is_about(forecast: Forecast, threshold: Threshold | None) -> bool:
    """Whether a forecast is about a limit as it is now: one that was changed since is foreseen by the next review."""
    return threshold is None or (forecast.notation, forecast.unit) == (threshold.notation, threshold.unit)


def _with_limits(forecasts: QuerySet[Forecast], targets: QuerySet[Target]) -> QuerySet[Forecast]:
    of_targets = forecasts.filter(target__in=targets)
    return of_targets.select_related("threshold").defer("path")


def key_of(source: Violation | Forecast) -> Key:
    return source.target_id, source.metric, source.component, source.figure


def day_of(target: Target, now: datetime) -> date:
    """The last day that was reviewed; before the first review that of the moment, where the target is."""
    return target.reviewed_through or now.astimezone(target.zone).date()


def outlook_of(
    of: Violation | Forecast,
    forecast: Forecast | None,
    targets: Mapping[int, Target],
    unread: Mapping[int, UnreadTarget],
    now: datetime,
) -> Outlook:
    """The outlook of a case, or of a forecast, with the forecast of the same figure."""
    target = of.target = targets[of.target_id]
    if forecast is not None and not is_about(forecast, of.threshold):
        forecast = None
    return Outlook(
        target=target,
        metric=of.metric,
        component=of.component,
        figure=of.figure,
        day=day_of(target, now),
        threshold=of.threshold,
        violation=of if isinstance(of, Violation) else None,
        forecast=forecast,
        unread=unread.get(target.pk),
    )


def with_last_days(outlooks: Sequence[Outlook]) -> list[Outlook]:
    """The same, those of which neither a case nor a forecast tells judged by the figures of the last reviewed day."""
    silent = [(outlook.target, outlook.threshold) for outlook in outlooks if _is_silent(outlook)]
    days = judge_last_days((target, threshold) for target, threshold in silent if threshold is not None)
    return [_with_last_day(outlook, days) if _is_silent(outlook) else outlook for outlook in outlooks]


def _is_silent(outlook: Outlook) -> bool:
    return outlook.violation is None and outlook.forecast is None and outlook.unread is None


def _with_last_day(outlook: Outlook, days: Mapping[tuple[int, int], LastDay]) -> Outlook:
    threshold = outlook.threshold
    of_day = None if threshold is None else days.get((outlook.target.pk, threshold.pk))
    return outlook if of_day is None else replace(outlook, judged=of_day.state, last=of_day.value)


def is_newer(threshold: Threshold, target: Target) -> bool:
    """Whether a limit was set or changed after a target's last reviewed day, so that no review has judged by it yet."""
    reviewed = target.reviewed_through
    return reviewed is not None and threshold.set_at.astimezone(target.zone).date() > reviewed


def _first_moment_unreviewed(
    targets: Iterable[Target], unread: Mapping[int, UnreadTarget], now: datetime
) -> datetime:
    """From when on a limit may be newer than the last review of a target that is read."""
    days = [target.reviewed_through for target in targets if target.pk not in unread]
    first = min((day for day in days if day is not None), default=now.date())
    return datetime.combine(
        first, time(), UTC
    )  # its end lies at least ten hours later, wherever the target is


def _outlooks_without_case(
    targets: Mapping[int, Target],
    outlooks: Iterable[Outlook],
    unread: Mapping[int, UnreadTarget],
    now: datetime,
    *,
    is_whole: bool,
) -> Iterator[Outlook]:
    """
    Limits of which neither a case nor a forecast tells, one for each target that they reach; else the newer ones of them.

    Of several limits on the very same figure, direction and severity only the one that wins has an outlook.
    """
    have = {
        (outlook.target.pk, outlook.threshold.pk) for outlook in outlooks if outlook.threshold is not None
    }
    contests = {
        (outlook.target.pk, outlook.metric, outlook.component, *contest_key(outlook.threshold))
        for outlook in outlooks
        if outlook.threshold is not None
    }
    platforms = {target.platform for target in targets.values()}
    keys = {platform: {metric.key for metric in metrics_of(platform)} for platform in platforms}
    limits = Threshold.objects.touching(list(targets.values()))
    if not is_whole:
        limits = limits.filter(set_at__gte=_first_moment_unreviewed(targets.values(), unread, now))
    members: dict[int | None, list[Target]] = {}
    for target in targets.values():
        members.setdefault(target.group_id, []).append(target)
    for threshold in sorted(limits, key=precedence):
        base, kind = base_of(threshold.metric), contest_key(threshold)
        for target in _reached(threshold, targets, members):
            contest = (target.pk, threshold.metric, threshold.component, *kind)
            is_told = (target.pk, threshold.pk) in have or contest in contests
            if base in keys[target.platform] and not is_told:
                contests.add(contest)
                if not is_whole and (target.pk in unread or not is_newer(threshold, target)):
                    continue
                yield Outlook(
                    target=target,
                    metric=threshold.metric,
                    component=threshold.component,
                    figure=threshold.figure,
                    day=day_of(target, now),
                    threshold=threshold,
                    unread=unread.get(target.pk),
                )


def _reached(
    threshold: Threshold, targets: Mapping[int, Target], members: Mapping[int | None, Sequence[Target]]
) -> Iterable[Target]:
    """The targets in the scope of a limit, without asking each of a large estate; `members` are those of each group."""
    if threshold.target_id is not None:
        return [targets[threshold.target_id]] if threshold.target_id in targets else []
    return targets.values() if threshold.group_id is None else members.get(threshold.group_id, ())
