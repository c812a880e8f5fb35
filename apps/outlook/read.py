"""How all limited figures of targets stand, by a constant number of queries."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from django.db.models import QuerySet

from apps.catalog.registry import metrics_of
from apps.collection.unread import Unread, unread_targets
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.resolve import contested, precedence

Key = tuple[int, str, str, str]  # target, metric, component, and which figure of it


def outlooks_of(
    targets: QuerySet[Target], now: datetime, unread: Mapping[int, Unread], *, is_whole: bool = False
) -> list[Outlook]:
    """
    The limited figures of targets as their last reviews left them, the most urgent first.

    Those with a case, and those that may cross their limit; the `is_whole` list has all, also limits of which neither a
    case nor a forecast tells. `unread` are the targets of which nothing is known. The number of queries is constant.
    """
    by_pk = {target.pk: target for target in targets}
    cases = cases_of(targets)
    foreseen = Forecast.objects.of_last_review() if is_whole else Forecast.objects.worth_a_look()
    forecasts = {key_of(forecast): forecast for forecast in _with_limits(foreseen, targets)}
    found = [
        outlook_of(case or forecasts[key], forecasts.get(key), by_pk, unread, now)
        for key, case in (cases | {key: None for key in forecasts if key not in cases}).items()
    ]
    if is_whole:
        found += _of_the_rest(by_pk, found, unread, now)
    return sorted(found, key=lambda outlook: outlook.urgency)


def outlooks_of_cases(violations: Iterable[Violation], now: datetime) -> list[Outlook]:
    """How the figures of these cases stand, live or ended, most urgent first; their targets are read already."""
    found = list(violations)
    by_pk = {violation.target_id: violation.target for violation in found}
    unread = unread_targets(Target.objects.filter(pk__in=by_pk), now)
    foreseen = Forecast.objects.of_last_review().filter(
        target__in={
            violation.target_id for violation in found if violation.is_live and violation.is_predicted
        }
    )
    forecasts = {
        key_of(forecast): forecast for forecast in foreseen.select_related("threshold").defer("path")
    }
    outlooks = [
        outlook_of(
            violation, forecasts.get(key_of(violation)), by_pk, unread if violation.is_live else {}, now
        )
        for violation in found
    ]
    return sorted(outlooks, key=lambda outlook: outlook.urgency)


def cases_of(targets: QuerySet[Target]) -> dict[Key, Violation]:
    """The live violations of targets, with what is shown of them."""
    live = (
        Violation.objects.live()
        .filter(target__in=targets)
        .select_related("threshold", "plan")
        .prefetch_related("owner", "plan__actions")
    )
    return {key_of(violation): violation for violation in live}


def _with_limits(forecasts: QuerySet[Forecast], targets: QuerySet[Target]) -> QuerySet[Forecast]:
    of_targets = forecasts.filter(target__in=targets)
    return of_targets.select_related("threshold").prefetch_related("threshold__owner").defer("path")


def key_of(one: Violation | Forecast) -> Key:
    return one.target_id, one.metric, one.component, one.figure


def day_of(target: Target, now: datetime) -> date:
    """The last day that was reviewed; before the first review that of the moment, where the target is."""
    return target.reviewed_through or now.astimezone(target.zone).date()


def outlook_of(
    of: Violation | Forecast,
    forecast: Forecast | None,
    targets: Mapping[int, Target],
    unread: Mapping[int, Unread],
    now: datetime,
) -> Outlook:
    """The outlook of a case, or of a forecast, with the forecast of the same figure."""
    target = of.target = targets[of.target_id]
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


def _of_the_rest(
    targets: Mapping[int, Target], told: Iterable[Outlook], unread: Mapping[int, Unread], now: datetime
) -> Iterator[Outlook]:
    """
    Limits of which neither a case nor a forecast tells, one for each target that they reach.

    Of several limits on the very same figure, direction and severity only the one that wins has an outlook.
    """
    have = {(outlook.target.pk, outlook.threshold.pk) for outlook in told if outlook.threshold is not None}
    contests = {
        (one.target.pk, one.metric, one.component, *contested(one.threshold))
        for one in told
        if one.threshold is not None
    }
    platforms = {target.platform for target in targets.values()}
    keys = {platform: {metric.key for metric in metrics_of(platform)} for platform in platforms}
    for threshold in sorted(Threshold.objects.touching(list(targets.values())), key=precedence):
        base = threshold.metric.partition(":")[0]
        for target in targets.values():
            contest = (target.pk, threshold.metric, threshold.component, *contested(threshold))
            is_told = (target.pk, threshold.pk) in have or contest in contests
            if threshold.reaches(target) and base in keys[target.platform] and not is_told:
                contests.add(contest)
                yield Outlook(
                    target=target,
                    metric=threshold.metric,
                    component=threshold.component,
                    figure=threshold.figure,
                    day=day_of(target, now),
                    threshold=threshold,
                    unread=unread.get(target.pk),
                )
