"""What a limit would have done: the days of the last 90 on which it would have fired."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
from django.utils import timezone

from apps.catalog.registry import UnknownMetric, find_metric, get_metric, hours_of
from apps.charts import figures
from apps.charts.bars import bars
from apps.collection.today import today_of
from apps.forecasting.limit_trial import LimitTrial, try_limit
from apps.inventory.models import Target
from apps.thresholds.baseline import has_baseline_limit
from apps.thresholds.dry_run import DryRun, dry_runs
from apps.thresholds.engine.notation import BadNotation, Form, Limit
from apps.thresholds.models import Threshold
from apps.thresholds.peak_hours import no_hours_because
from apps.thresholds.register import BadThreshold, split_limits
from apps.thresholds.series import components_of
from apps.web.pages.thresholds.day_runs import find_runs, join_days
from apps.web.pages.thresholds.draft import draft_of, find_row
from apps.web.pages.thresholds.headlines import DAYS, count_headlines, look_ahead
from apps.web.pages.thresholds.preview_parts import HeadlineFigure, JudgedDay, LimitPart, Preview
from apps.web.pages.thresholds.suggestions import SteadySuggestions, read_suggestions
from apps.web.statistic_names import UnknownStatistic, find_statistic
from apps.web.threshold_precedence import (
    Fires,
    add_fires,
    contests_of,
    reach_of,
)

AHEAD = 15  # days to come that the chart has room for
EMPTY = "Choose a statistic and type a limit to see on which days it would have fired."
NO_LIMIT_YET = "Type a limit to see on which days it would have fired."
NO_HOURS_YET = "No day has a figure of these hours yet; once the limit is saved, past days are rolled up from the readings that are kept."
NO_BASELINE = "{target} has no steady period with enough figures of it, so nothing is judged by this limit: mark one under Baseline."


def preview_of(typed: Mapping[str, str]) -> Preview:
    """The dry run of what a form holds: target, statistic, component, figure and limit, as text."""
    if not typed.get("metric", "").strip():
        return Preview(EMPTY)
    target = find_row(Target, typed.get("target", ""))
    try:
        statistic = find_statistic(typed["metric"], target)
    except UnknownStatistic as error:
        return Preview(str(error))
    fields = {**dict(typed.items()), "metric": statistic.metric.key}
    fields["component"] = typed.get("component", "").strip() or statistic.component
    hours = "".join(typed.get("hours", "").split())
    if hours and ":" not in statistic.metric.key:
        fields["metric"] = f"{statistic.metric.key}:{hours}"
    if not typed.get("notation", "").strip():
        return Preview(NO_LIMIT_YET, steady=_suggest(fields, target))
    try:
        parts = split_limits(
            get_metric(fields["metric"]).key, typed["notation"], typed.get("figure") or "value"
        )
    except (UnknownMetric, BadNotation, BadThreshold) as error:
        return Preview(str(error), is_error=True, steady=_suggest(fields, target))
    if len(parts) > 1:
        return _preview_parts(fields, parts)
    limit = parts[0][2]
    words = in_words(limit, get_metric(fields["metric"]).display_unit)
    return replace(_preview_limit(fields, limit, words), steady=_suggest(fields, target))


def _suggest(fields: Mapping[str, str], target: Target | None) -> SteadySuggestions | None:
    """What the steady period of the target suggests for the day's figure of one component."""
    is_value = (fields.get("figure") or Threshold.FigureOf.VALUE) == Threshold.FigureOf.VALUE
    metric = find_metric(fields["metric"])
    if target is None or metric is None or not is_value:
        return None
    return read_suggestions(target, metric, fields["component"], timezone.now())


def _preview_parts(typed: Mapping[str, str], parts: Sequence[tuple[str, str, Limit]]) -> Preview:
    """The dry runs of a split limit, each on its own statistic."""
    previews = [
        preview_of({**dict(typed.items()), "metric": key, "notation": part}) for key, part, _ in parts
    ]
    sentences = [
        f"{get_metric(key).label}: {preview.sentence}"
        for (key, _, _), preview in zip(parts, previews, strict=True)
    ]
    return Preview(
        " ".join(sentences),
        is_error=any(preview.is_error for preview in previews),
        contests=[contest for preview in previews for contest in preview.contests],
        parts=[
            LimitPart(get_metric(key).label, replace(preview, contests=(), number=f"-{number}"))
            for number, ((key, _, _), preview) in enumerate(zip(parts, previews, strict=True), 1)
        ],
    )


def _preview_limit(typed: Mapping[str, str], limit: Limit, words: str) -> Preview:
    draft = draft_of(typed, limit)
    if refused := no_hours_because(draft.metric, draft.target):
        return Preview(refused, is_error=True)
    if draft.target is None:
        return _preview_on_scope(draft, words)
    return _preview_on_target(draft, draft.target, words)


