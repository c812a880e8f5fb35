"""The facts of a week, as they were known at a moment."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q, QuerySet

from apps.advisors.models import Action
from apps.charts import figures
from apps.collection.unread_targets import unread_targets
from apps.forecasting.engine.headroom import slack
from apps.forecasting.models import Forecast
from apps.inventory.models import Group, Target
from apps.outlook.case_text import lead_of
from apps.reports.daily_figures import Name, describe_lengths, read_daily_figures
from apps.reports.decisions import find_decisions
from apps.reports.engine.week import Week
from apps.reports.facts import GROUPS, Facts, Item, ReportChart, worst_first
from apps.reports.missed_nights import find_missed_nights
from apps.reports.movers import find_movers
from apps.reports.oversized_resources import find_oversized
from apps.reports.standings import ViolationStanding, judge_standing
from apps.reports.week_findings import find_week_findings
from apps.reports.week_forecasts import (
    Key,
    fan_of,
    find_closer,
    find_closest,
    read_likely_days,
    read_quarter_account,
    read_week_forecasts,
)
from apps.reports.week_verdicts import find_week_verdicts
from apps.reports.week_violations import WeekViolation, read_week_violations
from apps.thresholds.limits import write_limit_of
from apps.thresholds.models import Severity, Threshold, Violation

HISTORY = 60  # days that a chart shows
LEAST_CHARTS = 2  # so many of the worst have a chart even where nothing is critical


def gather_facts(
    week: Week, known_at: datetime, group: Group | None = None, *, is_later: bool = False
) -> Facts:
    """The facts of a week, of all targets or a group: what was recorded until `known_at`, figures as they stand."""
    targets = list_watched_targets(week, group)
    forecasts = read_week_forecasts(targets, week)
    unread = unread_targets([target.pk for target in targets], known_at)
    standings = [judge_standing(case, week, unread) for case in read_week_violations(targets, week, known_at)]
    cases = [standing.case for standing in standings]
    steps = _open_steps(cases)
    lengths = describe_lengths({case.violation.pk: _day_of_value(case.violation, week) for case in cases})
    items = [
        (
            standing.case,
            replace(
                _item(standing, forecasts.get(_key(standing.case.violation)), steps, week),
                note=lengths.get(standing.case.violation.pk, ""),
            ),
        )
        for standing in standings
    ]
    by_kind = {
        kind: sorted((item for case, item in items if case.kind == kind), key=worst_first)
        for kind, _ in GROUPS
    }
    not_coming = {
        _key(case.violation) for case in cases if case.is_over or case.kind in ("closing", "unread")
    }
    not_coming |= {key for key in forecasts if key[0] in unread}
    return Facts(
        **by_kind,
        closer=find_closer(forecasts, read_likely_days(targets, week.previous), not_coming),
        movers=find_movers(
            targets,
            week,
            {_name(case.violation) for case in cases},
            over={(case.violation.target_id, _name(case.violation)) for case in cases if case.is_over},
        ),
        decisions=find_decisions(cases, steps, week),
        oversized=find_oversized(targets, week),
        findings=find_week_findings(targets, week),
        verdicts=find_week_verdicts(targets, week),
        not_collected=find_missed_nights(targets, week, known_at),
        charts=_charts(items, forecasts, week),
        account=read_quarter_account(targets, week),
        closest=find_closest(forecasts, not_coming),
        forecasts=len(forecasts),
        targets=targets.count(),
        group=group.name if group else "",
        known_at=known_at.isoformat(timespec="minutes"),
        is_later=is_later,
    )


def list_watched_targets(week: Week, group: Group | None = None) -> QuerySet[Target]:
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


def _open_steps(cases: Iterable[WeekViolation]) -> Mapping[int, Sequence[Action]]:
    """The steps of each violation's plan that were not done, in their order; plans are as they stand."""
    steps: dict[int, list[Action]] = {}
    actions = (
        Action.objects.filter(plan__violation__in=[case.violation for case in cases])
        .exclude(state__in=(Action.State.DONE, Action.State.DROPPED))
        .select_related("plan", "owner")
    )
    for action in actions.order_by("position", "pk"):
        steps.setdefault(action.plan.violation_id, []).append(action)
    return steps


