"""The scene of the method's table of ten wait events (golden.py): an instance whose waits were these, on the days it compares."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from apps.platforms.oracle.tests.conftest import event, fill
from apps.platforms.oracle.tests.golden import PROFILE
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.thresholds.register import add_threshold
from testing.oracle_server import Clock, Database

WAITS = 5000  # a day, of each event
BACK = {90: DAY - timedelta(days=90), 30: DAY - timedelta(days=30), 7: DAY - timedelta(days=8), 0: DAY}
HORIZONS = (90, 30, 7, 0)
CPU_HOURS = 3.0

# beside those of the slide: what a ranking must leave out, and what it must not
OTHERS = {
    "SQL*Net message from client": ("Idle", 90_000.0),
    "PX Deq: Execution Msg": ("Idle", 80_000.0),
    "PX Deq Credit: send blkd": ("Other", 70_000.0),
    "log buffer space": ("Configuration", 0.01),
}


class SlideStory:
    """The waits of an instance, added up day by day."""

    def __init__(self) -> None:
        self.waits: dict[str, tuple[str, int, int]] = {}
        self.cpu = 0

    def live(self, averages: Mapping[str, tuple[str, float]]) -> None:
        """A day in which each event was waited for so long on average, in centiseconds."""
        for name, (wait_class, centiseconds) in averages.items():
            _, waits, micro = self.waits.get(name, ("", 0, 0))
            spent = round(WAITS * centiseconds * 10_000)
            self.waits[name] = (wait_class, waits + WAITS, micro + spent)
        self.cpu += round(CPU_HOURS * 3600e6)

    def rows(self, now: datetime) -> list[dict[str, Any]]:
        return [event(name, *values) for name, values in self.waits.items()]

    def time_model(self, now: datetime) -> list[dict[str, Any]]:
        return [
            {"stat_name": "DB CPU", "value": self.cpu},
            {"stat_name": "background cpu time", "value": 0},
        ]


def play(story: SlideStory, clock: Clock, start: datetime) -> Database:
    database = fill(Database("GISPRD", clock=clock, started_at=start - timedelta(days=9)))
    story.live({"control file sequential read": ("System I/O", 0.01)})
    database.set_rows("v$system_event", story.rows)
    database.set_rows("v$sys_time_model", story.time_model)
    return database


@contextmanager
def slide_lived() -> Iterator[Life]:
    """The four days, 7 days ago read a day earlier than asked for, and the limits of the slide."""
    story, clock = SlideStory(), Clock(MIDNIGHT)
    start = MIDNIGHT - timedelta(days=90)
    clock.move_to(start)
    with life_of(play(story, clock, start), clock, sorted(BACK.values())) as life:
        for horizon, day in BACK.items():
            life.move_to(datetime.combine(day, MIDNIGHT.time(), MIDNIGHT.tzinfo))
            life.collect()
            averages = {
                name: (wait_class, average)
                for name, wait_class, values, *_ in PROFILE
                if (average := values[HORIZONS.index(horizon)]) is not None
            }
            story.live({**averages, **OTHERS})
            life.clock.advance(days=1)
            life.collect()
        for name, _, _, limit, *_ in PROFILE:
            add_threshold("wait_avg_ms", limit, component=name, now=life.clock())
        yield life