def _preview_on_target(draft: Threshold, target: Target, words: str) -> Preview:
    """The dry run on one target, day by day."""
    metric = draft.about
    today = today_of(target, timezone.now())
    if today is None:
        return Preview(f"{words}. {target.name} has no figures yet.")
    have = components_of(target, [metric.key], today.day).get(metric.key, [])
    names = [name for name in have if draft.covers(name)]
    if not names:
        if hours_of(metric.key) is not None:
            return Preview(f"{words}. {NO_HOURS_YET}")
        what = f"{metric.label} of “{draft.component}”" if draft.component else metric.label
        return Preview(f"{target.name} has no {what}.", is_error=True)
    if draft.form == Form.NO_CHANGE and not has_baseline_limit(target, draft, names):
        return Preview(f"{words}. {NO_BASELINE.format(target=target.name)}")
    run = dry_runs(draft, {target: names}, today.day, DAYS)[target.pk]
    trial = (
        try_limit(draft, target, names[0], today.day)
        if len(names) == 1 and run.standing_value is not None
        else None
    )
    sentence = (
        f"{words} would have fired on {len(run.fired_days)} of the last {DAYS} days; {int(run.judged.sum())} of them could"
        " be judged."
    )
    return Preview(
        sentence,
        find_runs(run, draft),
        draw_days(draft, run, trial),
        contests=contests_of(target, metric.key, names, draft),
        left_out=_reasons(run.left_out),
        facts=[*count_headlines(draft, run), *look_ahead(draft, run, trial)],
        judged=_days(run, draft.unit),
        echo=_echo(words, draft, run),
    )


def draw_days(draft: Threshold, run: DryRun, trial: LimitTrial | None) -> str:
    """The days of the dry run as bars, and the days to come as the forecast has them."""
    limit = draft.limit
    return bars(
        run.days,
        [None if np.isnan(value) else float(value) for value in run.worst],
        limit=limit.edge,
        over=run.fired.tolist(),
        shaded={*run.left_out, *run.peaks},
        other_limit=limit.low if limit.high is not None else None,
        unit=draft.unit,
        label=f"{draft.about.label}, {DAYS} days",
        ahead=trial.expected[:AHEAD] if trial is not None else (),
    )


def _echo(words: str, draft: Threshold, run: DryRun) -> str:
    now = run.standing_value
    today = "" if now is None else f"; now {figures.figure(now)} {draft.unit}".rstrip()
    return f"{words}{today}"


def _days(run: DryRun, unit: str) -> list[JudgedDay]:
    """The days of the chart, newest first."""
    days = []
    for day, value, fired, judged in zip(run.days, run.worst, run.fired, run.judged, strict=True):
        verdict = "over" if fired else "inside" if judged else run.left_out.get(day) or "not judged"
        days.append(JudgedDay(day, None if np.isnan(value) else float(value), unit, verdict))
    return days[::-1]


def _preview_on_scope(draft: Threshold, words: str) -> Preview:
    """The dry run on every target in the scope, where no nearer limit wins."""
    reach, under, until = reach_of(draft)
    runs = dry_runs(draft, under, until, DAYS) if until else {}
    if not runs:
        if hours_of(draft.metric) is not None and not reach.targets:
            return Preview(f"{words}. {NO_HOURS_YET}")
        return Preview(f"{words}. No target would be judged by it yet.", reach=reach)
    days = next(iter(runs.values())).days
    by_day = np.sum([run.fired for run in runs.values()], axis=0)
    over = sum(bool(run.fired.any()) for run in runs.values())
    opened = sum(run.opened for run in runs.values())
    standing = sum(run.standing for run in runs.values())
    sentence = f"{words} would have fired on {over} of {len(runs)} targets in the last {DAYS} days."
    chart = bars(
        days,
        [float(count) for count in by_day],
        over=[bool(count) for count in by_day],
        unit="targets",
        label=f"Targets over the limit, {DAYS} days",
    )
    facts = [
        HeadlineFigure(str(over), f"of {len(runs)} targets", "over the limit", bool(over)),
        HeadlineFigure(figures.whole(by_day.sum()), "", "days of targets over the limit"),
        HeadlineFigure(figures.whole(opened), "", f"violation{'' if opened == 1 else 's'} opened"),
    ]
    if standing:
        since = f"open since before {figures.long_day(days[0])}"
        facts.append(
            HeadlineFigure(figures.whole(standing), "", f"violation{'' if standing == 1 else 's'}, {since}")
        )
    fires = {pk: Fires(int(run.fired.sum()), run.opened + run.standing) for pk, run in runs.items()}
    return Preview(sentence, chart=chart, echo=words, reach=add_fires(reach, fires), facts=facts)


def _reasons(out: Mapping[date, str]) -> str:
    """Which days are left out and why: "29–30 Apr (known peak “month end”)"."""
    by_reason: dict[str, list[date]] = {}
    for day, reason in sorted(out.items()):
        by_reason.setdefault(reason, []).append(day)
    return "; ".join(
        f"{', '.join(figures.day_span(*stretch) for stretch in join_days(days))} ({reason})"
        for reason, days in by_reason.items()
    )


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
        Form.ELIMINATE: "A limit of 0",
        Form.WITHIN: f"From {low} to {high}",
        Form.NO_CHANGE: "Inside the baseline",
        Form.UNDECIDED: "Not decided yet: it is listed and never fires",
    }[limit.form]
