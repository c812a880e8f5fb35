"""What runs out first: violations and predictions of the whole estate, least slack first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial

import numpy as np
from django.db import connection
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import metrics_of
from apps.catalog.units import convert, parse_unit
from apps.charts import figures
from apps.charts.riskbar import riskbar
from apps.collection.models import CollectionRun
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.snapshots.dictionary import keys_of
from apps.snapshots.history import read_newest
from apps.snapshots.models import Coverage
from apps.thresholds.judge import State
from apps.thresholds.limits import limit_of, limit_text
from apps.thresholds.models import Violation
from apps.web.sentences import Part, capital, count, day_in_words
from apps.web.violated import state_of, what_of

ROWS = 12
TILES_LISTED = 100  # rows of the table beside the treemap; its file has all
ROLES = ("allocated", "used")
TOGETHER = 3  # wait events of one target that make one line


@dataclass(frozen=True)
class Tile:
    """One target of the treemap: bytes allocated and used."""

    group: str
    target: str
    url: str
    state: str
    size: float
    used: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Risk:
    """One line of the risk list; days are texts, empty where there is none."""

    state: State
    target: str
    target_url: str
    what: str
    url: str
    drawn: Callable[..., str]  # the bar, once its note is given
    room: str = ""
    soonest: str = ""
    likely: str = ""
    latest: str = ""
    chance: str = ""
    to_act: str = ""
    slack: str = ""
    slack_state: str = ""
    owner: str = ""
    plan: str = ""
    note: str = ""
    days_slack: float = 0.0
    figures: int = 1  # how many figures the line speaks for
    likely_on: date | None = None
    soonest_on: date | None = None
    act_by: date | None = None

    @property
    def bar_svg(self) -> str:
        """When it happens, drawn; of a long list only the lines that are shown are."""
        return self.drawn(note=self.note)


def risks(targets: QuerySet[Target], runs: Sequence[CollectionRun], today: date) -> list[Risk]:
    """
    Live violations and predictions as lines, violated first, then least slack; targets not read come last.

    `runs` are the last ones of the targets.
    """
    by_pk = {target.pk: target for target in targets}
    live = list(
        Violation.objects.live()
        .filter(target__in=targets)
        .select_related("threshold", "plan")
        .prefetch_related("owner", "plan__actions")
    )
    found = list(
        Forecast.objects.worth_a_look()
        .filter(target__in=targets)
        .select_related("threshold")
        .prefetch_related("threshold__owner")
        .defer("path")
    )
    for violation in live:
        violation.target = by_pk[violation.target_id]
    for forecast in found:
        forecast.target = by_pk[forecast.target_id]
    foreseen = {(one.target_id, one.metric, one.component): one for one in found}
    alone, together = _waits_together(live)
    lines = [
        violation_line(one, foreseen.get((one.target_id, one.metric, one.component)), today) for one in alone
    ]
    lines += [_waits_line(waits, today) for waits in together]
    taken = {(one.target_id, one.metric, one.component) for one in live}
    lines += [forecast_line(one, today) for key, one in foreseen.items() if key not in taken]
    order = [State.VIOLATED, State.AT_RISK, State.COMFORTABLE, State.NO_DATA]
    lines.sort(key=lambda line: (order.index(line.state), line.days_slack, line.target))
    return lines + _unread_lines([run for run in runs if not run.has_snapshot and not run.target.is_paused])


def _waits_together(live: Iterable[Violation]) -> tuple[list[Violation], list[list[Violation]]]:
    """Wait events of one target that are over their limits are one line, from three on; the others stand alone."""
    waits: dict[int, list[Violation]] = {}
    alone = []
    for one in live:
        is_open_wait = one.about.section == "Waits" and one.state != Violation.State.PREDICTED
        if is_open_wait:
            waits.setdefault(one.target_id, []).append(one)
        else:
            alone.append(one)
    together = [members for members in waits.values() if len(members) >= TOGETHER]
    alone += [one for members in waits.values() if len(members) < TOGETHER for one in members]
    return alone, together


def _waits_line(waits: list[Violation], today: date) -> Risk:
    """The wait events of one target: the one with the least slack speaks for all."""
    least = min(waits, key=lambda one: _slack_over(one, today))
    url = reverse("target_violations", args=[least.target_id])
    return replace(
        violation_line(least, None, today),
        what=f"{len(waits)} wait events",
        url=url,
        room="",
        figures=len(waits),
    )


def _lead(violation: Violation) -> int:
    """Days that it takes to act."""
    return violation.threshold.lead_time_days if violation.threshold else 30


def _slack_over(violation: Violation, today: date) -> float:
    """The slack of what is over its limit: the days to act, and those it has been over, are gone."""
    over = (today - violation.opened_on).days if violation.opened_on else 0
    return -float(_lead(violation) + over)


def violation_line(violation: Violation, forecast: Forecast | None, today: date) -> Risk:
    """One violation as a line: predicted with its days, open with how long it is over."""
    lead = _lead(violation)
    state = state_of(violation)
    if state is State.AT_RISK and forecast is not None and forecast.likely_on is not None:
        return _line(
            forecast,
            state,
            today,
            what_of(violation),
            violation.get_absolute_url(),
            str(violation.owner or ""),
            _plan(violation),
        )
    over = (today - violation.opened_on).days if violation.opened_on else 0
    slack = _slack_over(violation, today)
    note = (
        f"over since {figures.short_day(violation.opened_on)}, {over} days"
        if violation.opened_on
        else "predicted"
    )
    return Risk(
        state=state,
        target=violation.target.name,
        target_url=violation.target.get_absolute_url(),
        what=what_of(violation),
        url=violation.get_absolute_url(),
        room=against(violation.value, limit_of(violation), violation.unit),
        to_act=f"{lead} d",
        slack=f"−{int(-slack)} d",
        slack_state="violated",
        owner=str(violation.owner or ""),
        plan=_plan(violation),
        drawn=partial(riskbar, today, state=state),
        note=note,
        days_slack=slack,
    )


def against(value: float | None, notation: str, unit: str) -> str:
    if value is None:
        return ""
    is_counted = parse_unit(unit).dimension == "count"
    return f"{figures.figure(value)} against {notation}{'' if is_counted else f' {unit}'}"


def _plan(violation: Violation) -> str:
    plan = getattr(violation, "plan", None)
    if violation.is_accepted:
        return "accepted"
    if plan is None:
        return "no plan"
    actions = list(plan.actions.all())
    done = sum(action.state in ("done", "dropped") for action in actions)
    return f"step {min(done + 1, len(actions))} of {len(actions)}" if actions else "no plan"


def forecast_line(forecast: Forecast, today: date) -> Risk:
    """One figure that is comfortable, with what is foreseen of it."""
    owner = str(forecast.threshold.owner or "") if forecast.threshold else ""
    return _line(forecast, State.COMFORTABLE, today, forecast.what, forecast.url, owner, "")


def _line(forecast: Forecast, state: State, today: date, what: str, url: str, owner: str, plan: str) -> Risk:
    lead = forecast.threshold.lead_time_days if forecast.threshold else 30
    slack = (
        float((forecast.likely_on - today).days - lead)
        if forecast.likely_on
        else float(forecast.horizon - lead)
    )
    known = forecast.likely_on is not None
    note = "" if known else f"no breach within {forecast.horizon} days"
    act_by = forecast.likely_on - timedelta(days=lead) if forecast.likely_on else None
    drawn = partial(
        riskbar,
        today,
        state=state,
        soonest=forecast.soonest_on,
        likely=forecast.likely_on,
        latest=forecast.latest_on,
        act_by=act_by,
    )
    return Risk(
        state=state,
        target=forecast.target.name,
        target_url=forecast.target.get_absolute_url(),
        what=what,
        url=url,
        room=against(forecast.value, _limit(forecast), forecast.unit),
        soonest=figures.short_day(forecast.soonest_on) if forecast.soonest_on else "–",
        likely=figures.short_day(forecast.likely_on) if forecast.likely_on else "–",
        latest=figures.short_day(forecast.latest_on) if forecast.latest_on else "later",
        chance=figures.chance(forecast.chance),
        to_act=f"{lead} d",
        slack=f"{'+' if slack >= 0 else '−'}{abs(slack):.0f} d" if known else f"> {slack:.0f} d",
        slack_state="at_risk" if state is State.AT_RISK else "",
        owner=owner,
        plan=plan,
        drawn=drawn,
        note=note,
        days_slack=slack,
        likely_on=forecast.likely_on,
        soonest_on=forecast.soonest_on or forecast.likely_on,
        act_by=act_by,
    )


def _limit(forecast: Forecast) -> str:
    return (
        limit_text(forecast.threshold, forecast.unit)
        if forecast.threshold
        else figures.threshold(forecast.notation)
    )


def _unread_lines(runs: Sequence[CollectionRun]) -> list[Risk]:
    """The targets that failed when they were read last."""
    days = Coverage.objects.filter(target__in=[run.target_id for run in runs]).values("target")
    newest = dict(days.annotate(last=Max("day")).values_list("target", "last"))
    today = timezone.now().date()
    return [
        Risk(
            state=State.NO_DATA,
            target=run.target.name,
            target_url=run.target.get_absolute_url(),
            what="all its limits",
            url=run.target.get_absolute_url(),
            slack="no data",
            slack_state="no_data",
            owner=str(run.target.owner or ""),
            drawn=partial(riskbar, today, state=State.NO_DATA),
            note=_since(newest.get(run.target_id)),
        )
        for run in runs
    ]


def _since(last: date | None) -> str:
    return f"no figures since {figures.short_day(last)}" if last else "never read"


def sentence(lines: Sequence[Risk], targets: int, today: date) -> list[Part]:
    """What is over, what is next, by when to act."""
    if not targets:
        return [Part("No target is registered yet", True), Part(": add an instance or a host to begin.")]
    over = sum(line.figures for line in lines if line.state is State.VIOLATED)
    risky = [line for line in lines if line.state is State.AT_RISK]
    if not over and not risky:
        return [Part("Nothing is over or near its limit", True), Part(".")]
    parts = []
    if over:
        words = f"{capital(count(over, 'figure'))} {'is' if over == 1 else 'are'} over {'its' if over == 1 else 'their'} limit"
        parts.append(Part(words, True))
    if risky:
        text = f"{count(len(risky), 'more figure' if over else 'figure')} will be within 90 days"
        parts += [Part("; " if over else ""), Part(text if over else capital(text), True)]
    parts.append(Part(". "))
    following = min(
        (line for line in risky if line.act_by is not None),
        key=lambda line: line.act_by or date.max,
        default=None,
    )
    if following is not None and following.likely_on and following.soonest_on and following.act_by:
        parts += [
            Part(f"Next is {following.what} on {following.target}, around "),
            Part(day_in_words(following.likely_on), True),
            Part(f" (soonest {day_in_words(following.soonest_on)}), so act "),
            Part("now" if following.act_by <= today else f"by {day_in_words(following.act_by)}", True),
            Part("."),
        ]
    return parts


_DAYS_READ = """
    SELECT day FROM generate_series(%(first)s::date, %(last)s::date, interval '1 day') AS asked(day)
     WHERE EXISTS (SELECT FROM coverage WHERE coverage.day = asked.day::date AND target_id = ANY(%(targets)s))
