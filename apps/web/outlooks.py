"""The forecasts of a target in a table: chance, soonest, likely, latest day, and the slack that is left to act."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.thresholds.limits import limit_text
from apps.web.detail_shown import Cells
from apps.web.sentences import Part, count, day_in_words

HEADS = [
    "component", "statistic", "now", "unit", "limit", "chance", "soonest", "likely", "latest", "days to act", "slack in days",
    "made on", "method", "reason",
]  # fmt: skip
LEAD = 30  # days to act of a limit that names none


@dataclass(frozen=True)
class Outlook:
    """One figure's newest forecast; `slack` is the likely day less today less the days to act, None where there is none."""

    forecast: Forecast
    today: date

    @property
    def lead(self) -> int:
        return self.forecast.threshold.lead_time_days if self.forecast.threshold else LEAD

    @property
    def days_left(self) -> int | None:
        return (self.forecast.likely_on - self.today).days if self.forecast.likely_on else None

    @property
    def slack(self) -> int | None:
        return None if self.days_left is None else self.days_left - self.lead

    @property
    def limit(self) -> str:
        one = self.forecast
        return limit_text(one.threshold, one.unit) if one.threshold else figures.threshold(one.notation)

    @property
    def note(self) -> str:
        """Why there is no day, and how old the forecast is where it is not of today."""
        one = self.forecast
        said = one.reason
        if not said and one.likely_on is None:
            said = f"no breach within {one.horizon} days"
        age = (self.today - one.made_on).days
        return f"{said}{'; ' if said else ''}made {age} days earlier" if age > 1 else said

    @property
    def kind(self) -> str:
        """How its slack is marked: nothing is spent on what is far away."""
        if self.days_left is None:
            return "far"
        return "over" if (self.slack or 0) < 0 else "risk"


def outlooks_of(target: Target, day: date) -> list[Outlook]:
    """The newest forecast of every figure up to a day, least slack first; what has no day comes after, likelier first."""
    found = Forecast.objects.newest().filter(target=target, made_on__lte=day).select_related("threshold")
    every = [Outlook(one, day) for one in found]
    return sorted(
        every,
        key=lambda one: (
            one.slack is None,
            one.slack
            if one.slack is not None
            else -(one.forecast.chance if one.forecast.chance is not None else -1),
            one.forecast.metric,
            one.forecast.component,
        ),
    )


def sentence_of(target: Target, found: Sequence[Outlook]) -> list[Part]:
    """What crosses its limit first, when, and how sure that is."""
    if not found:
        return [
            Part(f"Nothing of {target.name} is forecast", True),
            Part(": a forecast needs a limit to run into."),
        ]
    crossing = [one for one in found if one.forecast.likely_on is not None]
    if not crossing:
        return [
            Part("No limit is likely to be crossed", True),
            Part(f" within {found[0].forecast.horizon} days."),
        ]
    first = min(crossing, key=lambda one: one.forecast.likely_on or date.max)
    forecast = first.forecast
    assert forecast.likely_on is not None
    parts = [Part(f"{forecast.what} crosses its limit around {day_in_words(forecast.likely_on)}", True)]
    if forecast.soonest_on:
        parts.append(Part(f" (soonest {day_in_words(forecast.soonest_on)})"))
    parts.append(Part(f", with a chance of {figures.chance(forecast.chance)} within {forecast.horizon} days"))
    if len(crossing) > 1:
        parts.append(Part(f"; {count(len(crossing) - 1, 'other')} will follow"))
    return [*parts, Part(".")]


def sheet_of(found: Sequence[Outlook]) -> tuple[list[str], Iterator[Cells]]:
    """The same for a file."""

    def rows() -> Iterator[Cells]:
        for one in found:
            forecast = one.forecast
            yield [
                forecast.component, forecast.metric, forecast.value, forecast.unit, forecast.notation, forecast.chance,
                forecast.soonest_on, forecast.likely_on, forecast.latest_on, one.lead, one.slack, forecast.made_on,
                forecast.method, forecast.reason,
            ]  # fmt: skip

    return HEADS, rows()
