"""The wait events of an instance by day: those that tell a story, and the usual ones around them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from apps.demo.parts import DemoEvent, DemoInstance
from apps.demo.rhythm import Days, Floats, drift, noise, wobble
from apps.demo.timeline import Key
from apps.demo.workload import BACKGROUND, FOREGROUND, IDLE_OF_CLIENTS, UsualEvent

DAY_OF_MICROSECONDS = 86_400e6
COMMIT, LOG_WRITE = "log file sync", "log file parallel write"


@dataclass(frozen=True)
class Responses:
    """Milliseconds that a request takes on the devices of the host, by day."""

    data_read: Floats
    data_write: Floats
    redo_read: Floats
    redo_write: Floats


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


def scripted_waits(member: DemoInstance, days: Days, demanded: Mapping[str, Floats]) -> list[Waits]:
    """The events with a story; `demanded` is how often some of them occur because of the work."""
    return [_scripted_waits(member, event, days, demanded) for event in member.events]


def usual_waits(
    member: DemoInstance,
    days: Days,
    responses: Responses,
    *,
    left: Floats,
    demanded: Mapping[str, Floats],
    without: set[str],
) -> list[Waits]:
    """
    The events that every instance waits for, without those that were told.

    Users spend the microseconds that are `left` of DB time in them, each event by its share; of the events that are
    `demanded` it is known how often they occur.
    """
    is_warehouse = member.workload.mix == "warehouse"
    own = {event.name: event for event in (*FOREGROUND, *BACKGROUND) if event.name not in without}
    lengths = {name: _length(member, event, days, responses) for name, event in own.items()}
    shares = {
        event.name: (event.warehouse if is_warehouse else event.oltp)
        * _character(member, event.name)
        * wobble(f"{member.name}/{event.name}/share", days.ages, 0.07)
        for event in FOREGROUND
        if event.name in own and event.name not in demanded
    }
    users = {event.name for event in FOREGROUND}
    whole = sum(shares.values(), start=np.zeros(len(days.ages)))
    spent = sum(
        (demanded[name] * lengths[name] for name in own if name in users and name in demanded), start=0.0
    )
    rest = np.maximum(left - spent, 0.2 * left)
    counts = {name: rest * share / whole / lengths[name] for name, share in shares.items()}
    for event in BACKGROUND:
        if event.name in own and event.name not in demanded:
            often = event.warehouse if is_warehouse else event.oltp
            wander = wobble(f"{member.name}/{event.name}/waits", days.ages, 0.03)
            counts[event.name] = often * _character(member, event.name) * wander
    counts |= {name: demanded[name] for name in own if name in demanded}
    return [
        _waits(event, np.floor(counts[name]), lengths[name], is_foreground=name in users)
        for name, event in own.items()
        if np.any(counts[name])
    ]


def _waits(event: UsualEvent, count: Floats, length: Floats, *, is_foreground: bool) -> Waits:
    timeouts = 0.96 if event.wait_class == "Idle" and not is_foreground else 0.0
    return Waits(event.name, event.wait_class, count, np.rint(count * length), is_foreground, timeouts)


def _scripted_waits(
    member: DemoInstance, event: DemoEvent, days: Days, demanded: Mapping[str, Floats]
) -> Waits:
    """An event with a story: on the days of its knots the average is a whole number of microseconds, exactly."""
    name = f"{member.name}/{event.name}"
    occurs = np.ones(len(days.ages)) if event.since is None else (days.ages >= event.since).astype(float)
    often = demanded[event.name] if event.waits is None else event.waits.by_day(f"{name}/waits", days)
    count = np.rint(often) * occurs
    length = np.rint(event.micros.by_day(f"{name}/micros", days))
    return Waits(event.name, event.wait_class, count, count * length, event.is_foreground)


def _length(member: DemoInstance, event: UsualEvent, days: Days, responses: Responses) -> Floats:
    """Microseconds: what the device takes, and what is usual beyond that."""
    name = f"{member.name}/{event.name}/micros"
    if event.wait_class == "Idle":
        return event.micros * wobble(name, days.ages, 0.002)
    own = _character(member, event.name) * (wobble(name, days.ages, 0.05) + 0.05 * drift(name, days.ages))
    device = 1000.0 * getattr(responses, event.device) if event.device else 0.0
    length: Floats = device + event.micros * own
    return length


def _character(member: DemoInstance, event: str) -> float:
    """What sets one instance apart from another in this event: between about 0.7 and 1.3."""
    return float(1.0 + 0.1 * noise([f"{member.name}/{event}/character"], np.array([0]))[0, 0])


def clients(member: DemoInstance, days: Days, executions: Floats) -> Waits:
    """The time in which clients had nothing to ask."""
    sessions = member.workload.sessions.by_day(f"{member.name}/sessions", days) * 0.7
    count = np.rint(executions * 0.5)
    return Waits(IDLE_OF_CLIENTS.name, "Idle", count, np.rint(sessions * DAY_OF_MICROSECONDS), True)
