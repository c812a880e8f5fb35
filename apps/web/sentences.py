"""The answers that pages open with: parts of text, the fact strong."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.charts.words import capital as capital
from apps.charts.words import in_words
from apps.collection.today import Today
from apps.thresholds.judge import JudgedProfile, JudgedRow, State


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; the fact is strong."""

    text: str
    strong: bool = False


def count(number: int, noun: str, plural: str = "") -> str:
    """A small number in words with its noun: "two violations"."""
    return f"{in_words(number)} {noun if number == 1 else plural or noun + 's'}"


def of_profile(judged: JudgedProfile, today: Today | None) -> list[Part]:
    """The verdict of a profile: what is over its limit, by section, then the rest."""
    if not judged.rows:
        return [
            Part("Nothing was measured yet: "),
            Part("two readings are needed for the first figures", True),
            Part("."),
        ]
    limited = [row for row in judged.rows if row.threshold is not None]
    over = [row for row in limited if row.state is State.VIOLATED]
    risky = [row for row in limited if row.state is State.AT_RISK]
    unread = [row for row in limited if row.state is State.NO_DATA]
    if not limited:
        return [Part("No limit is set here yet"), Part("; propose some to be told when comfort ends.")]
    parts: list[Part] = []
    if over:
        parts.append(Part(_over(over, limited), True))
        if risky:
            parts += [Part(", and "), Part(_names(risky) + " will be", True)]
        parts.append(Part("."))
    elif risky:
        parts += [Part(capital(_names(risky)), True), Part(" will go over a limit.")]
    elif len(unread) == len(limited):
        return [Part("Nothing could be judged", True), Part(f": {unread[0].reason or 'it was not read'}.")]
    else:
        parts += [Part("Nothing is over its limit", True), Part(".")]
    if unread:
        parts.append(Part(f" {capital(count(len(unread), 'figure'))} could not be judged."))
    elif over or risky:
        parts.append(Part(" Everything else is comfortable."))
    return parts


def _over(over: Sequence[JudgedRow], limited: Sequence[JudgedRow]) -> str:
    sections = {row.row.metric.section for row in over}
    if sections == {"Waits"}:
        waits = [row for row in limited if row.row.metric.section == "Waits"]
        verb = "is" if len(over) == 1 else "are"
        return f"{len(over)} of {len(waits)} wait events {verb} over {'its' if len(over) == 1 else 'their'} limit"
    if len(over) <= 2:
        return f"{_names(over)} {'is' if len(over) == 1 else 'are'} over {'its' if len(over) == 1 else 'their'} limit"
    return f"{capital(count(len(over), 'figure'))} are over their limit"


def _names(rows: Sequence[JudgedRow]) -> str:
    names = [row.row.component or row.row.metric.label for row in rows]
    if len(names) > 3:
        names = [*names[:2], f"{len(names) - 2} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def day_in_words(day: date) -> str:
    return figures.long_day(day).replace(figures.SPACE, " ")
