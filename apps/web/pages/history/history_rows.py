"""What a target remembers, as its page lists it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.charts import figures
from apps.charts.words import capital, count
from apps.collection.history.models import HistoryImport
from apps.collection.history.reach import HistoryReach
from apps.collection.history.sources import has_history
from apps.inventory.models import Target

State = HistoryImport.State
HORIZONS = (90, 30, 7)


@dataclass(frozen=True)
class SourceRow:
    """One source: what it gives, how far back, what is to read, and which columns of a profile it fills."""

    reach: HistoryReach
    is_chosen: bool
    today: date

    @property
    def back_to(self) -> str:
        return "–" if self.reach.first is None else figures.day_and_year(self.reach.first)

    @property
    def days(self) -> str:
        return figures.whole(self.reach.days) if self.reach.days else ""

    @property
    def to_read(self) -> str:
        return f"{figures.whole(self.reach.rows)} {self.reach.what}" if self.reach.days else ""

    @property
    def notes(self) -> str:
        return "; ".join(self.reach.notes)

    @property
    def horizons(self) -> Sequence[tuple[int, bool]]:
        """Which of the days that a profile compares with it reaches."""
        first, last = self.reach.first, self.reach.last
        return [
            (
                back,
                first is not None and last is not None and first <= self.today - timedelta(days=back) <= last,
            )
            for back in HORIZONS
        ]


def source_rows(history: HistoryImport | None, today: date) -> list[SourceRow]:
    """The sources that were looked for; until somebody chose, all that have days are chosen."""
    if history is None:
        return []
    chosen = set(history.chosen)
    return [
        SourceRow(reach, reach.key in chosen if chosen else bool(reach.days), today)
        for reach in history.reaches
    ]


def sentence_of(target: Target, history: HistoryImport | None) -> tuple[str, str]:
    """What the page answers first, and what follows it."""
    if history is None and not has_history(target):
        return f"{target.name} is not asked for its past", ": what is known of its days stands below."
    if history is None:
        return (
            f"{target.name} may remember more than Headroom has read",
            ": look what there is; nothing is stored by that.",
        )
    match State(history.state):
        case State.LOOKING:
            return f"{target.name} is being asked what it remembers", "; that takes half a minute at most."
        case State.REFUSED:
            return f"{target.name} could not be asked", f": {history.reason}"
        case State.LISTED:
            return _listed(target, history)
        case State.READING | State.PAUSED:
            share = figures.fixed(100 * history.share_read, 0)
            begun = "is being read" if history.state == State.READING else "is paused"
            stored = capital(count(history.days_stored, "day"))
            return (
                f"The history of {target.name} {begun}",
                f": {share}{figures.SPACE}% done. {stored} stored.",
            )
        case State.TAKEN_BACK:
            return f"The history of {target.name} was taken back", ": its profile has its own days alone."
        case _:
            return _read(target, history)


def _listed(target: Target, history: HistoryImport) -> tuple[str, str]:
    firsts = [reach.first for reach in history.reaches if reach.first is not None]
    if not firsts:
        return f"No history of {target.name} was found", "; what would help stands below."
    most = max(reach.days for reach in history.reaches)
    return (
        f"{capital(count(most, 'day'))} of {target.name} can be read",
        f", back to {figures.day_and_year(min(firsts))}. Nothing is stored yet.",
    )


def _read(target: Target, history: HistoryImport) -> tuple[str, str]:
    if history.oldest is None:
        return f"Nothing of {target.name} was stored", ": all its days were measured already."
    days = capital(count(history.days_stored, "day"))
    facts = len(history.fact_keys)
    about_facts = (
        f" What changed of parameters and patches stands on charts: {count(facts, 'value')}." if facts else ""
    )
    return (
        f"{days} of history of {target.name} are read",
        f", back to {figures.day_and_year(history.oldest)}.{about_facts}",
    )
