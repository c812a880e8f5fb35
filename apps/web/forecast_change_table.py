"""Why a forecast changed, as its page and a case file say it: a sentence, and a table whose days add up."""

from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.charts.words import count
from apps.forecasting.figure_forecast import FigureForecast
from apps.forecasting.forecast_change import (
    ChangePart,
    ForecastChange,
    explain_change,
    find_earlier_forecast,
    has_moved,
)
from apps.forecasting.limited_figures import LimitedFigure
from apps.forecasting.models import Forecast
from apps.forecasting.predict import METHOD
from apps.thresholds.models import Violation
from apps.web.cells import below
from apps.web.sentences import capital, day_in_words
from apps.web.tables import FigureColumn, RowHead, Table


@dataclass(frozen=True)
class ChangeRow:
    """A night, or what moved its forecast: by how many days and points, and what it came to."""

    what: str
    detail: str = ""
    likely: date | None = None
    chance: float | None = None
    days: int | None = None
    points: float | None = None
    is_night: bool = False


def _signed(value: float) -> str:
    whole = round(value)
    return "0" if not whole else f"{'+' if whole > 0 else '−'}{abs(whole)}"


CHANGE: Table[ChangeRow] = Table(
    "change",
    "What moved the forecast",
    (
        RowHead("what moved it", lambda row: row.what, lambda row: below(row.what, row.detail) if row.detail else row.what),
        FigureColumn("days", lambda row: row.days, lambda row: "" if row.days is None else _signed(row.days)),
        FigureColumn("likely", lambda row: row.likely, lambda row: figures.short_day(row.likely) if row.likely else "none"),
        FigureColumn("points", lambda row: row.points, lambda row: "" if row.points is None else _signed(100 * row.points), label="points of chance", file_head="chance, points"),
        FigureColumn("chance", lambda row: row.chance, lambda row: figures.chance(row.chance)),
    ),
    row_css=lambda row: "sum" if row.is_night else "",
    title="Why it changed",
)  # fmt: skip


def find_change(forecast: FigureForecast, since: date | None = None) -> ForecastChange | None:
    """
    Why the forecast of the first limit is another than a week ago; None where it has not moved by more than the days to act.

    With a night that somebody chose, why it is another than on that night, however little it moved.
    """
    answer = next((limit for limit in forecast.limits if not limit.figure.is_change), None)
    if answer is None or answer.prediction.chance is None or answer.prediction.is_violated:
        return None
    threshold = answer.threshold
    before = find_earlier_forecast(threshold, forecast.target, forecast.component, forecast.on, since)
    if before is None:
        return None
    if since is None and not has_moved(
        before, answer.likely_on, answer.prediction.chance, threshold.lead_time_days
    ):
        return None
    return explain_change(before, answer.figure, forecast.target, forecast.on)


def explain_case(violation: Violation) -> str:
    """Why what is predicted of a case is another than a week ago, in a sentence; empty where it has not moved much."""
    threshold, target = violation.threshold, violation.target
    if (
        threshold is None
        or not violation.is_live
        or not violation.is_predicted
        or target.reviewed_through is None
    ):
        return ""
    figure = LimitedFigure(threshold, violation.component)
    nights = Forecast.objects.filter(
        target=target, threshold=threshold, component=violation.component, made_on=target.reviewed_through
    )
    now, before = (
        nights.first(),
        find_earlier_forecast(threshold, target, violation.component, target.reviewed_through),
    )
    if now is None or now.chance is None or before is None:
        return ""
    if not has_moved(before, now.likely_on, now.chance, threshold.lead_time_days):
        return ""
    change = explain_change(before, figure, target, now.made_on)
    return "" if change is None else capital(write_change(change, violation.what))


def change_rows(change: ForecastChange) -> list[ChangeRow]:
    """The earlier night, each part with what it moved, the night of today, and the difference."""
    before, after = change.before, change.after
    parts = [
        ChangeRow(
            name_part(change, stage.part),
            _detail(change, stage.part),
            stage.day,
            stage.chance,
            change.days_of(place),
            change.chance_of(place),
        )
        for place, stage in enumerate(change.stages)
    ]
    first = ChangeRow(
        f"forecast of {day_in_words(before.made_on)}", "", before.likely_on, before.chance, is_night=True
    )
    moved = None if before.chance is None or after.chance is None else after.chance - before.chance
    last = ChangeRow(
        f"forecast of {day_in_words(change.on)}",
        "",
        after.day,
        after.chance,
        change.days,
        moved,
        is_night=True,
    )
    return [first, *parts, last]


