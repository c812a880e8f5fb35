"""One figure over time, with its limit, its violations and its forecast."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal

import numpy as np

from apps.catalog.metric import Kind, Metric
from apps.charts import figures
from apps.charts.history import Breach, Event, Frame, history
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.profiles.build import Presence
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.snapshots.models import Coverage
from apps.thresholds.calendars import LeftOut, left_out
from apps.thresholds.limits import limit_of
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.resolve import Applying, applying
from apps.web.occasions import Occasions
from apps.web.sentences import Part, day_in_words

SPANS = (30, 90, 180, 365, 1000)


@dataclass(frozen=True)
class DayValue:
    """The figure of one day in the unit of the profile; without one, the reason."""

    day: date
    value: float | None
    presence: Presence
    reason: str = ""

    def text(self) -> str:
        """As a table shows it: the figure, or in words why there is none."""
        if self.value is not None:
            return figures.figure(self.value)
        return str(self.presence).replace("_", " ").capitalize()


@dataclass(frozen=True)
class History:
    target: Target
    metric: Metric
    component: str
    until: date
    span: int
    values: Sequence[DayValue]
    applying: Sequence[Applying]
    violation: Violation | None
    forecast: Forecast | None
    restarts: Sequence[date] = ()
    left_out: LeftOut = field(default_factory=LeftOut)

    @property
    def name(self) -> str:
        return self.component or self.metric.label

    @property
    def full_name(self) -> str:
        """With its statistic and target, for where several stand together."""
        what = f"{self.metric.label} of {self.component}" if self.component else self.metric.label
        return f"{what} on {self.target.name}"

    @property
    def limit(self) -> float | None:
        """The limit that is drawn: the one nearest to comfort."""
        for one in self.applying:
            if one.threshold.figure == Threshold.FigureOf.VALUE:
                found = one.threshold.limit
                return found.high if found.high is not None else found.low
        return None

    @property
    def beyond(self) -> Literal["above", "below"]:
        """On which side of the drawn limit comfort ends."""
        for one in self.applying:
            if one.threshold.figure == Threshold.FigureOf.VALUE:
                return "above" if one.threshold.limit.high is not None else "below"
        return "above"

    def days_with_values(self) -> Sequence[DayValue]:
        return self.values

    def sentence(self) -> list[Part]:
        """When, how sure, what to do."""
        known = [one for one in self.values if one.value is not None]
        if not known:
            return [
                Part(f"{self.name} on {self.target.name} has no figures in these {self.span} days", True),
                Part("."),
            ]
        last = known[-1]
        now = f"{figures.figure(last.value)} {self.metric.display_unit}"
        if self.violation is not None and self.violation.opened_on:
            since = day_in_words(self.violation.opened_on)
            return [
                Part(f"{self.name} is over its limit since {since}", True),
                Part(f": {now} against {limit_of(self.violation)}."),
            ]
        if self.forecast is not None and self.forecast.likely_on is not None:
            parts = [
                Part(f"{self.name} crosses {self._edge()} around "),
                Part(day_in_words(self.forecast.likely_on), True),
            ]
            if self.forecast.soonest_on:
                parts.append(Part(f" (soonest {day_in_words(self.forecast.soonest_on)})"))
            return [*parts, Part(f"; now it is {now}.")]
        parts = [Part(f"{self.name} is {now}", True), Part(f" on {day_in_words(last.day)}")]
        if self.forecast is not None and self.forecast.chance is not None:
            parts.append(
                Part(
                    f"; no breach within {self.forecast.horizon} days, the chance is {figures.chance(self.forecast.chance)}"
                )
            )
        elif self.limit is None:
            parts.append(Part("; no limit is set"))
        return [*parts, Part(".")]

    def _edge(self) -> str:
        """The limit as a plain figure with its unit."""
        if self.limit is None:
            return figures.threshold(self.forecast.notation) if self.forecast else "its limit"
        return f"{figures.figure(self.limit)} {self.metric.display_unit}"

    def facts(self) -> list[dict[str, str]]:
        facts = [{"label": "unit", "value": self.metric.display_unit, "url": ""}]
        facts.append(
            {"label": "source", "value": f"{self.metric.source} {self.metric.name}".strip(), "url": ""}
        )
        if self.forecast is not None:
            facts.append({"label": "chance", "value": figures.chance(self.forecast.chance), "url": ""})
            for label, day in (
                ("soonest", self.forecast.soonest_on),
                ("likely", self.forecast.likely_on),
                ("latest", self.forecast.latest_on),
            ):
                if day is not None:
                    facts.append({"label": label, "value": figures.short_day(day), "url": ""})
        for one in self.applying:
            facts.append(
                {
                    "label": one.threshold.severity,
                    "value": figures.threshold(one.threshold.notation),
                    "url": one.threshold.get_absolute_url(),
                }
            )
        return facts

    def _left_out(self, day: date) -> str:
        """Which calendar the day is in, in words."""
        always = self.left_out.maintenance.get(day)
        if always:
            return f"not judged: {always}"
        peak = self.left_out.peaks.get(day)
        return f"{peak}, not judged where a limit leaves peaks out" if peak else ""

    def rows(self) -> list[dict[str, Any]]:
        """Newest first, as the table beside the chart."""
        return [
            {
                "day": figures.full_day(one.day),
                "on": one.day,
                "value": one.text(),
                "reason": "; ".join(filter(None, (one.reason, self._left_out(one.day)))),
            }
            for one in reversed(self.values)
        ]


def read_history(target: Target, metric: Metric, component: str, until: date, span: int) -> History:
    """The figures of a stretch of days, with what holds and what is foreseen."""
    first = until - timedelta(days=span - 1)
    (series,) = series_ids([(metric.category, metric.key, component)])
    found = read_histories([target.pk], [series], first, until)
    covered = Coverage.objects.filter(target=target, day__range=(first, until))
    marks = {row.day: row for row in covered.told_of(metric.category, series)}
    values = []
    for day, value in zip(found.days, found.values[target.pk][:, 0].tolist(), strict=True):
        cover = marks.get(day)
        was_read = cover is not None and cover.was_read(metric.category)
        if not np.isnan(value) and not (metric.is_sparse and value == 0):
            partial = cover is not None and cover.is_partial_in(metric.category)
            reason = (
                f"measured over {figures.fixed(cover.hours_of(metric.category), 1)} hours"
                if cover and partial
                else ""
            )
            if cover and cover.without(metric.category):
                reason = f"measured without {' and '.join(cover.without(metric.category))}"
            values.append(DayValue(day, metric.shown(float(value)), Presence.PRESENT, reason))
        elif was_read and metric.is_sparse and cover is not None and str(series) not in cover.marks:
            values.append(DayValue(day, None, Presence.NOT_PRESENT, "read, and it did not occur"))
        else:
            reason = str(cover.marks.get(str(series), "")) if cover else f"{target.name} was not read"
            values.append(DayValue(day, None, Presence.NO_DATA, reason or "no figure of this day"))
    limits = applying(Threshold.objects.touching([target]), target, metric.key, component)
    mine = {"target": target, "metric": metric.key, "component": component}
    violation = Violation.objects.open().filter(**mine).first()
    forecast = Forecast.objects.filter(
        **mine, figure=Threshold.FigureOf.VALUE, made_on__lte=until, made_on__gt=until - timedelta(days=7)
    ).first()
    restarts = [day for day, cover in sorted(marks.items()) if cover.restarts]
    out = left_out(target, first, until)
    return History(target, metric, component, until, span, values, limits, violation, forecast, restarts, out)


def fan_of(shown: History) -> list[tuple[Any, ...]]:
    """The days that the forecast names, each with the expected value and its bounds."""
    if shown.forecast is None:
        return []
    path = {int(ahead): bounds for ahead, bounds in shown.forecast.path.items()}
    return [
        (shown.forecast.made_on + timedelta(days=ahead), *bounds) for ahead, bounds in sorted(path.items())
    ]


def chart_of(
    shown: History, occasions: Occasions | None = None, frame: Frame | None = None
) -> dict[str, Any]:
    """The Plotly figure of a history: measure, limit, the expected line with its interval, and what happened."""
    if occasions is None:
        occasions = Occasions([Event(day, "restart", "restart") for day in shown.restarts])
    foreseen = shown.forecast if shown.forecast and shown.forecast.likely_on else None
    return history(
        [one.day for one in shown.values],
        [one.value for one in shown.values],
        limit=shown.limit,
        unit=shown.metric.display_unit,
        beyond=shown.beyond,
        fan=fan_of(shown),
        today=shown.until,
        breach=Breach(foreseen.soonest_on, foreseen.likely_on, foreseen.latest_on)
        if foreseen and foreseen.likely_on
        else None,
        shaded=[*_stretches(shown.left_out.days(with_peaks=True)), *occasions.periods],
        events=occasions.events,
        is_rate=shown.metric.kind is Kind.COUNTER,
        frame=frame or Frame(),
    )


def _stretches(days: Iterable[date]) -> list[tuple[date, date]]:
    """Days as stretches of days in a row."""
    found: list[tuple[date, date]] = []
    for day in sorted(days):
        if found and day - found[-1][1] <= timedelta(days=1):
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return found
