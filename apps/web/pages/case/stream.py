"""What people wrote and what happened, in one stream, newest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from apps.advisors.models import Comment
from apps.people.models import User
from apps.thresholds.models import Step, Violation

GONE = "somebody who has left"


@dataclass(frozen=True)
class Entry:
    """A comment or a step of a case; a comment has the initials of who wrote it, a step says what became of what."""

    at: datetime
    who: str
    words: str
    initials: str = ""
    on: date | None = None  # whose figures the review took the step by
    change: str = ""

    @property
    def is_comment(self) -> bool:
        return bool(self.initials)


def write_stream(comments: Iterable[Comment], steps: Sequence[Step]) -> list[Entry]:
    """Both together, newest first; of the same moment what came last is first."""
    entries = [
        *(_of_step(step) for step in steps),
        *(
            Entry(comment.at, str(comment.by or GONE), comment.text, initials_of(comment.by))
            for comment in comments
        ),
    ]
    return sorted(entries, key=lambda entry: entry.at)[::-1]


def _of_step(step: Step) -> Entry:
    before, after = _word(step.before), _word(step.after)
    change = after if not before else f"{before} → {after}" if before != after else ""
    return Entry(step.at, str(step.by) if step.by else "the review", step.sentence, on=step.on, change=change)


def initials_of(person: User | None) -> str:
    """Two letters of a name; a dash of somebody who has left."""
    letters = [word[0] for word in str(person or "").replace(".", " ").split() if word[0].isalnum()]
    return "".join(letters[:1] + letters[1:][-1:]).upper() or "–"


def _word(state: str) -> str:
    return Violation.State(state).label if state else ""
