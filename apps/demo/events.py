"""The wait events of an instance by day: those that tell a story, and the usual ones around them."""

from dataclasses import dataclass

import numpy as np

from apps.demo.parts import Event, Instance
from apps.demo.rhythm import Days, Floats, drift, noise, wobble
from apps.demo.timeline import Key
from apps.demo.workload import BACKGROUND, FOREGROUND, IDLE_OF_CLIENTS

DAY_OF_MICROSECONDS = 86_400e6


@dataclass(frozen=True)
class Waits:
    """One event: how often it was waited for on each day, and for how many microseconds altogether."""

    name: str
    wait_class: str
    count: Floats
    time: Floats
    is_foreground: bool
    timeouts_share: float = 0.0

    def counters(self) -> dict[Key, Floats]:
        """The columns of v$system_event, the background's waits being none of a user's."""
        users = 1.0 if self.is_foreground else 0.0
        timeouts = np.floor(self.count * self.timeouts_share)
        return {
            ("wait_time", self.name): self.time,
            ("wait_count", self.name): self.count,
            ("wait_timeouts", self.name): timeouts,
            ("wait_time_fg", self.name): self.time * users,
            ("wait_count_fg", self.name): self.count * users,
            ("wait_timeouts_fg", self.name): timeouts * users,
        }


def all_waits(
    member: Instance, days: Days, db_time: Floats, executions: Floats, commits: Floats
) -> list[Waits]:
    """Every event of an instance; `db_time` in microseconds a day."""
    told = [_told(member, event, days) for event in member.events]
    names = {waits.name for waits in told}
    is_warehouse = member.workload.mix == "warehouse"
    usual = []
    for event in FOREGROUND:
        share = event.warehouse if is_warehouse else event.oltp
        if event.name not in names and share:
            length = _length(member, event.name, event.micros, days)
            wander = wobble(f"{member.name}/{event.name}/share", days.ages, 0.07)
            count = np.floor(share * _character(member, event.name) * wander * db_time / length)
            usual.append(Waits(event.name, event.wait_class, count, np.rint(count * length), True))
    for event in BACKGROUND:
        if event.name in names:
            continue
        length = _length(member, event.name, event.micros, days, wild=event.wait_class != "Idle")
        often = event.warehouse if is_warehouse else event.oltp
        wander = wobble(f"{member.name}/{event.name}/waits", days.ages, 0.03)
        count = np.floor(often * _character(member, event.name) * wander)
        timeouts = 0.96 if event.wait_class == "Idle" else 0.0
        usual.append(Waits(event.name, event.wait_class, count, np.rint(count * length), False, timeouts))
    return [*told, *usual, _clients(member, days, executions)]


def _told(member: Instance, event: Event, days: Days) -> Waits:
    """An event with a story: on the days of its knots the average is a whole number of microseconds, exactly."""
    name = f"{member.name}/{event.name}"
    occurs = np.ones(len(days.ages)) if event.since is None else (days.ages >= event.since).astype(float)
    count = np.rint(event.waits.by_day(f"{name}/waits", days)) * occurs
    length = np.rint(event.micros.by_day(f"{name}/micros", days))
    return Waits(event.name, event.wait_class, count, count * length, event.is_foreground)


def _length(member: Instance, event: str, micros: float, days: Days, *, wild: bool = True) -> Floats:
    name = f"{member.name}/{event}/micros"
    if not wild:
        return micros * wobble(name, days.ages, 0.002)
    return (
        micros * _character(member, event) * (wobble(name, days.ages, 0.05) + 0.05 * drift(name, days.ages))
    )


def _character(member: Instance, event: str) -> float:
    """What sets one instance apart from another in this event: between about 0.7 and 1.3."""
    return float(1.0 + 0.1 * noise([f"{member.name}/{event}/character"], np.array([0]))[0, 0])


def _clients(member: Instance, days: Days, executions: Floats) -> Waits:
    """The time in which clients had nothing to ask."""
    sessions = member.workload.sessions.by_day(f"{member.name}/sessions", days) * 0.7
    count = np.rint(executions * 0.5)
    return Waits(IDLE_OF_CLIENTS.name, "Idle", count, np.rint(sessions * DAY_OF_MICROSECONDS), True)
