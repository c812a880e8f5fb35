"""Everything that is drawn of one statistic: its history, baseline, forecast, violations, and what happened; also as a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Prefetch, Q
from django.http import HttpRequest

from apps.charts import figures
from apps.charts.history import Frame
from apps.reports.sheets import Cell
from apps.thresholds.baseline import BaselineBand, read_baseline_band
from apps.thresholds.models import Step, Threshold, Violation
from apps.web.chart_events import Occasions, in_words, occasions_of
from apps.web.figure_history import History, chart_of
from apps.web.rights import may_change

HEADS = (
    "day", "value", "unit", "presence", "note", "limit", "baseline 5th percentile", "baseline 95th percentile",
    "expected", "low 80 %", "high 80 %", "low 95 %", "high 95 %", "violation", "what happened",
)  # fmt: skip


@dataclass(frozen=True)
class ViolationPeriod:
    """A stretch of days on which a violation was open."""

    first: date
    last: date
    notation: str
    is_open: bool


@dataclass(frozen=True)
class StatisticChart:
    """The chart of a statistic in all its parts."""

    history: History
    occasions: Occasions
    band: BaselineBand | None
    over: Sequence[ViolationPeriod]
    window: tuple[date, date] | None = None  # the part that is looked at; None is all of it

    def chart(self) -> dict[str, Any]:
        """The Plotly figure, with a strip below it to choose the part that is looked at."""
        frame = Frame(
            baseline=(self.band.low, self.band.high) if self.band else None,
            over=[(period.first, period.last) for period in self.over],
            window=self.window,
            has_strip=True,
        )
        return chart_of(self.history, self.occasions, frame)

    def key(self) -> list[dict[str, str]]:
        """The letters of the chart."""
        return in_words(self.occasions.key(), self.history.until)

    def legend(self) -> list[dict[str, str]]:
        """What is drawn without a letter, in words, each with the class of its mark."""
        until = self.history.until
        entries = []
        if self.band is not None:
            low, high = figures.figure(self.band.low), figures.figure(self.band.high)
            days = (
                f"{figures.short_day(self.band.first, until)} to {figures.short_day(self.band.last, until)}"
            )
            entries.append(
                {
                    "mark": "band",
                    "text": f"baseline of {days}: {low} to {high} {self.history.metric.display_unit} on nine days of ten",
                }
            )
        if self.over:
            stretches = [
                f"{figures.short_day(period.first, until)} to "
                + ("now" if period.is_open else figures.short_day(period.last, until))
                for period in self.over
            ]
            entries.append({"mark": "over", "text": f"violation open {', '.join(stretches)}"})
        if any(day.bound is not None for day in self.history.values):
            entries.append({"mark": "bound", "text": "dotted: at most, which nothing is judged by"})
        return entries

    def rows(self) -> Iterator[Sequence[Cell]]:
        """A row a day, and one for each day the forecast names; exact, in the unit of the profile."""
        history, unit = self.history, self.history.metric.display_unit
        happened = {row.day: row.text for row in self.occasions.key()}
        steady = (self.band.low, self.band.high) if self.band else (None, None)
        for day in history.values:
            open_now = next((over.notation for over in self.over if over.first <= day.day <= over.last), "")
            yield (
                day.day, day.value, unit, str(day.presence), day.reason, history.limit, *steady,
                None, None, None, None, None, open_now, happened.get(day.day, ""),
            )  # fmt: skip
        for ahead, *bounds in history.fan:
            padded = [float(bound) for bound in bounds] + [None] * (5 - len(bounds))
            yield ahead, None, unit, "forecast", "", history.limit, *steady, *padded, "", ""


def read_chart(request: HttpRequest, history: History) -> StatisticChart:
    """Eight queries beside those of the history itself."""
    first, until = history.values[0].day, history.until
    occasions = occasions_of(
        history.target,
        first,
        until,
        history.restarts,
        back=request.get_full_path(),
        can_change=may_change(request),
    )
    return StatisticChart(
        history,
        occasions,
        read_baseline_band(history.target, history.metric, history.component),
        _over(history, first, until),
        window_asked(request, first, _last_day(history)),
    )


def _over(history: History, first: date, until: date) -> list[ViolationPeriod]:
    """One violation may have closed and come back: its steps tell when."""
    reviewed = Step.objects.exclude(on=None).order_by("on", "pk")
    violations = (
        Violation.objects.filter(
            Q(closed_on=None) | Q(closed_on__gte=first),
            target=history.target,
            metric=history.metric.key,
            component=history.component,
            figure=Threshold.FigureOf.VALUE,
            opened_on__lte=until,
        )
        .order_by("opened_on")
        .prefetch_related(Prefetch("steps", reviewed))
    )
    return [
        ViolationPeriod(
            max(since, first), min(ended or until, until), violation.notation, ended is None or ended > until
        )
        for violation in violations
        for since, ended in _stretches(violation)
        if since <= until and (ended is None or ended >= first)
    ]


def _stretches(violation: Violation) -> list[tuple[date, date | None]]:
    """From when to when a violation was open; the last stretch of one that still is has no end."""
    stretches: list[tuple[date, date | None]] = []
    since = violation.opened_on
    for step in violation.steps.all():
        if step.on is None:
            continue
        if step.after == Violation.State.RESOLVED and since is not None:
            stretches.append((since, step.on))
            since = None
        elif step.before == Violation.State.RESOLVED and since is None:
            since = step.on
    if since is not None:
        stretches.append((since, violation.closed_on))
    return stretches


def _last_day(history: History) -> date:
    days: list[date] = [day for day, *_ in history.fan]
    return max([history.until, *days])


def window_asked(request: HttpRequest, first: date, last: date) -> tuple[date, date] | None:
    """The part of the chart that the address names; None where it names none, or none that is drawn."""
    try:
        since = date.fromisoformat(request.GET.get("from", "")[:10])
        until = date.fromisoformat(request.GET.get("to", "")[:10])
    except ValueError:
        return None
    since, until = max(since, first), min(until, last)
    return (since, until) if until - since >= timedelta(days=1) else None
