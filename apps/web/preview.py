"""What a limit would have done: the days of the last 90 on which it would have fired."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from django.utils import timezone

from apps.catalog.registry import UnknownMetric, get_metric
from apps.charts import figures
from apps.charts.bars import bars
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.thresholds.judge import State, judge
from apps.thresholds.models import Threshold
from apps.thresholds.notation import BadNotation, Form, Limit
from apps.thresholds.register import read_limits
from apps.thresholds.series import components_of, read_figures

DAYS = 90


@dataclass(frozen=True)
class Preview:
    """A dry run in a sentence, with the days it fired on and a chart of all of them."""

    sentence: str
    days: list[str] = field(default_factory=list)
    chart: str = ""
    is_error: bool = False


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
    target = (
        Target.objects.filter(pk=given["target"]).first() if given.get("target", "").isdecimal() else None
    )
    if target is None:
        return Preview(f"{words}. Choose a target to see on which days it would have fired.")
    today = today_of(target, timezone.now())
    if today is None:
        return Preview(f"{words}. {target.name} has no figures yet.")
    wanted = Threshold(component=given.get("component", ""))
    names = [
        name
        for name in components_of(target, [metric.key], today.day).get(metric.key, [])
        if wanted.covers(name)
    ]
    if not names:
        return Preview(f"{target.name} has no {metric.label} of “{wanted.component}”.", is_error=True)
    found = read_figures(target, [(metric.key, name) for name in names], today.day, days_back=DAYS + 100)
    days = [today.day - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    fired, judged = [], 0
    worst: list[float | None] = []
    for day in days:
        findings = [found.finding(metric, name, given.get("figure") or "value", day) for name in names]
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
        other_limit=limit.low if limit.high is not None else None,
        unit=metric.display_unit,
        label=f"{metric.label}, {DAYS} days",
    )
    return Preview(told, [figures.short_day(day) for day in fired], chart)


def in_words(limit: Limit, unit: str) -> str:
    """A limit as people say it."""
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
