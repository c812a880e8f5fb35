"""One figure over time, with its limit, its violations and its forecast."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal

from django.utils import timezone

from apps.catalog.metric import Kind, Metric
from apps.charts import figures
from apps.charts.futures import ChartBreach
from apps.charts.history import ChartEvent, Frame
from apps.charts.history import history as draw_history
from apps.charts.outlook import OutlookMarks, outlook
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.crossing_text import crossing_words
from apps.outlook.figure import Outlook
from apps.outlook.profile import read_figure_outlooks
from apps.profiles.engine.growth import growth_a_day
from apps.snapshots.measured import days_between, read_series
from apps.snapshots.presence import Presence
from apps.thresholds.calendars import ExcludedDays, read_excluded_days
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold
from apps.thresholds.precedence import ApplicableThreshold, find_applicable
from apps.web.chart_events import Occasions
from apps.web.sentences import Part, capital, day_in_words
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

SPANS = (30, 90, 180, 365, 1000)


@dataclass(frozen=True)
class DayValue:
    """The figure of one day in the unit of the profile; without one, the reason."""

    day: date
    value: float | None
    presence: Presence
    reason: str = ""
    is_at_most: bool = False  # a bound, told from something else

    @property
    def measured(self) -> float | None:
        """The figure, unless it is a bound."""
        return None if self.is_at_most else self.value

    @property
    def bound(self) -> float | None:
        """What it was at most, where that alone is known."""
        return self.value if self.is_at_most else None

    def text(self) -> str:
        """As a table shows it: the figure, or in words why there is none."""
        if self.value is not None:
            return f"{'≤' if self.is_at_most else ''}{figures.figure(self.value)}"
        return self.presence.words


@dataclass(frozen=True)
class DayFigure:
    """A day of a history as a row; `left_out` says why it is not judged."""

    value: DayValue
    unit: str
    left_out: str = ""

    @property
    def note(self) -> str:
        return "; ".join(filter(None, (self.value.reason, self.left_out)))


FIGURES: Table[DayFigure] = Table(
    "figures",
    "The figures of the chart, newest first",
    (
        RowHead("day", lambda row: row.value.day, lambda row: figures.full_day(row.value.day), css="nowrap"),
        FigureColumn("value", lambda row: row.value.value, lambda row: row.value.text()),
        Column("unit", lambda row: row.unit, in_file_only=True),
        Column("presence", lambda row: str(row.value.presence), in_file_only=True),
        Column(
            "note",
            lambda row: row.value.reason,
            lambda row: row.note,
            css=lambda row: "quiet-text" if row.note else "",
        ),
    ),
    title="The figures of the chart",
    css="",
)


@dataclass(frozen=True)
class History:
    target: Target
    metric: Metric
    component: str
    until: date
    span: int
    values: Sequence[DayValue]
    applying: Sequence[ApplicableThreshold]
    outlook: Outlook | None  # of its value, where there is a limit on it
    restarts: Sequence[date] = ()
    left_out: ExcludedDays = field(default_factory=ExcludedDays)

    @property
    def name(self) -> str:
        return self.metric.called(self.component)

    @property
    def full_name(self) -> str:
        """With its statistic and target, for where several stand together."""
        return f"{self.name} on {self.target.name}"

    @property
    def limit(self) -> float | None:
        """The limit that is drawn: the one nearest to comfort."""
        for applicable in self.applying:
            if applicable.threshold.figure == Threshold.FigureOf.VALUE:
                return applicable.threshold.limit.edge
        return None

    @property
    def beyond(self) -> Literal["above", "below"]:
        """On which side of the drawn limit comfort ends."""
        for applicable in self.applying:
            if applicable.threshold.figure == Threshold.FigureOf.VALUE:
                return applicable.threshold.limit.beyond
        return "above"

    def days_with_values(self) -> Sequence[DayValue]:
        return self.values

    @property
    def forecast(self) -> Forecast | None:
        return self.outlook.forecast if self.outlook is not None else None

    @property
    def fan(self) -> list[tuple[date, float, float, float]]:
        """The days that the forecast names, each with the expected value and its bounds."""
        return self.forecast.fan if self.forecast is not None else []

    def sentence(self) -> list[Part]:
        """When, how sure, what to do."""
        last = next((day for day in reversed(self.values) if day.measured is not None), None)
        where = f"{self._lead()} on {self.target.name}"
        newest = next((day for day in reversed(self.values) if day.presence is not Presence.NO_DATA), None)
        if newest is not None and newest.presence is Presence.NOT_MEASURABLE:
            return [Part(where, True), Part(f" is {newest.reason}.")]
        if last is None:
            return [Part(f"{where} has no figures in these {self.span} days", True), Part(".")]
        now, outlook = f"{figures.figure(last.value)} {self.metric.display_unit}", self.outlook
        if outlook is not None and outlook.unread is not None:
            return [
                Part(f"{self.target.name} {outlook.unread.words}", True),
                Part(f"; on {day_in_words(last.day)} {self.name} was {now}."),
            ]
        if outlook is not None and outlook.state is FigureState.VIOLATED and outlook.since is not None:
            over = f"{self._lead()} has been over its limit since {day_in_words(outlook.since)}"
            return [Part(over, True), Part(f": {now} against {outlook.limit_words}.")]
        if outlook is not None and outlook.state is FigureState.CLOSING:
            inside = f"{self._lead()} is inside its limit again"
            return [
                Part(inside, True),
                Part(f": {now} against {outlook.limit_words}, {outlook.closing_words}."),
            ]
        if outlook is not None and outlook.likely_on is not None:
            parts = [
                Part(f"{self._lead()} {crossing_words(outlook)} around "),
                Part(day_in_words(outlook.likely_on), True),
            ]
            if outlook.soonest_on:
                parts.append(Part(f" (soonest {day_in_words(outlook.soonest_on)})"))
            return [*parts, Part(f"; now it is {now}.")]
        parts = [Part(f"{self._lead()} is {now}", True), Part(f" on {day_in_words(last.day)}")]
        if outlook is not None and outlook.horizon is not None:
            parts.append(
                Part(f"; no breach within {outlook.horizon} days, the chance is {outlook.chance_words}")
            )
        elif self.limit is None:
            parts.append(Part("; no limit is set"))
        return [*parts, Part(".")]

    def _lead(self) -> str:
        """Its name at the beginning of a sentence."""
        is_of_source = self.component and self.name.startswith(self.component)
        return self.name if is_of_source else capital(self.name)

    def facts(self) -> list[dict[str, str]]:
        """How it stands, where it has a limit; how it grows, its limits and its unit: each with its label."""
        facts = [] if self.outlook is None else standing_facts(self.outlook)
        if (growth := self._growth()) is not None:
            sign = "+" if growth > 0 else ""
            facts.append(_fact("growth", f"{sign}{figures.figure(growth)} {self.metric.display_unit}/day"))
        if self.outlook is not None:
            facts += case_facts(self.outlook)
        for applicable in self.applying:
            threshold = applicable.threshold
            words = figures.threshold(threshold.notation)
            facts.append(_fact(threshold.severity, words, threshold.get_absolute_url()))
        return [*facts, _fact("unit", self.metric.display_unit)]

    def _growth(self) -> float | None:
        """Of a size, what it grew a day over its last 30 days; None of what does not pile up."""
        return growth_a_day([day.measured for day in self.values]) if self.metric.piles_up else None

    def _left_out(self, day: date) -> str:
        """Which calendar the day is in, in words."""
        always = self.left_out.maintenance.get(day)
        if always:
            return f"not judged: {always}"
        peak = self.left_out.peaks.get(day)
        return f"{peak}, not judged where a limit leaves peaks out" if peak else ""

    def table(self, file_name: str) -> FilledTable[DayFigure]:
        """The figures as a table, newest first; a file begins with the first day that has one."""
        unit = self.metric.display_unit
        days = [DayFigure(value, unit, self._left_out(value.day)) for value in reversed(self.values)]
        return FIGURES.fill(
            days,
            all_rows=lambda: (DayFigure(value, unit) for value in self.days_with_values()),
            file_name=file_name,
        )


def read_history(target: Target, metric: Metric, component: str, until: date, span: int) -> History:
    """The figures of a stretch of days, with what holds and what is foreseen."""
    first = until - timedelta(days=span - 1)
    measured = read_series([target], [(metric.key, component)], first, until)[target.pk]
    values = [
        DayValue(
            day,
            measured.value(0, column),
            measured.presence(0, column),
            measured.reason(0, column) or measured.note(0, column),
            day in measured.coverage and measured.coverage[day].is_at_most(metric.category),
        )
        for column, day in enumerate(days_between(first, until))
    ]
    thresholds = Threshold.objects.touching([target]).filter(metric=metric.key)
    limits = find_applicable(thresholds, target, metric.key, component)
    standings = read_figure_outlooks(
        target, metric.key, component, limits, until, timezone.now(), values[-1].value
    )
    outlook = standings.get(Threshold.FigureOf.VALUE)
    restarts = [day for day, cover in sorted(measured.coverage.items()) if cover.restarts]
    out = read_excluded_days(target, first, until)
    return History(target, metric, component, until, span, values, limits, outlook, restarts, out)


def _fact(label: str, value: str, url: str = "", state: str = "") -> dict[str, str]:
    return {"label": label, "value": value, "url": url, "state": state}


def standing_facts(outlook: Outlook) -> list[dict[str, str]]:
    """State, room, chance, days, slack and the day to act by; what there is of them."""
    days = (
        ("soonest", outlook.soonest_on),
        ("likely", outlook.likely_on),
        ("latest", outlook.latest_on),
        ("act by", outlook.act_by),
    )
    words = outlook.closing_words or str(outlook.state).replace("_", " ")
    facts = [_fact("state", words, state=str(outlook.state))]
    if outlook.room is not None and outlook.room >= 0:
        share = "" if outlook.room_percent is None else f" ({figures.figure(outlook.room_percent)} %)"
        facts.append(_fact("room left", f"{figures.figure(outlook.room)} {outlook.unit}{share}"))
    if outlook.chance is not None:
        facts.append(_fact("chance", outlook.chance_words))
    facts += [_fact(label, figures.short_day(day)) for label, day in days if day is not None]
    return facts + ([_fact("slack", figures.slack(outlook.slack))] if outlook.slack is not None else [])


def case_facts(outlook: Outlook) -> list[dict[str, str]]:
    """Who owns it, and its case with how far its plan is."""
    facts = [_fact("owner", outlook.owner)] if outlook.owner else []
    if outlook.violation is not None:
        plan = f", {outlook.plan}" if outlook.plan else ""
        facts.append(_fact("case", f"V-{outlook.violation.pk}{plan}", outlook.violation.get_absolute_url()))
    return facts


def outlook_of(history: History, width: float, height: float, ahead: int | None = None) -> str:
    """The same as a still drawing: its days, its limit, and what is foreseen, at most so many days ahead."""
    last = date.max if ahead is None else history.until + timedelta(days=ahead)
    foreseen = history.outlook
    marks = OutlookMarks(
        limit=history.limit,
        beyond=history.beyond,
        fan=[point for point in history.fan if point[0] <= last],
        soonest=foreseen.soonest_on if foreseen else None,
        likely=foreseen.likely_on if foreseen else None,
        latest=foreseen.latest_on if foreseen else None,
    )
    days = [day.day for day in history.values]
    values = [day.measured for day in history.values]
    label = f"{history.full_name}, {len(days)} days"
    return outlook(days, values, marks, label=label, width=width, height=height)


def chart_of(
    history: History, occasions: Occasions | None = None, frame: Frame | None = None
) -> dict[str, Any]:
    """The Plotly figure of a history: measure, limit, the expected line with its interval, and what happened."""
    if occasions is None:
        occasions = Occasions([ChartEvent(day, "restart", "restart") for day in history.restarts])
    outlook = history.outlook
    return draw_history(
        [day.day for day in history.values],
        [day.measured for day in history.values],
        bounds=[day.bound for day in history.values],
        limit=history.limit,
        unit=history.metric.display_unit,
        beyond=history.beyond,
        fan=history.fan,
        today=history.until,
        breach=ChartBreach(outlook.soonest_on, outlook.likely_on, outlook.latest_on)
        if outlook and outlook.likely_on
        else None,
        shaded=[*_stretches(history.left_out.days(with_peaks=True)), *occasions.periods],
        events=occasions.events,
        is_rate=history.metric.kind is Kind.COUNTER,
        frame=frame or Frame(),
    )


def _stretches(days: Iterable[date]) -> list[tuple[date, date]]:
    """Days as stretches of days in a row."""
    stretches: list[tuple[date, date]] = []
    for day in sorted(days):
        if stretches and day - stretches[-1][1] <= timedelta(days=1):
            stretches[-1] = (stretches[-1][0], day)
        else:
            stretches.append((day, day))
    return stretches
