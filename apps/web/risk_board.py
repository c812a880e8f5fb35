"""Every limited figure of the estate in one list, least slack first; also those without a forecast, with the reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from django.db.models import QuerySet

from apps.catalog.registry import UnknownMetric, get_metric, metrics_of
from apps.charts import figures
from apps.charts.riskbar import riskbar
from apps.forecasting.models import Forecast
from apps.forecasting.wanted import FORESEEN
from apps.inventory.models import Target
from apps.reports.sheets import Cell
from apps.thresholds.judge import State
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.notation import Form
from apps.web.estate import Risk, forecast_line, violation_line
from apps.web.sentences import Part, count

PAGE = 100
HEADS = [
    "state", "target", "group", "kind", "statistic", "component", "now", "unit", "limit", "chance", "soonest", "likely",
    "latest", "days to act", "slack in days", "owner", "plan", "reason",
]  # fmt: skip
ORDER = [State.VIOLATED, State.AT_RISK, State.COMFORTABLE, State.NO_DATA]
NOT_FORESEEN = {
    Form.ELIMINATE: "what must not occur has no day on which it begins",
    Form.NO_CHANGE: "“no change” follows the baseline: there is no fixed limit to run into",
    Form.UNDECIDED: "no limit is decided yet",
}

Figure = tuple[int, str, str]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One figure under a limit: its line, and what it can be filtered by."""

    line: Risk
    target: Target
    metric: str
    component: str
    kind: str
    owner: str
    value: float | None = None
    unit: str = ""
    limit: str = ""
    chance: float | None = None
    latest_on: date | None = None

    @property
    def slack(self) -> int | None:
        """Days of slack where a day is known; None for what is not foreseen."""
        known = self.line.likely_on is not None or self.line.state is State.VIOLATED
        return int(self.line.days_slack) if known else None


def entries(targets: QuerySet[Target], today: date) -> list[Entry]:
    """
    Every limited figure of the targets: what is over first, then by slack; what is not foreseen comes last.

    The number of queries does not depend on how many there are.
    """
    of_estate = {one.pk: one for one in targets}
    live = {
        (one.target_id, one.metric, one.component, one.figure): one
        for one in Violation.objects.live()
        .filter(target__in=targets)
        .select_related("threshold", "owner", "plan")
        .prefetch_related("plan__actions")
    }
    foreseen = {
        (one.target_id, one.metric, one.component, one.figure): one
        for one in Forecast.objects.of_last_review()
        .filter(target__in=targets)
        .select_related("threshold", "threshold__owner")
        .defer("path")
    }
    for violation in live.values():
        violation.target = of_estate[violation.target_id]  # with its group
    for forecast in foreseen.values():
        forecast.target = of_estate[forecast.target_id]
    found = [_of_violation(one, foreseen.get(key), today) for key, one in live.items()]
    found += [_of_forecast(one, today) for key, one in foreseen.items() if key not in live]
    told = {(one.target_id, one.threshold_id) for one in live.values()}
    told |= {(one.target_id, one.threshold_id) for one in foreseen.values()}
    found += _of_the_rest(of_estate, told, today)
    return sorted(
        found,
        key=lambda one: (
            ORDER.index(one.line.state),
            one.line.likely_on is None and one.line.state is not State.VIOLATED,
            one.line.days_slack,
            one.line.target.lower(),
            one.line.what,
        ),
    )


def kind_of(metric: str) -> str:
    """What kind of resource a figure belongs to: the section of the profile."""
    try:
        return get_metric(metric).section or "Other"
    except UnknownMetric:
        return "Other"


def _of_violation(violation: Violation, forecast: Forecast | None, today: date) -> Entry:
    return Entry(
        line=violation_line(violation, forecast, today),
        target=violation.target,
        metric=violation.metric,
        component=violation.component,
        kind=kind_of(violation.metric),
        owner=str(violation.owner or ""),
        value=violation.value,
        unit=violation.unit,
        limit=violation.notation,
        chance=forecast.chance if forecast else None,
        latest_on=forecast.latest_on if forecast else None,
    )


def _of_forecast(forecast: Forecast, today: date) -> Entry:
    line = forecast_line(forecast, today)
    if forecast.chance is None:
        reason = forecast.reason or "no forecast"
        line = replace(
            line,
            state=State.NO_DATA,
            soonest="–",
            latest="–",
            slack="–",
            note=f"no forecast: {reason}",
            drawn=partial(riskbar, today, state=State.NO_DATA),
            days_slack=0.0,
        )
    return Entry(
        line=line,
        target=forecast.target,
        metric=forecast.metric,
        component=forecast.component,
        kind=kind_of(forecast.metric),
        owner=str(forecast.threshold.owner or "") if forecast.threshold else "",
        value=forecast.value,
        unit=forecast.unit,
        limit=forecast.notation,
        chance=forecast.chance,
        latest_on=forecast.latest_on,
    )