"""


def calendar_days(targets: Iterable[Target], last: date, weeks: int = 13) -> dict[date, int | None]:
    """How many violations were open on each day; None for days on which nothing was read."""
    first = last - timedelta(days=7 * weeks - 1)
    with connection.cursor() as cursor:
        cursor.execute(
            _DAYS_READ, {"first": first, "last": last, "targets": [target.pk for target in targets]}
        )
        read = {day.date() for (day,) in cursor.fetchall()}
    spans = (
        Violation.objects.filter(target__in=targets, opened_on__lte=last)
        .exclude(closed_on__lte=first)
        .values_list("opened_on", "closed_on")
    )
    changes = np.zeros((last - first).days + 2, dtype=int)  # how many more are open than on the day before
    for opened, closed in spans:
        if opened is None:
            continue
        changes[max(0, (opened - first).days)] += 1
        changes[(min(closed, last + timedelta(days=1)) - first).days if closed else -1] -= 1
    days = (first + timedelta(days=offset) for offset in range((last - first).days + 1))
    return {
        day: int(count) if day in read else None
        for day, count in zip(days, changes.cumsum()[:-1], strict=True)
    }


def tiles(targets: Iterable[Target], states: dict[int, State | None]) -> list[Tile]:
    """The instances by what is allocated to them, with the part that is used; those whose size is known."""
    sizes = _sizes(targets)
    found = []
    for target in targets:
        size, used = sizes.get(target.pk, (0.0, 0.0))
        if size > 0:
            group = target.group.name if target.group else ""
            state = states.get(target.pk) or ""
            found.append(
                Tile(
                    group, target.name, target.get_absolute_url(), state, size, used, figures.bytes_text(size)
                )
            )
    return sorted(found, key=lambda tile: (tile.group, -tile.size))


def _sizes(targets: Iterable[Target]) -> dict[int, tuple[float, float]]:
    """Allocated and used bytes of each target on its newest day: the sums over the metrics with the role of size and use."""
    metrics = {
        metric.key: metric
        for platform in {one.platform for one in targets}
        for metric in metrics_of(platform)
        if metric.role in ROLES
    }
    until = timezone.now().date()
    newest = read_newest(
        [one.pk for one in targets],
        sorted({metric.category for metric in metrics.values()}),
        until - timedelta(days=7),
        until,
    )
    alike: dict[int, list[tuple[int, NDArray[np.float64]]]] = {}
    for pk, layout, values in newest.rows:
        alike.setdefault(layout, []).append((pk, values))
    sums = dict.fromkeys((one.pk for one in targets), (0.0, 0.0))
    for layout, rows in alike.items():
        vectors = np.nan_to_num(np.stack([values for _, values in rows]))
        of_roles = vectors @ _weights(newest.series[layout], metrics).T
        for (pk, _), (allocated, used) in zip(rows, of_roles.tolist(), strict=True):
            sums[pk] = sums[pk][0] + allocated, sums[pk][1] + used
    return sums


def _weights(series: NDArray[np.int64], metrics: Mapping[str, Metric]) -> NDArray[np.float64]:
    """For each role what a value of each series adds to it, in bytes: an array (roles, series)."""
    weights = np.zeros((len(ROLES), len(series)))
    for column, (_, key, _) in enumerate(keys_of(series.tolist())):
        if key in metrics:
            weights[ROLES.index(metrics[key].role), column] = convert(1.0, metrics[key].unit, "bytes")
    return weights
