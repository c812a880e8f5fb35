"""What a limit would have done: the days of the last 90 on which it would have fired."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, TypeVar

import numpy as np
from django.db.models import Model
from django.utils import timezone

from apps.catalog.registry import UnknownMetric, get_metric, hours_of
from apps.charts import figures
from apps.charts.bars import bars
from apps.collection.today import today_of
from apps.inventory.models import Group, Target
from apps.thresholds.baseline import has_baseline_limit
from apps.thresholds.dry_run import DryRun, dry_runs
from apps.thresholds.engine.notation import BadNotation, Form, Limit
from apps.thresholds.models import Severity, Threshold
from apps.thresholds.peak_hours import no_hours_because
from apps.thresholds.register import BadThreshold, limit_fields, split_limits, unit_of
from apps.thresholds.series import components_of
from apps.web.address import number_in
from apps.web.cells import link
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table
from apps.web.threshold_precedence import (
    Candidate,
    Contest,
    Fires,
    Reach,
    Reached,
    contest_tables,
    contests_of,
    reach_of,
    with_fires,
)

DAYS = 90
NO_HOURS_YET = "No day has a figure of these hours yet; once the limit is saved, past days are rolled up from the readings that are kept."
NO_BASELINE = "{target} has no steady period with figures enough of it, so nothing is judged by this limit: mark one under Baseline."
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Fact:
    """A figure above the chart with what it counts."""

    figure: str
    of: str
    words: str
    is_over: bool = False


@dataclass(frozen=True)
class JudgedDay:
    """A day of the dry run: the figure that was judged, and what came of it."""

    day: date
    figure: float | None
    unit: str
    verdict: str

    @property
    def words(self) -> str:
        return "" if self.figure is None else f"{figures.figure(self.figure)} {self.unit}".strip()


DAY_COLUMNS: Sequence[Column[JudgedDay]] = (
    RowHead("day", lambda row: row.day, lambda row: figures.long_day(row.day), css="nowrap"),
    FigureColumn("figure", lambda row: row.figure, lambda row: row.words),
    Column("unit", lambda row: row.unit, in_file_only=True),
    Column("told", lambda row: row.verdict, css="quiet-text"),
)
REACH_COLUMNS: Sequence[Column[Reached]] = (
    RowHead(
        "target",
        lambda row: row.target.name,
        lambda row: link(row.target.get_absolute_url(), row.target.name),
        css="",
    ),
    FigureColumn(
        "fires on",
        lambda row: row.fires.days if row.fires else None,
        lambda row: _counted(row.fires.days) if row.fires else "",
    ),
    FigureColumn("violations", lambda row: row.fires.opened if row.fires else None),
    Column("this limit", lambda row: row.words, css=lambda row: "" if row.wins else "quiet-text"),
)


def _counted(days: int) -> str:
    return f"{days} day{'' if days == 1 else 's'}"


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
    facts: Sequence[Fact] = ()
    judged: Sequence[JudgedDay] = ()
    parts: Sequence["Part"] = ()  # of a split limit: one for each statistic
    number: str = ""  # of a part: what tells its tables from those of the others

    @property
    def day_table(self) -> FilledTable[JudgedDay]:
        """The days of the chart, newest first."""
        return Table(
            f"days-told{self.number}", "The days of the chart, newest first", DAY_COLUMNS,
            title="Days of the preview", css="",
        ).fill(self.judged)  # fmt: skip

    @property
    def reach_table(self) -> FilledTable[Reached]:
        """The targets in the scope of a limit for many."""
        return Table(
            f"reach{self.number}", "Targets in its scope, those first on which it fires most often", REACH_COLUMNS,
            title="Targets in its scope", css="",
        ).fill(self.reach.shown if self.reach else ())  # fmt: skip

    @property
    def contest_tables(self) -> list[FilledTable[Candidate]]:
        return contest_tables(self.contests)

    @property
    def tables(self) -> list[FilledTable[Any]]:
        """All tables that are shown, also those of its parts."""
        of_parts = [table for part in self.parts for table in part.preview.tables]
        return [self.day_table, self.reach_table, *self.contest_tables, *of_parts]


@dataclass(frozen=True)
class Part:
    """One part of a split limit: what it is on, and its own dry run."""

    label: str
    preview: Preview


def draft_of(given: Mapping[str, str], limit: Limit) -> Threshold:
    """The threshold that is being typed, not saved; with the key of the one it is to replace."""
    target, group = _row(Target, given.get("target", "")), _row(Group, given.get("group", ""))
    return Threshold(
        pk=number_in(given.get("pk")),
        target=target,
        group=None if target else group,
        metric=get_metric(given["metric"]).key,
        component=given.get("component", "").strip(),
        figure=given.get("figure") or Threshold.FigureOf.VALUE,
        notation=given["notation"].strip(),
        unit=unit_of(given["metric"], given.get("figure") or Threshold.FigureOf.VALUE),
        **limit_fields(limit),
        severity=given.get("severity") or Severity.WARNING,
        **_persistence(given),
        leaves_out_peaks=given.get("leaves_out_peaks", "") not in ("", "False"),
    )


def _persistence(given: Mapping[str, str]) -> dict[str, Any]:
    """How many days it takes to open and to close; the usual where nothing sensible is typed."""

    def number(name: str, usual: int) -> int:
        typed = number_in(given.get(name)) or 0
        return typed if 0 < typed <= 365 else usual

    opens_after = number("opens_after", 1)
    try:
        gap = min(100.0, max(0.0, float(given.get("recovery_gap") or 0.0)))
    except ValueError:
        gap = 0.0
    return {
        "opens_after": opens_after,
        "opens_within": max(opens_after, number("opens_within", 1)),
        "closes_after": number("closes_after", 3),
        "recovery_gap": 0.0 if gap != gap else gap,
    }


def _row(model: type[M], pk: str) -> M | None:
    return model._default_manager.filter(pk=number_in(pk)).first()


def preview_of(given: Mapping[str, str]) -> Preview:
    """The dry run of what a form holds: target, metric, component, figure and notation, as text."""
    hours = "".join(given.get("hours", "").split())
    if hours and ":" not in given.get("metric", ""):
        given = {**dict(given.items()), "metric": f"{given.get('metric', '')}:{hours}"}
    try:
        metric = get_metric(given.get("metric", ""))
        parts = split_limits(metric.key, given.get("notation", ""), given.get("figure") or "value")
    except UnknownMetric:
        return Preview("Give a statistic and a limit to see on which days it would have fired.")
    except (BadNotation, BadThreshold) as error:
        return Preview(str(error), is_error=bool(given.get("notation")))
    if len(parts) > 1:
        return _of_parts(given, parts)
    limit = parts[0][2]
    words = in_words(limit, metric.display_unit)
    return _of_limit(given, limit, words)


def _of_parts(given: Mapping[str, str], parts: Sequence[tuple[str, str, Limit]]) -> Preview:
    """The dry runs of a split limit, each on its own statistic."""
    previews = [
        preview_of({**dict(given.items()), "metric": key, "notation": part}) for key, part, _ in parts
    ]
    sentences = [
        f"{get_metric(key).label}: {one.sentence}" for (key, _, _), one in zip(parts, previews, strict=True)
    ]
    return Preview(
        " ".join(sentences),
        is_error=any(one.is_error for one in previews),
        contests=[contest for one in previews for contest in one.contests],
        parts=[
            Part(get_metric(key).label, replace(one, contests=(), number=f"-{number}"))
            for number, ((key, _, _), one) in enumerate(zip(parts, previews, strict=True), 1)
        ],
    )


def _of_limit(given: Mapping[str, str], limit: Limit, words: str) -> Preview:
    draft = draft_of(given, limit)
    if refused := no_hours_because(draft.metric, draft.target):
        return Preview(refused, is_error=True)
    if draft.target is None:
        return _of_template(draft, words)
    return _of_target(draft, draft.target, words)


def _of_target(draft: Threshold, target: Target, words: str) -> Preview:
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
    fired = run.fired_days
    told = f"{words} would have fired on {len(fired)} of the last {DAYS} days; {int(run.judged.sum())} of them could be judged."
    limit = draft.limit
    unit = draft.unit
    chart = bars(
        run.days,
        [None if np.isnan(value) else float(value) for value in run.worst],
        limit=limit.edge,
        over=run.fired.tolist(),
        shaded={*run.left_out, *run.peaks},
        other_limit=limit.low if limit.high is not None else None,
        unit=unit,
        label=f"{metric.label}, {DAYS} days",
    )
    return Preview(
        told,
        [figures.short_day(day) for day in fired],
        chart,
        contests=contests_of(target, metric.key, names, draft),
        left_out=_reasons(run.left_out),
        facts=_facts(draft, run),
        judged=_days(run, unit),
    )


def _facts(draft: Threshold, run: DryRun) -> list[Fact]:
    """The figures above the chart: days over, on known peaks, violations, false alarms avoided."""
    fired = run.fired_days
    facts = [Fact(str(len(fired)), f"of {DAYS} days", "over the limit", bool(fired))]
    if run.peaks and not draft.leaves_out_peaks:
        facts.append(Fact(str(sum(day in run.peaks for day in fired)), "", "of them on known peaks"))
    persistence = f"{draft.opens_after} of {draft.opens_within} days"
    if run.standing:
        since = f"open since before {figures.long_day(run.days[0])}"
        facts.append(Fact(str(run.standing), "", f"violation{'' if run.standing == 1 else 's'}, {since}"))
    if run.opened or not run.standing:
        facts.append(
            Fact(str(run.opened), "", f"violation{'' if run.opened == 1 else 's'} opened, {persistence}")
        )
    if run.avoided:
        count = len(run.avoided)
        facts.append(Fact(str(count), "", "false alarm avoided" if count == 1 else "false alarms avoided"))
    return facts


def _days(run: DryRun, unit: str) -> list[JudgedDay]:
    """The days of the chart, newest first."""
    days = []
    for day, value, fired, judged in zip(run.days, run.worst, run.fired, run.judged, strict=True):
        verdict = "over" if fired else "inside" if judged else run.left_out.get(day) or "not judged"
        days.append(JudgedDay(day, None if np.isnan(value) else float(value), unit, verdict))
    return days[::-1]


def _of_template(draft: Threshold, words: str) -> Preview:
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
    told = f"{words} would have fired on {over} of {len(runs)} targets in the last {DAYS} days."
    chart = bars(
        days,
        [float(count) for count in by_day],
        over=[bool(count) for count in by_day],
        unit="targets",
        label=f"Targets over the limit, {DAYS} days",
    )
    facts = [
        Fact(str(over), f"of {len(runs)} targets", "over the limit", bool(over)),
        Fact(figures.whole(by_day.sum()), "", "days of targets over the limit"),
        Fact(figures.whole(opened), "", f"violation{'' if opened == 1 else 's'} opened"),
    ]
    if standing:
        since = f"open since before {figures.long_day(days[0])}"
        facts.append(Fact(figures.whole(standing), "", f"violation{'' if standing == 1 else 's'}, {since}"))
    fires = {pk: Fires(int(run.fired.sum()), run.opened + run.standing) for pk, run in runs.items()}
    return Preview(told, [], chart, reach=with_fires(reach, fires), facts=facts)


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
