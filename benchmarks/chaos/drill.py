"""The drill: kills as they were drawn, notes how long each part was away, fills the disk, lets held-back targets in."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psutil
import psycopg

from apps.config.embedded.postgres import Postgres
from benchmarks.chaos.estate import HELD_BACK, LET_IN
from benchmarks.chaos.installation import CHILDREN, Installation
from benchmarks.chaos.plan import SUPERVISOR, Kill

FULL_SECONDS = 20


@dataclass
class Away:
    """A part that was killed: when, which process it was, and how long the logs were then."""

    since: float
    pid: int
    marks: dict[str, int]
    was_full: bool  # the disk, at any time meanwhile


@dataclass
class Drill:
    """What was killed, and how long each took to be back."""

    installation: Installation
    choices: list[Kill]
    recoveries: dict[str, list[float]] = field(default_factory=dict)
    recoveries_while_full: dict[str, list[float]] = field(default_factory=dict)
    away: dict[str, Away] = field(default_factory=dict)
    kills: int = 0
    fills: int = 0
    ended: int = 0  # times the supervisor ended of itself
    is_full: bool = False

    def go_on(self, seconds: float, has_disk: bool) -> None:
        """Kill until it was enough; the disk is full after a third and after two thirds of the time for a while."""
        began = time.monotonic()
        fills = [seconds / 3, seconds * 2 / 3] if has_disk else []
        lets = [seconds * number / (HELD_BACK + 1) for number in range(1, HELD_BACK + 1)]
        empty_at, next_kill = 0.0, 0.0
        while (elapsed := time.monotonic() - began) < seconds:
            if fills and elapsed > fills[0]:
                fills.pop(0)
                self._fill()
                empty_at = time.monotonic() - began + FULL_SECONDS
            if self.is_full and elapsed > empty_at:
                self._empty()
            if lets and elapsed > lets[0] and self._let_in(HELD_BACK - len(lets)):
                lets.pop(0)
            if elapsed >= next_kill and (choice := self._kill_next()):
                next_kill = elapsed + choice.gap
            self.note_recoveries()
            time.sleep(0.1)
        self._empty()
        while lets and not self._let_in(HELD_BACK - len(lets)):
            self.settle(1)
        for number in range(HELD_BACK - len(lets), HELD_BACK):
            self._let_in(number)

    def settle(self, seconds: float) -> None:
        """Leave it alone for so long."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.note_recoveries()
            time.sleep(0.2)

    def note_recoveries(self) -> None:
        """A part is back when another process does its work."""
        if self.installation.process.poll() is not None:  # not by us: that must not be
            self.ended += 1
            self.installation.start()
        if not self.away:
            return
        parts = self.installation.parts()
        for name, absence in list(self.away.items()):
            is_new = name in parts and parts[name].pid != absence.pid
            if is_new and self.installation.answers(name, absence.marks):
                recoveries = self.recoveries_while_full if absence.was_full else self.recoveries
                recoveries.setdefault(name, []).append(time.monotonic() - absence.since)
                del self.away[name]

    @property
    def times(self) -> Sequence[float]:
        return [seconds for recovery in self.recoveries.values() for seconds in recovery]

    def _kill_next(self) -> Kill | None:
        if not self.choices or not self._is_up(self.choices[0].part):
            return None
        choice = self.choices.pop(0)
        marks = self.installation.marks()
        killed = self.installation.parts(choice.which).get(choice.part)
        with suppress(psutil.Error, AttributeError):
            killed.kill()  # type: ignore[union-attr]
        self.kills += 1
        if killed is not None and choice.part not in CHILDREN:
            self.away[choice.part] = Away(time.monotonic(), killed.pid, marks, self.is_full)
        if choice.part == SUPERVISOR:
            self.installation.process.wait()
            self.installation.start()
            self.away = {SUPERVISOR: self.away[SUPERVISOR]}  # all others are started anew with it
        return choice

    def _is_up(self, name: str) -> bool:
        """Whether a part whose turn it is can be killed: kills keep their order, so one that is away is waited for."""
        return CHILDREN.get(name, name) not in self.away and name in self.installation.parts()

    def _fill(self) -> None:
        self.installation.fill_disk()
        self.is_full, self.fills = True, self.fills + 1
        for absence in self.away.values():
            absence.was_full = True

    def _empty(self) -> None:
        self.installation.empty_disk()
        self.is_full = False

    def _let_in(self, number: int) -> bool:
        """Have one more of the targets with a past reviewed from now on; False while the database is away."""
        try:
            with psycopg.connect(Postgres(self.installation.folder).url, connect_timeout=2) as connection:
                connection.execute(LET_IN, [number])
        except psycopg.Error:
            return False
        return True
