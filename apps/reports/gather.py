"""The facts of a week, as they were known at a moment."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q, QuerySet

from apps.advisors.models import Action
from apps.charts import figures
from apps.forecasting.models import Forecast
from apps.inventory.models import Group, Target
from apps.reports.decisions import what_waits
from apps.reports.drawn import Name, read_shown
from apps.reports.facts import Chart, Facts, Item, worst_first
from apps.reports.foreseen import Key, closest, fan_of, forecasts_of, likely_days, what_got_closer
from apps.reports.known import Known, known_violations
from apps.reports.movers import biggest_movers
from apps.reports.oversized import larger_than_needed
from apps.reports.unread import not_collected
from apps.reports.week import Week
from apps.thresholds.limits import limit_of
from apps.thresholds.models import Severity, Threshold, Violation

HISTORY = 60  # days that a chart shows
LEAST_CHARTS = 2  # so many of the worst have a chart even where nothing is critical
DEFAULT_LEAD = 30


def gather(week: Week, known_at: datetime, group: Group | None = None, *, is_later: bool = False) -> Facts:
    """The facts of a week, of all targets or a group: what was recorded until `known_at`, figures as they stand."""
    targets = targets_of(week, group)
    forecasts = forecasts_of(targets, week)
    known = known_violations(targets, week, known_at)
    steps = _open_steps(known)
    items = [(one, _item(one, forecasts.get(_key(one.violation)), steps, week)) for one in known]
    by_kind = {
        kind: sorted((item for one, item in items if one.kind == kind), key=worst_first)
        for kind in ("new", "continuing", "predicted", "resolved")
    }
    over = {_key(one.violation) for one in known if one.is_over}
    return Facts(
        **by_kind,
        closer=what_got_closer(forecasts, likely_days(targets, week.previous), over),
        movers=biggest_movers(targets, week, {_name(one.violation) for one in known}),
        decisions=what_waits(known, steps, week),
        oversized=larger_than_needed(targets, week),
        not_collected=not_collected(targets, week, known_at),
        charts=_charts(items, forecasts, week),
        closest=closest(forecasts, over),
        forecasts=len(forecasts),
        targets=targets.count(),
        group=group.name if group else "",
        known_at=known_at.isoformat(timespec="minutes"),
        is_later=is_later,
    )


def targets_of(week: Week, group: Group | None = None) -> QuerySet[Target]:
    """The targets that were watched in a week; those of the group as it is now."""
    begin, end = (datetime.combine(day, time(), UTC) for day in (week.first_day, week.following.first_day))
    targets = Target.objects.filter(
        Q(retired_at=None) | Q(retired_at__gte=begin), registered_at__lt=end + timedelta(days=1)
    )
    return targets if group is None else targets.filter(group=group)


def _key(violation: Violation) -> Key:
    return violation.target_id, violation.metric, violation.component, violation.figure


def _name(violation: Violation) -> Name:
    return violation.metric, violation.component


def _open_steps(known: Iterable[Known]) -> Mapping[int, Sequence[Action]]:
    """The steps of each violation's plan that were not done, in their order; plans are as they stand."""
    steps: dict[int, list[Action]] = {}
    actions = (
        Action.objects.filter(plan__violation__in=[one.violation for one in known])
        .exclude(state__in=(Action.State.DONE, Action.State.DROPPED))
        .select_related("plan", "owner")
    )
    for action in actions.order_by("position", "pk"):
        steps.setdefault(action.plan.violation_id, []).append(action)
    return steps


