"""The verdict of a profile: what is over its limit, what reaches one and when, what is closing, then the rest."""

from collections.abc import Sequence
from datetime import date

from apps.outlook.crossing_text import crossing_words
from apps.outlook.profile import ProfileOutlook
from apps.thresholds.judge import FigureState, JudgedRow
from apps.web.sentences import Part, are_over, capital, count, day_in_words

MOST_NAMES = 3


def verdict_of(looked: ProfileOutlook) -> list[Part]:
    """The first line of a profile; the facts are strong."""
    judged, unread = looked.judged, looked.unread
    limited = [row for row in judged.rows if row.threshold is not None]
    if unread is not None:
        name = judged.profile.target.name
        return [Part(f"{name} {unread.words}", True), Part(unread.because.removeprefix(unread.words) + ".")]
    if not limited:
        return [Part("No limit is set here yet"), Part("; propose some to see what is over.")]
    rows = {state: [row for row in limited if row.state is state] for state in FigureState}
    not_judged = rows[FigureState.NO_DATA]
    if len(not_judged) == len(limited):
        return [
            Part("Nothing could be judged", True),
            Part(f": {not_judged[0].reason or 'it was not read'}."),
        ]
    parts = _over_and_ahead(rows, limited, looked)
    is_all_inside = not parts
    if is_all_inside:
        parts = [Part("Nothing is over its limit", True), Part(".")]
    if rows[FigureState.CLOSING]:
        parts.append(Part(f" {_closing(rows[FigureState.CLOSING], looked)}."))
        is_all_inside = False
    if not_judged:
        parts.append(Part(f" {capital(count(len(not_judged), 'figure'))} could not be judged."))
    elif not is_all_inside:
        parts.append(Part(" Everything else is comfortable."))
    return parts


def _over_and_ahead(
    rows: dict[FigureState, list[JudgedRow]], limited: Sequence[JudgedRow], looked: ProfileOutlook
) -> list[Part]:
    """What is over its limit, and what reaches one; nothing where all is inside."""
    over, risky = rows[FigureState.VIOLATED], rows[FigureState.AT_RISK]
    if not over and not risky:
        return []
    parts = [Part(_over(over, limited), True)] if over else []
    if risky:
        parts += [Part(", and "), *_ahead(risky, looked)] if over else _ahead(risky, looked, is_first=True)
    return [*parts, Part(".")]


def _ahead(risky: Sequence[JudgedRow], looked: ProfileOutlook, *, is_first: bool = False) -> list[Part]:
    """What reaches its limit first, and when: "DATA is full around 18 December (soonest 10 December)"."""
    outlooks = [(looked.outlooks[row.row.key], row) for row in risky]
    first, row = min(outlooks, key=lambda pair: pair[0].likely_on or date.max)
    name = _names([row], is_first=is_first)
    if first.likely_on is None:
        return [Part(f"{_names(risky, is_first=is_first)} will be over a limit", True)]
    parts = [Part(f"{name} {crossing_words(first)} around {day_in_words(first.likely_on)}", True)]
    if first.soonest_on:
        parts.append(Part(f" (soonest {day_in_words(first.soonest_on)})"))
    if len(risky) > 1:
        parts.append(Part(f"; {count(len(risky) - 1, 'other figure')} will follow"))
    return parts


def _closing(rows: Sequence[JudgedRow], looked: ProfileOutlook) -> str:
    """What is inside its limit again: "log file sync is inside again: closing, day 5 of 7"."""
    if len(rows) > 1:
        return f"{capital(count(len(rows), 'figure'))} are inside their limit again and closing"
    (row,) = rows
    return f"{_names(rows, is_first=True)} is inside its limit again: {looked.outlooks[row.row.key].closing_words}"


def _over(over: Sequence[JudgedRow], limited: Sequence[JudgedRow]) -> str:
    nouns = {row.row.metric.display.noun for row in over}
    if len(nouns) == 1 and "" not in nouns:
        (noun,) = nouns
        alike = sum(row.row.metric.display.noun == noun for row in limited)
        return f"{len(over)} of {alike} {noun}s {are_over(len(over))}"
    if len(over) <= 2:
        return f"{_names(over, is_first=True)} {are_over(len(over))}"
    return f"{capital(count(len(over), 'figure'))} {are_over(len(over))}"


def _names(rows: Sequence[JudgedRow], *, is_first: bool = False) -> str:
    """The names of rows; at the beginning of a sentence ours get a capital, those of the source keep their spelling."""
    names = [row.row.metric.called(row.row.component) for row in rows]
    component = rows[0].row.component
    if is_first and not (component and names[0].startswith(component)):
        names[0] = capital(names[0])
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
