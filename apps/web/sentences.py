"""The answers that pages open with: parts of text, the fact strong."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.charts.words import capital as capital
from apps.charts.words import count as count
from apps.outlook.counts import Counts
from apps.outlook.profile import ProfileOutlook
from apps.thresholds.judge import FigureState, JudgedRow


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; the fact is strong."""

    text: str
    strong: bool = False


def counted(counts: Counts, first: str = "") -> list[Part]:
    """What is over its limit, with the first of it, will be, is closing, or cannot be told; nothing where there is no case."""
    if not counts.lead:
        return []
    return [Part(f"{counts.lead}{first}", True), *(Part(f"; {rest}") for rest in counts.rest), Part(".")]


def are_over(number: int) -> str:
    return "is over its limit" if number == 1 else "are over their limit"


def of_profile(looked: ProfileOutlook) -> list[Part]:
    """The verdict of a profile: what is over its limit, by section, what will be, what is closing, then the rest."""
    judged, unread = looked.judged, looked.unread
    name = judged.profile.target.name
    limited = [row for row in judged.rows if row.threshold is not None]
    if unread is not None:
        return [Part(f"{name} {unread.words}", True), Part(unread.because.removeprefix(unread.words) + ".")]
    if not limited:
        return [Part("No limit is set here yet"), Part("; propose some to be told when comfort ends.")]
    rows = {state: [row for row in limited if row.state is state] for state in FigureState}
    over, risky, closing, not_judged = (
        rows[state]
        for state in (FigureState.VIOLATED, FigureState.AT_RISK, FigureState.CLOSING, FigureState.NO_DATA)
    )
    parts: list[Part] = []
    if over:
        parts.append(Part(_over(over, limited), True))
        if risky:
            parts += [Part(", and "), Part(_names(risky) + " will be", True), Part(_when(risky, looked))]
        parts.append(Part("."))
    elif risky:
        parts += [Part(capital(_names(risky)), True), Part(f" will go over a limit{_when(risky, looked)}.")]
    elif len(not_judged) == len(limited):
        return [
            Part("Nothing could be judged", True),
            Part(f": {not_judged[0].reason or 'it was not read'}."),
        ]
    else:
        parts += [Part("Nothing is over its limit", True), Part(".")]
    if closing:
        parts.append(Part(f" {_closing(closing, looked)}."))
    if not_judged:
        parts.append(Part(f" {capital(count(len(not_judged), 'figure'))} could not be judged."))
    elif over or risky or closing:
        parts.append(Part(" Everything else is comfortable."))
    return parts


def _when(risky: Sequence[JudgedRow], looked: ProfileOutlook) -> str:
    """When the first of them crosses: ", around 18 December (soonest 10 December)"."""
    ahead = [looked.outlooks[row.row.key] for row in risky]
    first = min(
        (outlook for outlook in ahead if outlook.likely_on),
        key=lambda outlook: outlook.likely_on or date.max,
        default=None,
    )
    if first is None or first.likely_on is None:
        return ""
    soonest = f" (soonest {day_in_words(first.soonest_on)})" if first.soonest_on else ""
    which = "" if len(risky) == 1 else " the first"
    return f",{which} around {day_in_words(first.likely_on)}{soonest}"


def _closing(rows: Sequence[JudgedRow], looked: ProfileOutlook) -> str:
    """What is inside its limit again: "log file sync is inside again: closing, day 5 of 7"."""
    if len(rows) > 1:
        return f"{capital(count(len(rows), 'figure'))} are inside their limit again and closing"
    (row,) = rows
    return f"{capital(_names(rows))} is inside its limit again: {looked.outlooks[row.row.key].closing_words}"


def _over(over: Sequence[JudgedRow], limited: Sequence[JudgedRow]) -> str:
    nouns = {row.row.metric.display.noun for row in over}
    is_over = are_over(len(over))
    if len(nouns) == 1 and "" not in nouns:
        (noun,) = nouns
        alike = sum(row.row.metric.display.noun == noun for row in limited)
        return f"{len(over)} of {alike} {noun}s {is_over}"
    if len(over) <= 2:
        return f"{_names(over)} {is_over}"
    return f"{capital(count(len(over), 'figure'))} {is_over}"


def _names(rows: Sequence[JudgedRow]) -> str:
    names = [row.row.metric.called(row.row.component) for row in rows]
    if len(names) > 3:
        names = [*names[:2], f"{len(names) - 2} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def day_in_words(day: date) -> str:
    return figures.long_day(day).replace(figures.SPACE, " ")