def _item(known: Known, forecast: Forecast | None, steps: Mapping[int, Sequence[Action]], week: Week) -> Item:
    violation = known.violation
    lead = violation.threshold.lead_time_days if violation.threshold else DEFAULT_LEAD
    likely = forecast.likely_on if forecast and known.kind == "predicted" else None
    following = steps.get(violation.pk, ())
    return Item(
        violation=violation.pk,
        target=violation.target.name,
        group=violation.target.group.name if violation.target.group else "",
        what=violation.what,
        severity=known.severity,
        state=known.state,
        limit=limit_of(violation),
        value=_value(violation, week),
        unit=violation.unit,
        opened_on=_iso(known.since),
        closed_on=_iso(known.closed_on),
        owner=str(violation.owner) if violation.owner else "",
        due_on=_iso(violation.due_on),
        next_step=following[0].text if following else "",
        slack=_slack(known, likely, lead, week),
        likely_on=_iso(likely),
        soonest_on=_iso(forecast.soonest_on) if forecast and likely else None,
        act_by=_iso(likely - timedelta(days=lead)) if likely else None,
        returned=known.returned,
    )


def _slack(known: Known, likely: date | None, lead: int, week: Week) -> int | None:
    """Days left less lead time, at the end of the week; what is over its limit has been needing them since it broke."""
    if likely is not None:
        return (likely - week.last_day).days - lead
    if known.is_over and known.since is not None:
        return -(lead + (week.last_day - known.since).days)
    return None


def _value(violation: Violation, week: Week) -> float | None:
    """The figure at the end of the week: what the review noted, or the last one measured until then."""
    if violation.judged_on is not None and violation.judged_on <= week.last_day:
        return violation.value
    if violation.figure != Threshold.FigureOf.VALUE:
        return None
    history = read_shown(violation.target_id, [_name(violation)], week.first_day, week.last_day)
    known = [value for value in history.get(_name(violation), []) if value is not None]
    return known[-1] if known else violation.value


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _charts(
    items: Sequence[tuple[Known, Item]], forecasts: Mapping[Key, Forecast], week: Week
) -> list[Chart]:
    """A chart for each critical item that did not end; where there are fewer than two, the worst have one too."""
    drawable = [
        (one, item)
        for one, item in items
        if one.kind != "resolved" and one.violation.figure == Threshold.FigureOf.VALUE
    ]
    drawable.sort(key=lambda pair: (pair[0].kind == "predicted", *worst_first(pair[1])))
    critical = [pair for pair in drawable if pair[1].severity == Severity.CRITICAL]
    chosen = (
        critical + [pair for pair in drawable if pair not in critical][: max(0, LEAST_CHARTS - len(critical))]
    )
    return [_chart(one, item, forecasts.get(_key(one.violation)), week) for one, item in chosen]


def _chart(known: Known, item: Item, forecast: Forecast | None, week: Week) -> Chart:
    violation = known.violation
    first = week.last_day - timedelta(days=HISTORY - 1)
    history = read_shown(violation.target_id, [_name(violation)], first, week.last_day)
    values = history.get(_name(violation), [])
    threshold = violation.threshold
    limit = threshold.limit if threshold and threshold.notation == violation.notation else None
    edge = None if limit is None else limit.high if limit.high is not None else limit.low
    return Chart(
        violation=violation.pk,
        title=f"{item.target}, {item.what}",
        caption=_caption(item),
        unit=violation.unit,
        first=first.isoformat(),
        values=values,
        limit=edge,
        limit_text=f"limit {item.limit}",
        beyond="above" if limit is None or limit.high is not None else "below",
        fan=fan_of(forecast) if forecast else [],
        likely_on=item.likely_on,
        alt=_finding(item),
    )


def _caption(item: Item) -> str:
    if item.likely_on:
        soonest = f", soonest {_short(item.soonest_on)}" if item.soonest_on else ""
        return f"{item.unit}; likely {_short(item.likely_on)}{soonest}".strip("; ")
    return f"{item.unit}; over since {_short(item.opened_on)}".strip("; ")


def _finding(item: Item) -> str:
    value = f"{figures.figure(item.value)} {item.unit}".rstrip()
    when = (
        f"its limit is likely crossed on {_short(item.likely_on)}"
        if item.likely_on
        else f"over its limit since {_short(item.opened_on)}"
    )
    return f"{item.what} on {item.target}: {value} against {item.limit}, {when}."


def _short(text: str | None) -> str:
    return figures.short_day(date.fromisoformat(text)) if text else figures.MISSING
