"""What runs out first: violations and predictions of the whole estate, least slack first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial

from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone

from apps.catalog.units import parse_unit
from apps.charts import figures
from apps.charts.riskbar import riskbar
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.snapshots.models import Coverage
from apps.thresholds.judge import State
from apps.thresholds.limits import limit_of, limit_text
from apps.thresholds.models import Threshold, Violation
from apps.web.collected import LastRun
from apps.web.sentences import Part, capital, count, day_in_words
from apps.web.violated import state_of, what_of

ROWS = 12
TOGETHER = 3  # wait events of one target that make one line


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


def risks(targets: QuerySet[Target], runs: Sequence[LastRun], today: date) -> list[Risk]:
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
    foreseen = {(one.target_id, one.metric, one.component, one.figure): one for one in found}
    alone, together = _waits_together(live)
    lines = [
        violation_line(one, foreseen.get((one.target_id, one.metric, one.component, one.figure)), today)
        for one in alone
    ]
    lines += [_waits_line(waits, today) for waits in together]
    taken = {(one.target_id, one.metric, one.component, one.figure) for one in live}
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
        room=against(violation.value, limit_of(violation), violation.unit, violation.threshold),
        to_act=f"{lead} d",
        slack=f"−{int(-slack)} d",
        slack_state="violated",
        owner=str(violation.owner or ""),
        plan=_plan(violation),
        drawn=partial(riskbar, today, state=state),
        note=note,
        days_slack=slack,
    )


def against(value: float | None, notation: str, unit: str, threshold: Threshold | None = None) -> str:
    """A figure against its limit; one of two conditions says its units itself."""
    if value is None:
        return ""
    if threshold is not None and threshold.second_metric:
        return f"{figures.figure(value)} {unit} against {notation}"
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
        room=against(forecast.value, _limit(forecast), forecast.unit, forecast.threshold),
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


def _unread_lines(runs: Sequence[LastRun]) -> list[Risk]:
    """The targets that failed when they were read last."""
    days = Coverage.objects.filter(target__in=[run.target for run in runs]).values("target")
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
            note=_since(newest.get(run.target.pk)),
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