def _of_the_rest(
    targets: Mapping[int, Target], told: set[tuple[int, int | None]], today: date
) -> list[Entry]:
    """Limits of which neither a violation nor a forecast tells, an entry for each target that they reach."""
    keys = {
        platform: {one.key for one in metrics_of(platform)}
        for platform in {one.platform for one in targets.values()}
    }
    found = []
    for threshold in Threshold.objects.touching(list(targets.values())):
        for target in targets.values():
            has_it = threshold.metric.partition(":")[0] in keys[target.platform]
            if threshold.reaches(target) and has_it and (target.pk, threshold.pk) not in told:
                found.append(_not_foreseen(threshold, target, today))
    return found


def _not_foreseen(threshold: Threshold, target: Target, today: date) -> Entry:
    label = threshold.about.label
    reason = why_not_foreseen(threshold)
    line = Risk(
        state=State.NO_DATA,
        target=target.name,
        target_url=target.get_absolute_url(),
        what=f"{threshold.component}, {label}" if threshold.component else label,
        url=threshold.get_absolute_url(),
        drawn=partial(riskbar, today, state=State.NO_DATA),
        room=figures.threshold(threshold.notation),
        to_act=f"{threshold.lead_time_days} d",
        slack="–",
        owner=str(threshold.owner or ""),
        note=f"no forecast: {reason}",
    )
    return Entry(
        line=line,
        target=target,
        metric=threshold.metric,
        component=threshold.component,
        kind=kind_of(threshold.metric),
        owner=line.owner,
        unit=threshold.unit,
        limit=threshold.notation,
    )


def why_not_foreseen(threshold: Threshold) -> str:
    """Why no forecast is made against a limit, or why there is none yet."""
    if threshold.form not in FORESEEN:
        return NOT_FORESEEN[Form(threshold.form)]
    return "no figure was under this limit at the last review, or a stricter one applies"


def chosen(found: Sequence[Entry], given: Mapping[str, str]) -> list[Entry]:
    """The entries that the filters of an address leave: kind, group, owner, state, and words."""
    words = given.get("q", "").casefold()

    def fits(one: Entry) -> bool:
        group = one.target.group.name if one.target.group else ""
        return (
            given.get("kind", "") in ("", one.kind)
            and given.get("group", "") in ("", group)
            and given.get("owner", "") in ("", one.owner)
            and given.get("state", "") in ("", str(one.line.state))
            and words in f"{one.target.name} {one.line.what} {one.metric} {one.owner}".casefold()
        )

    return [one for one in found if fits(one)]


def choices(found: Sequence[Entry], given: Mapping[str, str]) -> list[dict[str, object]]:
    """What the list can be filtered by, from what is in it."""
    options = {
        "kind": sorted({one.kind for one in found}),
        "group": sorted({one.target.group.name for one in found if one.target.group}),
        "owner": sorted({one.owner for one in found if one.owner}),
    }
    made: list[dict[str, object]] = [
        {"name": name, "value": given.get(name, ""), "options": [(value, value) for value in values]}
        for name, values in options.items()
        if values
    ]
    states = [(str(state), str(state).replace("_", " ")) for state in ORDER]
    return [*made, {"name": "state", "value": given.get("state", ""), "options": states}]


def sentence_of(found: Sequence[Entry], today: date, is_filtered: bool) -> list[Part]:
    """How many are over, how many must be acted on now, and which is next."""
    if not found:
        if is_filtered:
            return [Part("No limited figure fits this filter", True), Part(".")]
        return [Part("No figure is under a limit yet", True), Part(": a limit gives it a day to run out.")]
    over = [one for one in found if one.line.state is State.VIOLATED]
    ahead = [one for one in found if one.line.likely_on is not None]
    late = [one for one in ahead if (one.slack or 0) < 0]
    parts = [
        Part(
            f"{figures.whole(len(over))} of {figures.whole(len(found))} limited figures {'is' if len(over) == 1 else 'are'} over their limit",
            True,
        )
    ]
    if not ahead:
        return [*parts, Part("; no other is likely to cross within its horizon.")]
    words = f"; {count(len(ahead), 'more is', 'more are')} likely to cross within the horizon"
    parts.append(Part(words))
    if late:
        parts.append(Part(f", {count(len(late), 'of them')} too late to act in time"))
    first = min(ahead, key=lambda one: one.line.days_slack).line
    when = figures.long_day(first.likely_on, today)
    return [
        *parts,
        Part(f". Least slack: {first.what} on {first.target}, around "),
        Part(when, True),
        Part("."),
    ]


def rows_of(found: Sequence[Entry]) -> Iterator[list[Cell]]:
    """The same for a file, exact."""
    for one in found:
        line = one.line
        yield [
            str(line.state).replace("_", " "), line.target, one.target.group.name if one.target.group else "", one.kind,
            one.metric, one.component, one.value, one.unit, one.limit, one.chance, line.soonest_on, line.likely_on,
            one.latest_on, line.to_act.removesuffix(" d"), one.slack, one.owner, line.plan, line.note,
        ]  # fmt: skip
