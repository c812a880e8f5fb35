"""What the forecasts of a week said, by their runs."""

from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import QuerySet

from apps.forecasting.account import quarter_until, read_accounts
from apps.forecasting.models import Forecast, Promise
from apps.inventory.models import Target
from apps.reports.engine.week import Week
from apps.reports.facts import Closer, QuarterAccount

Key = tuple[int, str, str, str]  # target, metric, component, and which figure of it
NEARER = 7  # days that a likely day must have come nearer to be told
MOST = 10


def read_week_forecasts(targets: QuerySet[Target], week: Week) -> Mapping[Key, Forecast]:
    """The newest forecast of each figure that was made in a week."""
    made = (
        Forecast.objects.filter(target__in=targets, made_on__range=(week.first_day, week.last_day))
        .newest()
        .select_related("target", "threshold", "threshold__owner")
    )
    return {
        (forecast.target_id, forecast.metric, forecast.component, forecast.figure): forecast
        for forecast in made
    }


def read_quarter_account(targets: QuerySet[Target], week: Week) -> QuarterAccount | None:
    """How promises fared that fell due in the quarter up to a week's end; those of demo targets where there are no others."""
    is_demo = not targets.filter(is_demo=False).exists()
    promises = Promise.objects.filter(target__in=targets).of_account(is_demo=is_demo)
    account = read_accounts(promises.due_between(*quarter_until(week.last_day)).ended()).whole
    if not account.count:
        return None
    return QuarterAccount(
        promises=account.count,
        predicted=account.own.predicted,
        came=account.own.came,
        days_off=account.own.days_off,
        line_days_off=account.line.days_off,
        chance_off=None if account.chance_off is None else round(100 * account.chance_off, 1),
        is_demo=is_demo,
    )


def find_closer(
    now: Mapping[Key, Forecast], before: Mapping[Key, date | None], over: set[Key]
) -> Sequence[Closer]:
    """Figures that are not over their limit yet whose likely day came nearer, the nearest first."""
    nearer = []
    for key, forecast in now.items():
        if key in over or forecast.likely_on is None or key not in before:
            continue
        then = before[key]
        if then is None or (then - forecast.likely_on).days >= NEARER:
            nearer.append(closer_figure(forecast, then))
    return sorted(nearer, key=lambda figure: (figure.likely_on, figure.target, figure.what))[:MOST]


def find_closest(now: Mapping[Key, Forecast], over: set[Key]) -> Closer | None:
    """The figure that is expected to reach its limit first."""
    coming = [forecast for key, forecast in now.items() if key not in over and forecast.likely_on is not None]
    nearest = min(
        coming, key=lambda forecast: (forecast.likely_on or date.max, forecast.target.name), default=None
    )
    return closer_figure(nearest, None) if nearest else None


def closer_figure(forecast: Forecast, before: date | None) -> Closer:
    likely = forecast.likely_on or forecast.made_on
    return Closer(
        target=forecast.target.name,
        what=forecast.what,
        likely_on=likely.isoformat(),
        before_on=before.isoformat() if before else None,
        days=(before - likely).days if before else None,
    )


def read_likely_days(targets: QuerySet[Target], week: Week) -> Mapping[Key, date | None]:
    """The likely day of each figure as the newest forecast of a week saw it."""
    made = Forecast.objects.filter(
        target__in=targets, made_on__range=(week.first_day, week.last_day)
    ).newest()
    rows = made.values_list("target_id", "metric", "component", "figure", "likely_on")
    return {(pk, metric, name, figure): likely for pk, metric, name, figure, likely in rows}


def fan_of(forecast: Forecast) -> list[list[str | float]]:
    """Day, expected value, low and high, as the ledger keeps them."""
    return [[day.isoformat(), *(float(f"{bound:.6g}") for bound in bounds)] for day, *bounds in forecast.fan]
