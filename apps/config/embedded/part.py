"""One of the processes that make up Headroom: how it fares, what it rests on, and when it is started again."""

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.config.embedded.child import Child

DELAYS = (1, 2, 4, 8, 16, 30)  # seconds until the next start
STABLE_AFTER = 60  # seconds after which earlier failures are forgotten
DELAY_AFTER_OTHERS = 1  # seconds, where what the part rests on was away
DELAY_WITHOUT_ROOM = 5  # seconds, where the disk is full
LONGEST_DELAY_AFTER_KILL = 4  # seconds, where somebody else ended it
AFTERMATH = 15  # seconds in which a part still ends because of what was away
ASK_EVERY = 0.5  # seconds between questions whether a server answers ...
ASK_AGAIN_EVERY = 5  # ... once it has
LONGEST_SILENCE = 30  # seconds in which a server that lives may leave every question open
KILLS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT})


@dataclass(eq=False)
class SupervisedPart:
    """
    A process, and how it fares.

    `is_ready` is given for the servers that others rest on: such a part is up once it answers, not when it was started.
    A part is not started while one that it `needs` is away.
    """

    name: str
    title: str
    start: Callable[[], Child]
    is_ready: Callable[[], bool] | None = None
    needs: Sequence["SupervisedPart"] = ()
    child: Child | None = None
    started_at: float = 0
    failures: int = 0
    due_at: float | None = None
    has_answered: bool = False
    asked_at: float = 0
    answered_at: float = 0
    away_at: float | None = None  # when it was last seen away
    complaint: str = ""  # the last sentence about it, so that none is said twice in a row

    def begin(self) -> Child:
        """Start it; raises whatever keeps it from starting."""
        self.started_at, self.due_at = time.monotonic(), None
        self.has_answered = False
        self.child = self.start()
        return self.child

    @property
    def is_up(self) -> bool:
        """Whether it runs and, if it is a server, has answered since it was started."""
        is_alive = self.due_at is None and self.child is not None and self.child.is_alive
        return is_alive and (self.has_answered or self.is_ready is None)

    @property
    def was_killed(self) -> bool:
        """Whether somebody else ended it."""
        return self.child is not None and -(self.child.process.poll() or 0) in KILLS

    @property
    def may_start(self) -> bool:
        """Whether it is due, and all it needs is up."""
        is_due = self.due_at is not None and time.monotonic() >= self.due_at
        return is_due and all(need.is_up for need in self.needs)

    def comes_up(self) -> bool:
        """Whether a server that was started just now answers for the first time; it is asked twice a second."""
        if self.is_ready is None or self.has_answered or time.monotonic() < self.asked_at + ASK_EVERY:
            return False
        return self._ask()

    def is_silent(self) -> bool:
        """Whether a server that lives and has answered does so no more: a process can hang, and never end."""
        if not self.has_answered or time.monotonic() < self.asked_at + ASK_AGAIN_EVERY:
            return False
        return not self._ask() and time.monotonic() - self.answered_at > LONGEST_SILENCE

    def note_answer(self) -> None:
        self.has_answered, self.answered_at = True, time.monotonic()

    def _ask(self) -> bool:
        self.asked_at = time.monotonic()
        if self.is_ready is None or not self.is_ready():
            return False
        self.note_answer()
        return True

    def note_presence(self) -> None:
        """Remember when it was away, for those that rest on it."""
        if not self.is_up:
            self.away_at = time.monotonic()

    def count_failure(self, *, has_room: bool = True) -> int:
        """
        Note that it ended, or did not start; return in how many seconds it is due again.

        The pause grows with failures of its own alone: not while the disk is full, and not with those of the parts
        it needs. After a kill from outside it stays short.
        """
        now = time.monotonic()
        if not has_room:
            delay = DELAY_WITHOUT_ROOM
        elif any(need.was_away_lately for need in self.needs):
            delay = DELAY_AFTER_OTHERS
        else:
            delay = self._count_own_failure(now)
        self.due_at = now + delay
        return delay

    @property
    def was_away_lately(self) -> bool:
        """Whether what ends now may have ended because of it."""
        return self.away_at is not None and time.monotonic() - self.away_at <= AFTERMATH

    def _count_own_failure(self, now: float) -> int:
        if now - self.started_at > STABLE_AFTER:
            self.failures = 0
        delay = DELAYS[min(self.failures, len(DELAYS) - 1)]
        self.failures += 1
        return min(delay, LONGEST_DELAY_AFTER_KILL) if self.was_killed else delay
