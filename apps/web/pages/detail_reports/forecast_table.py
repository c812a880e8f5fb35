"""The forecasts of a target in a table: state, chance, soonest, likely, latest day, and the slack that is left to act."""

from collections.abc import Sequence
from datetime import date

from django.utils.safestring import SafeString

from apps.charts import figures
from apps.inventory.models import Target
from apps.outlook.crossing_text import crossing_words
from apps.outlook.figure import Outlook
from apps.web.cells import link, state
from apps.web.sentences import Part, count, day_in_words
from apps.web.sheet_cells import word
from apps.web.tables import Column, FigureColumn, RowHead, Table


def sentence_of(target: Target, outlooks: Sequence[Outlook]) -> list[Part]:
    """What crosses its limit first, when, and how sure that is."""
    if not outlooks:
        return [
            Part(f"Nothing of {target.name} is forecast", True),
            Part(": a forecast needs a limit to reach."),
        ]
    if (unread := outlooks[0].unread) is not None:
        return [
            Part(f"{target.name} {unread.words}", True),
            Part(unread.because.removeprefix(unread.words) + "."),
        ]
    crossing = sorted(
        (outlook for outlook in outlooks if outlook.likely_on is not None),
        key=lambda outlook: outlook.likely_on or outlook.day,
    )
    if not crossing:
        horizon = max((outlook.forecast.horizon for outlook in outlooks if outlook.forecast), default=0)
        return [Part("No limit is likely to be reached", True), Part(f" within {horizon} days.")]
    first = crossing[0]
    assert first.likely_on is not None
    parts = [Part(f"{first.what} {crossing_words(first)} around {day_in_words(first.likely_on)}", True)]
    if first.soonest_on:
        parts.append(Part(f" (soonest {day_in_words(first.soonest_on)})"))
    horizon = first.forecast.horizon if first.forecast else 0
    parts.append(Part(f", with a chance of {first.chance_words} within {horizon} days"))
    if len(crossing) > 1:
        parts.append(Part(f"; {count(len(crossing) - 1, 'other')} will follow"))
    return [*parts, Part(".")]


def note_of(outlook: Outlook) -> str:
    """Why there is no day, and how old the forecast is where it is not of today."""
    age = 0 if outlook.forecast is None else (outlook.day - outlook.forecast.made_on).days
    old = f"made {age} days earlier" if age > 1 and outlook.unread is None else ""
    return "; ".join(filter(None, (outlook.note.removeprefix("no forecast: "), old)))


def _made_on(outlook: Outlook) -> date | None:
    return outlook.forecast.made_on if outlook.forecast else None


def _limit(outlook: Outlook) -> SafeString:
    url = outlook.threshold.get_absolute_url() if outlook.threshold else ""
    return link(url, outlook.limit_words, "")


def _latest(outlook: Outlook) -> str:
    if outlook.latest_on:
        return figures.short_day(outlook.latest_on)
    return "later" if outlook.likely_on else "–"


def _day(day: date | None) -> str:
    return figures.short_day(day) if day else "–"


SLACK_CSS = {"violated": "strong c-over", "at_risk": "strong c-risk"}
OUTLOOKS: Table[Outlook] = Table(
    "outlooks",
    "Forecasts of the target, worst first",
    (
        RowHead("figure", show=lambda row: link(row.forecast_url, row.what)),
        Column("component", lambda row: row.component, in_file_only=True),
        Column("statistic", lambda row: row.metric, in_file_only=True),
        Column("state", lambda row: word(row.state), lambda row: state(row.state, row.note), css="nowrap"),
        FigureColumn("now", lambda row: row.value, lambda row: figures.figure(row.value), has_unit=True),
        FigureColumn("limit", lambda row: row.notation, _limit, has_unit=True),
        Column("unit", lambda row: row.unit, css="sub nowrap"),
        FigureColumn("chance", lambda row: row.chance, lambda row: row.chance_words),
        FigureColumn("soonest", lambda row: row.soonest_on, lambda row: _day(row.soonest_on)),
        FigureColumn("likely", lambda row: row.likely_on, lambda row: _day(row.likely_on), css="strong"),
        FigureColumn("latest", lambda row: row.latest_on, _latest),
        FigureColumn(
            "to act", lambda row: row.lead, lambda row: f"{row.lead} d", file_head="days to act"
        ),
        FigureColumn(
            "slack",
            lambda row: row.slack,
            lambda row: figures.slack(row.slack),
            css=lambda row: SLACK_CSS.get(row.slack_kind, "c-far"),
            file_head="slack in days",
        ),
        Column("act by", lambda row: row.act_by, in_file_only=True),
        Column("made on", _made_on, in_file_only=True),
        Column("method", lambda row: row.forecast.method if row.forecast else "", in_file_only=True),
        Column("note", show=note_of, css="quiet-text"),
        Column("reason", lambda row: row.note, in_file_only=True),
    ),
    title="Forecasts",
    opens_rows=True,
    file_order=(
        "component", "statistic", "state", "now", "unit", "limit", "chance", "soonest", "likely", "latest",
        "days to act", "slack in days", "act by", "made on", "method", "reason",
    ),
)  # fmt: skip