def write_change(change: ForecastChange, what: str) -> str:
    """ "DATA is likely to reach its limit 43 days sooner than forecast on 11 January. It goes on by 5.5 instead of 3.2 GB a day." """
    before = change.before
    when = f"than forecast on {day_in_words(before.made_on)}"
    if change.days is not None:
        way = "sooner" if change.days < 0 else "later"
        moved = f"{what} is likely to reach its limit {count(abs(change.days), 'day')} {way} {when}"
        if not change.days:
            moved = f"{what} is likely to reach its limit on the day that was forecast on {day_in_words(before.made_on)}"
    else:
        then, now = (figures.chance(each) for each in (before.chance, change.after.chance))
        way = "is now likely" if change.after.day else "is no longer likely"
        moved = f"{what} {way} to reach its limit: the chance was {then} on {day_in_words(before.made_on)} and is {now}"
    main = _main_part(change)
    return f"{moved}." if main is None else f"{moved}. {capital(_reason(change, main))}."


def _main_part(change: ForecastChange) -> ChangePart | None:
    """The part that moved it most: by days where each night has one, else by its chance."""
    sizes = [
        (
            abs((change.days_of(place) if change.days is not None else change.chance_of(place)) or 0),
            stage.part,
        )
        for place, stage in enumerate(change.stages)
    ]
    size, part = max(sizes, key=lambda pair: pair[0])
    return part if size else None


def name_part(change: ForecastChange, part: ChangePart) -> str:
    """What a row of the table is called."""
    new_days = (change.on - change.before.made_on).days
    return {
        ChangePart.METHOD: "method",
        ChangePart.LEVEL: f"{count(new_days, 'new day')}: where it stands",
        ChangePart.GROWTH: f"{count(new_days, 'new day')}: growth from here",
        ChangePart.SHIFT: "trend changes",
        ChangePart.LIMIT: "limit",
        ChangePart.DECIDED: "decided changes",
    }[part]


def _detail(change: ForecastChange, part: ChangePart) -> str:
    return (
        _reason(change, part)
        if _has_reason(change, part)
        else {
            ChangePart.METHOD: "the same",
            ChangePart.SHIFT: "none was accepted",
            ChangePart.LIMIT: f"{figures.threshold(change.notation)} on both nights",
            ChangePart.DECIDED: "none was decided",
        }.get(part, "")
    )


def _has_reason(change: ForecastChange, part: ChangePart) -> bool:
    return {
        ChangePart.METHOD: change.before.method != METHOD,
        ChangePart.SHIFT: bool(change.accepted),
        ChangePart.LIMIT: change.before.notation != change.notation,
        ChangePart.DECIDED: bool(change.decided),
    }.get(part, True)


def _reason(change: ForecastChange, part: ChangePart) -> str:
    """What is different, in words."""
    unit = change.before.unit
    if part is ChangePart.LEVEL:
        way = "above" if change.level >= 0 else "below"
        return f"it stands {figures.figure(abs(change.level))} {unit} {way} what was expected".replace(
            "  ", " "
        )
    if part is ChangePart.GROWTH:
        then, now = (figures.figure(each) for each in change.growth)
        return f"it goes on by {now} instead of {then} {unit} a day".replace("  ", " ")
    if part is ChangePart.SHIFT:
        days = ", ".join(day_in_words(day) for day in change.accepted)
        return f"a trend change was accepted ({days})" if days else "trend changes count for less"
    if part is ChangePart.LIMIT:
        return f"the limit was {figures.threshold(change.before.notation)}, it is {figures.threshold(change.notation)}"
    if part is ChangePart.DECIDED:
        changes = ", ".join(f"{each.change} from {day_in_words(each.on)}" for each in change.decided)
        return f"decided since: {changes}" if changes else "what was decided"
    return (
        "the method is another"
        if change.before.method != METHOD
        else "figures of the days before were completed"
    )
