"""One figure under one limit, and all that is said of it."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from apps.catalog.metric import Metric
from apps.catalog.registry import remembered_metric
from apps.catalog.units import dimension_of
from apps.charts import figures
from apps.collection.unread_targets import UnreadTarget
from apps.forecasting.engine.headroom import headroom, room, slack
from apps.forecasting.limited_figures import FORECAST_FORMS
from apps.forecasting.models import Forecast, forecast_url
from apps.inventory.models import Target
from apps.outlook.case_text import closing_words, lead_of, over_words, plan_of, state_of_case
from apps.thresholds.engine.notation import Form, Limit
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.thresholds.limits import limit_text, write_limit_of
from apps.thresholds.models import Severity, Threshold, Violation

NOT_FORESEEN = {
    Form.ELIMINATE: "the limit is zero",
    Form.NO_CHANGE: "“no change” follows the baseline: there is no fixed limit to reach",
    Form.UNDECIDED: "no limit is decided yet",
}
NOT_FORECAST_YET = "the limit is newer than the last review; the next one forecasts it"
NOT_REACHED = "no figure was under this limit at the last review, or a stricter one applies"


@dataclass(frozen=True)
class Outlook:
    """
    How a figure stood at the end of a day, `day`: with its case where there is one, its forecast, or the limit alone.

    Days left, slack and days over are counted from `day`; room and value are in `unit`.
    """

    target: Target
    metric: str
    component: str
    figure: str
    day: date
    threshold: Threshold | None = None
    violation: Violation | None = None  # open or predicted
    forecast: Forecast | None = None
    unread: UnreadTarget | None = None
    judged: FigureState | None = None  # what the figures of `day` say, where its case does not
    last: float | None = None  # the value of `day`, where neither a case nor a forecast has one

    @cached_property
    def about(self) -> Metric:
        return remembered_metric(self.metric, self.unit)

    @property
    def what(self) -> str:
        if self.violation is not None:
            return self.violation.what
        return self.forecast.what if self.forecast is not None else self.about.called(self.component)

    @property
    def url(self) -> str:
        """Where more of it is: its case, its forecast, or its limit."""
        if self.violation is not None:
            return self.violation.get_absolute_url()
        if self.forecast is not None:
            return self.forecast.url
        return self.threshold.get_absolute_url() if self.threshold is not None else ""

    @property
    def forecast_url(self) -> str:
        return forecast_url(self.target.pk, self.metric, self.component)

    @cached_property
    def state(self) -> FigureState:
        """Nothing is known of what was not read; else what its case says, or its last figure."""
        if self.unread is not None:
            return FigureState.NO_DATA
        if self.judged is not None:
            return self.judged
        if self.violation is not None:
            return state_of_case(self.violation)
        if self.is_beyond:
            return FigureState.VIOLATED
        if self.forecast is not None and self.forecast.value is not None:
            return FigureState.COMFORTABLE
        is_absent = self.forecast is None and self.threshold is not None
        return (
            FigureState.COMFORTABLE
            if is_absent and self.threshold.form == Form.ELIMINATE  # type: ignore[union-attr]
            else FigureState.NO_DATA
        )

    @property
    def is_beyond(self) -> bool:
        """Whether the last value breaks the limit: what the review found."""
        if self.violation is not None:
            return state_of_case(self.violation) is FigureState.VIOLATED
        forecast = self.forecast
        return forecast is not None and forecast.is_violated

    @property
    def is_young(self) -> bool:
        """Whether it is beyond its limit, and no review has opened a case for it yet."""
        return self.violation is None and self.state is FigureState.VIOLATED

    @property
    def severity(self) -> str:
        if self.violation is not None:
            return self.violation.severity
        return self.threshold.severity if self.threshold is not None else ""

    @property
    def value(self) -> float | None:
        """The last one known: of a case that of its last judged day, else that of the last review."""
        if self.violation is not None:
            return self.violation.value
        return self.forecast.value if self.forecast is not None else self.last

    @property
    def unit(self) -> str:
        source = self.violation or self.forecast or self.threshold
        return source.unit if source is not None else ""

    @property
    def notation(self) -> str:
        source = self.violation or self.forecast or self.threshold
        return source.notation if source is not None else ""

    @cached_property
    def limit(self) -> Limit | None:
        """The limit as numbers; None where it has changed since, or is gone."""
        threshold = self.threshold
        return threshold.limit if threshold is not None and threshold.notation == self.notation else None

    @property
    def is_of_former_limit(self) -> bool:
        """Whether its case is of a limit that was changed or withdrawn since."""
        return self.violation is not None and self.limit is None

    @property
    def limit_words(self) -> str:
        """The limit as it is written, without its unit."""
        if self.violation is not None:
            return write_limit_of(self.violation)
        if self.threshold is not None:
            return limit_text(self.threshold, self.unit)
        return figures.threshold(self.notation)

    @cached_property
    def room(self) -> float | None:
        """What is left to the limit, in the unit; None where the limit is no single number."""
        edge, side = self._edge()
        return None if edge is None else room(self.value, edge, side)

    @property
    def room_percent(self) -> float | None:
        """The same as percent of the limit."""
        edge, side = self._edge()
        return None if edge is None else headroom(self.value, edge, side)

    def _edge(self) -> tuple[float | None, Form]:
        limit = self.limit
        if (
            limit is None
            or limit.second is not None
            or limit.form not in FORECAST_FORMS
            or limit.form is Form.WITHIN
        ):
            return None, Form.UNDECIDED
        return limit.edge, limit.form

    @property
    def room_words(self) -> str:
        """ "138 of 1,800 GB left", "0.66 over <1 cs", "22 short of 60 GB"; of other limits "0.21 against <0.5"."""
        edge, side = self._edge()
        if self.room is None:
            return self.against
        is_counted = dimension_of(self.unit) == "count"
        limit, unit = figures.figure(edge), "" if is_counted else f" {self.unit}"
        amount = figures.figure(abs(self.room), apart_from=0.0)
        if self.room >= 0:
            return f"{amount} of {limit}{unit} left" if side.is_upper else f"{amount} above {limit}{unit}"
        if side.is_upper:
            return f"{amount} over {self.limit_words}{unit}"
        return f"{amount} short of {limit}{unit}"

    @property
    def edge_words(self) -> str:
        """What a rising or falling figure comes to: "50 GB/day"; of other limits the limit."""
        edge, _ = self._edge()
        return self.limit_words if edge is None else f"{figures.figure(edge)} {self.unit}".rstrip()

    @property
    def against(self) -> str:
        """The value against its limit; one of two conditions says its units itself."""
        if self.value is None:
            return ""
        value, unit = figures.figure(self.value), self.unit
        if self.threshold is not None and self.threshold.second_metric:
            return f"{value} {unit} against {self.limit_words}"
        is_counted = dimension_of(unit) == "count"
        return f"{value} against {self.limit_words}{'' if is_counted else f' {unit}'}"

    @property
    def since(self) -> date | None:
        """Since when it is over its limit, where it is or was until lately."""
        return self.violation.opened_on if self.violation is not None else None

    @property
    def days_over(self) -> int | None:
        """For how many days it has been over its limit, the first one and `day` included."""
        if self.state is not FigureState.VIOLATED or self.since is None:
            return None
        return max((self.day - self.since).days, 0) + 1

    @property
    def case(self) -> Violation:
        """The case; for those who know that there is one."""
        assert self.violation is not None
        return self.violation

    @property
    def days_of_case(self) -> int:
        """For how many days there is, or was, a case, predicted or open; the first one and the last included."""
        since = self.case.opened_on or self.case.predicted_on
        return max(((self.case.closed_on or self.day) - since).days, 0) + 1 if since is not None else 0

    @property
    def is_foreseen(self) -> bool:
        """Whether days ahead say something: of what is over its limit, closing or not read they do not."""
        return self.forecast is not None and not self.has_no_days

    @property
    def has_no_days(self) -> bool:
        """Whether no day ahead is told of it: its case is open, or its target was not read."""
        return self.unread is not None or self.state in (FigureState.VIOLATED, FigureState.CLOSING)

    @property
    def _current_forecast(self) -> Forecast | None:
        return self.forecast if self.is_foreseen else None

    @property
    def chance(self) -> float | None:
        return self._current_forecast.chance if self._current_forecast is not None else None

    @property
    def chance_words(self) -> str:
        """The chance as people read it: of a short history none smaller than can be told; a dash where there is none."""
        return (
            figures.MISSING
            if self._current_forecast is None
            else figures.chance(self.chance, self._current_forecast.least_chance)
        )

    @property
    def soonest_on(self) -> date | None:
        return self._current_forecast.soonest_on if self._current_forecast is not None else None

    @property
    def likely_on(self) -> date | None:
        return self._current_forecast.likely_on if self._current_forecast is not None else None

    @property
    def latest_on(self) -> date | None:
        return self._current_forecast.latest_on if self._current_forecast is not None else None

    @property
    def horizon(self) -> int | None:
        """Within how many days nothing is foreseen, where that is so."""
        has_none = self.is_foreseen and self.likely_on is None and self.chance is not None
        return self.forecast.horizon if has_none and self.forecast is not None else None

    @property
    def lead(self) -> int:
        """The days needed to act."""
        return lead_of(self.threshold)

    @property
    def days_left(self) -> int | None:
        return None if self.likely_on is None else (self.likely_on - self.day).days

    @property
    def slack(self) -> int | None:
        """Days left less the days needed to act; None where no day is foreseen."""
        return slack(self.days_left, self.lead)

    @property
    def slack_kind(self) -> str:
        """How slack is coloured: like what is violated where it is too late to act in time, like what is predicted, not."""
        if self.slack is not None and self.slack < 0:
            return "violated"
        return "at_risk" if self.slack is not None and self.state is FigureState.AT_RISK else ""

    @property
    def act_by(self) -> date | None:
        return None if self.likely_on is None else self.likely_on - timedelta(days=self.lead)

    @property
    def owner(self) -> str:
        source = self.violation or self.threshold
        return str(source.owner) if source is not None and source.owner else ""

    @property
    def plan(self) -> str:
        """Where its plan is: "step 2 of 5", "accepted", "no plan"; empty where there is no case."""
        return "" if self.violation is None else plan_of(self.violation)

    @property
    def closing_words(self) -> str:
        """ "closing, day 5 of 7", counted at the last judged day; empty where it is not closing."""
        if self.state is not FigureState.CLOSING or self.violation is None:
            return ""
        is_of_day = self.judged is None or self.violation.judged_on == self.day
        return closing_words(self.violation) if is_of_day else "closing"

    @property
    def days_left_words(self) -> tuple[str, str]:
        """What stands under "days left", and its kind: "over 8 d", "day 5 of 7", "25 d", "> 90 d"."""
        if self.days_over is not None:
            return f"over {self.days_over} d", "over"
        if self.state is FigureState.CLOSING:
            return self.closing_words.partition(", ")[2], "closing"
        if self.days_left is not None:
            return f"{self.days_left} d", "risk" if self.state is FigureState.AT_RISK else ""
        return (f"> {self.horizon} d", "far") if self.horizon is not None else ("", "")

    @property
    def reason(self) -> str:
        """Why there is no figure or no forecast, where there is none."""
        if self.unread is not None:
            return self.unread.because
        if self.forecast is not None:
            return "" if self.forecast.likely_on else self.forecast.reason
        if self.violation is not None or self.threshold is None:
            return ""
        not_yet = NOT_REACHED if self.judged in (None, FigureState.NO_DATA) else NOT_FORECAST_YET
        return NOT_FORESEEN.get(Form(self.threshold.form), not_yet)

    @property
    def note(self) -> str:
        """What stands in place of the days: over since, closing, why nothing is foreseen."""
        state = self.state
        if self.unread is not None:
            return self.unread.because
        if state is FigureState.CLOSING:
            return self.closing_words
        if state is FigureState.VIOLATED:
            return over_words(self.days_over) if self.days_over else "over its limit, no case is open yet"
        if self.likely_on is not None:
            return ""
        if self.horizon is not None:
            return f"no breach within {self.horizon} days"
        return f"no forecast: {self.reason}" if self.reason else "predicted" if self.violation else ""

    @property
    def urgency(self) -> tuple[Any, ...]:
        """
        What lists are ordered by: the state; of what is over severity, how far beyond and age; else the slack.

        What has no day comes after what has one, likelier first.
        """
        rank = WORST_FIRST.index(self.state)
        name = (self.target.name.lower(), self.what)
        if self.state is FigureState.VIOLATED:
            beyond = -(self.room_percent or 0.0)
            return rank, self.severity != Severity.CRITICAL, -beyond, self.since or self.day, *name
        slack = self.slack
        ahead = float(slack) if slack is not None else -(self.chance or 0.0)
        return rank, slack is None, ahead, self.day, *name