def _item(
    standing: ViolationStanding, forecast: Forecast | None, steps: Mapping[int, Sequence[Action]], week: Week
) -> Item:
    case, violation = standing.case, standing.case.violation
    lead = lead_of(violation.threshold)
    likely = forecast.likely_on if forecast and case.kind == "predicted" else None
    following = steps.get(violation.pk, ())
    return Item(
        violation=violation.pk,
        target=violation.target.name,
        group=violation.target.group.name if violation.target.group else "",
        what=violation.what,
        severity=case.severity,
        state=case.state,
        limit=write_limit_of(violation),
        value=standing.value,
        value_on=None if standing.value is None else _iso(_day_of_value(violation, week)[2]),
        unit=violation.unit,
        opened_on=_iso(case.since),
        closed_on=_iso(case.closed_on),
        owner=str(violation.owner) if violation.owner else "",
        due_on=_iso(violation.due_on),
        next_step=following[0].text if following else "",
        slack=slack((likely - week.last_day).days, lead) if likely else None,
        likely_on=_iso(likely),
        soonest_on=_iso(forecast.soonest_on) if forecast and likely else None,
        act_by=_iso(likely - timedelta(days=lead)) if likely else None,
        returned=case.has_returned,
        standing=standing.words,
        beyond=standing.beyond if case.is_over else None,
        broke_at=standing.broke_at,
        broke_on=_iso(standing.broke_on),
    )


def _day_of_value(violation: Violation, week: Week) -> tuple[int, str, date]:
    """Of which target and statistic, and of which day its value is."""
    on = violation.judged_on
    return violation.target_id, violation.metric, week.last_day if on is None else min(on, week.last_day)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _charts(
    items: Sequence[tuple[WeekViolation, Item]], forecasts: Mapping[Key, Forecast], week: Week
) -> list[ReportChart]:
    """A chart for each critical item that did not end; where there are fewer than two, the worst have one too."""
    drawable = [
        (case, item)
        for case, item in items
        if case.kind not in ("resolved", "unread") and case.violation.figure == Threshold.FigureOf.VALUE
    ]
    drawable.sort(key=lambda pair: (pair[0].kind == "predicted", *worst_first(pair[1])))
    critical = [pair for pair in drawable if pair[1].severity == Severity.CRITICAL]
    chosen = (
        critical + [pair for pair in drawable if pair not in critical][: max(0, LEAST_CHARTS - len(critical))]
    )
    return [_chart(case, item, forecasts.get(_key(case.violation)), week) for case, item in chosen]


def _chart(case: WeekViolation, item: Item, forecast: Forecast | None, week: Week) -> ReportChart:
    violation = case.violation
    first = week.last_day - timedelta(days=HISTORY - 1)
    history = read_daily_figures(violation.target_id, [_name(violation)], first, week.last_day)
    values = history.get(_name(violation), [])
    threshold = violation.threshold
    limit = threshold.limit if threshold and threshold.notation == violation.notation else None
    edge = None if limit is None else limit.edge
    return ReportChart(
        violation=violation.pk,
        title=f"{item.target}, {item.what}",
        caption=_caption(item),
        unit=violation.unit,
        first=first.isoformat(),
        values=values,
        limit=edge,
        limit_text=f"limit {item.limit}",
        beyond="above" if limit is None else limit.beyond,
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
        f"its limit is likely reached on {_short(item.likely_on)}"
        if item.likely_on
        else f"over its limit since {_short(item.opened_on)}"
    )
    return f"{item.what} on {item.target}: {value} against {item.limit}, {when}."


def _short(text: str | None) -> str:
    return figures.short_day(date.fromisoformat(text)) if text else figures.MISSING
