"""The forecasts of a target in a table: state, chance, soonest, likely, latest day, and the slack that is left to act."""

from collections.abc import Iterator, Sequence

from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.web.pages.detail_reports.report_tables import Cells
from apps.web.sentences import Part, count, day_in_words

HEADS = [
    "component", "statistic", "state", "now", "unit", "limit", "chance", "soonest", "likely", "latest", "days to act",
    "slack in days", "act by", "made on", "method", "reason",
]  # fmt: skip


def sentence_of(target: Target, found: Sequence[Outlook]) -> list[Part]:
    """What crosses its limit first, when, and how sure that is."""
    if not found:
        return [
            Part(f"Nothing of {target.name} is forecast", True),
            Part(": a forecast needs a limit to run into."),
        ]
    if (unread := found[0].unread) is not None:
        return [
            Part(f"{target.name} {unread.words}", True),
            Part(unread.because.removeprefix(unread.words) + "."),
        ]
    crossing = sorted(
        (one for one in found if one.likely_on is not None), key=lambda one: one.likely_on or one.day
    )
    if not crossing:
        horizon = max((one.forecast.horizon for one in found if one.forecast), default=0)
        return [Part("No limit is likely to be crossed", True), Part(f" within {horizon} days.")]
    first = crossing[0]
    assert first.likely_on is not None
    parts = [Part(f"{first.what} crosses its limit around {day_in_words(first.likely_on)}", True)]
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


def sheet_of(found: Sequence[Outlook]) -> tuple[list[str], Iterator[Cells]]:
    """The same for a file."""

    def rows() -> Iterator[Cells]:
        for one in found:
            forecast = one.forecast
            yield [
                one.component, one.metric, str(one.state).replace("_", " "), one.value, one.unit, one.notation,
                one.chance, one.soonest_on, one.likely_on, one.latest_on, one.lead, one.slack, one.act_by,
                forecast.made_on if forecast else None, forecast.method if forecast else "", one.note,
            ]  # fmt: skip

    return HEADS, rows()
