"""What a limit would have done: the days of the last 90 on which it would have fired."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TypeVar

from django.db.models import Model
from django.utils import timezone

from apps.catalog.registry import UnknownMetric, get_metric
from apps.charts import figures
from apps.charts.bars import bars
from apps.collection.today import today_of
from apps.inventory.models import Group, Target
from apps.thresholds.calendars import left_out
from apps.thresholds.finding import Finding
from apps.thresholds.judge import State, judge
from apps.thresholds.models import Severity, Threshold
from apps.thresholds.notation import BadNotation, Form, Limit
from apps.thresholds.register import limit_fields, read_limits, unit_of
from apps.thresholds.series import Figures, components_of, read_figures, with_seconds
from apps.web.applies import Contest, Reach, contests_of, reach_of

DAYS = 90
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Preview:
    """A dry run in a sentence, with the days it fired on and a chart of all of them."""

    sentence: str
    days: list[str] = field(default_factory=list)
    chart: str = ""
    is_error: bool = False
    contests: Sequence[Contest] = ()
    reach: Reach | None = None
    left_out: str = ""


def draft_of(given: Mapping[str, str], limit: Limit) -> Threshold:
    """The threshold that is being typed, not saved; with the key of the one it is to replace."""
    target, group = _row(Target, given.get("target", "")), _row(Group, given.get("group", ""))
    return Threshold(
        pk=int(given["pk"]) if given.get("pk", "").isdecimal() and len(given["pk"]) < 18 else None,
        target=target,
        group=None if target else group,
        metric=get_metric(given["metric"]).key,
        component=given.get("component", "").strip(),
        figure=given.get("figure") or Threshold.FigureOf.VALUE,
        notation=given["notation"].strip(),
        unit=unit_of(given["metric"], given.get("figure") or Threshold.FigureOf.VALUE),
        **limit_fields(limit),
        severity=given.get("severity") or Severity.WARNING,
        leaves_out_peaks=given.get("leaves_out_peaks", "") not in ("", "False"),
    )


def _row(model: type[M], pk: str) -> M | None:
    return model._default_manager.filter(pk=pk).first() if pk.isdecimal() and len(pk) < 18 else None


def preview_of(given: Mapping[str, str]) -> Preview:
    """The dry run of what a form holds: target, metric, component, figure and notation, as text."""
    try:
        metric = get_metric(given.get("metric", ""))
        limits = read_limits(metric.key, given.get("notation", ""), given.get("figure") or "value")
    except UnknownMetric:
        return Preview("Give a statistic and a limit to see on which days it would have fired.")
    except BadNotation as error:
        return Preview(str(error), is_error=bool(given.get("notation")))
    limit = limits[0]
    words = in_words(limit, metric.display_unit)
    draft = draft_of(given, limit)
    target = draft.target
    if target is None:
        return Preview(
            f"{words}. Choose a target to see on which days it would have fired.", reach=reach_of(draft)
        )
    today = today_of(target, timezone.now())
    if today is None:
        return Preview(f"{words}. {target.name} has no figures yet.")
    names = [
        name
        for name in components_of(target, [metric.key], today.day).get(metric.key, [])
        if draft.covers(name)
    ]
    if not names:
        what = f"{metric.label} of “{draft.component}”" if draft.component else metric.label
        return Preview(f"{target.name} has no {what}.", is_error=True)
    pairs = with_seconds([(metric.key, name) for name in names], [draft])
    found = read_figures(target, pairs, today.day, days_back=DAYS + 100)
    days = [today.day - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    with_peaks = draft.leaves_out_peaks
    out = left_out(target, days[0], days[-1]).days(with_peaks=with_peaks)
    fired, judged = [], 0
    worst: list[float | None] = []
    for day in days:
        findings = [_finding(found, draft, name, day, out.get(day, "")) for name in names]
        verdicts = [judge(limit, finding, metric) for finding in findings]
        judged += any(verdict.is_judged for verdict in verdicts)
        if any(verdict.state is State.VIOLATED for verdict in verdicts):
            fired.append(day)
        values = [finding.value for finding in findings if finding.value is not None]
        worst.append((min if limit.direction == "lower" else max)(values, default=None))
    told = (
        f"{words} would have fired on {len(fired)} of the last {DAYS} days; {judged} of them could be judged."
    )
    chart = bars(
        days,
        worst,
        limit=limit.high if limit.high is not None else limit.low,
        over=[day in fired for day in days],
        shaded=set(out),
        other_limit=limit.low if limit.high is not None else None,
        unit=metric.display_unit,
        label=f"{metric.label}, {DAYS} days",
    )
    contests = contests_of(target, metric.key, names, draft)
    return Preview(
        told, [figures.short_day(day) for day in fired], chart, contests=contests, left_out=_reasons(out)
    )


def _finding(found: Figures, draft: Threshold, name: str, day: date, left_out: str) -> Finding:
    own = found.finding(draft.about, name, draft.figure, day)
    second = draft.second
    other = found.finding(get_metric(second.metric), name, draft.FigureOf.VALUE, day) if second else None
    return replace(own, left_out=left_out, second=other)


def _reasons(out: Mapping[date, str]) -> str:
    """Which days are left out and why: "29 Apr, 30 Apr (known peak “month end”)"."""
    by_reason: dict[str, list[str]] = {}
    for day, reason in sorted(out.items()):
        by_reason.setdefault(reason, []).append(figures.short_day(day))
    return "; ".join(f"{', '.join(days)} ({reason})" for reason, days in by_reason.items())


def in_words(limit: Limit, unit: str) -> str:
    """A limit as people say it."""
    if limit.second is not None:
        other = in_words(limit.second.limit, limit.second.unit)
        return f"{in_words(replace(limit, second=None), unit)} unless {other[:1].lower()}{other[1:]} {limit.second.word}"
    high = f"{figures.figure(limit.high)} {unit}".strip() if limit.high is not None else ""
    low = f"{figures.figure(limit.low)} {unit}".strip() if limit.low is not None else ""
    return {
        Form.AT_MOST: f"At most {high}",
        Form.BELOW: f"Below {high}",
        Form.AT_LEAST: f"At least {low}",
        Form.ABOVE: f"Above {low}",
        Form.ELIMINATE: "Must not occur",
        Form.WITHIN: f"From {low} to {high}",
        Form.NO_CHANGE: "Inside the baseline",
        Form.UNDECIDED: "Not decided yet: it is listed and never fires",
    }[limit.form]
