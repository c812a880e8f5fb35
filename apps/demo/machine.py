"""
The machine below: one host and what its instances do on it, so that both tell of the same work.

How busy its processors are is the host's own course. The operating system has a small share of that; the rest is the CPU
of its instances, each by what it asks for. What they read and write goes to its devices, in the hours in which it is busy.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np

from apps.demo.events import Responses
from apps.demo.parts import DATA, REDO, DemoHost, DemoInstance
from apps.demo.rhythm import BEFORE_ALL, Ages, Days, Floats, noise
from apps.demo.trajectory import Trajectory
from apps.demo.work import Demand, Work

HOUR = 3600.0
OF_SYSTEM = 0.03  # what the operating system adds to the CPU, the requests and the bytes of its instances
AT = time(0, 5)  # when instances are read, and their days begin
RUNNABLE = 0.82  # threads that run or want to run, for each busy processor


class Machine:
    """A host by hours, from midnight of its first day to midnight after its last, and its instances by days."""

    def __init__(self, host: DemoHost, instances: Sequence[DemoInstance], days: Days, last_day: date) -> None:
        self.host, self.instances = host, instances
        self.days = _widen(days, last_day)
        zone = ZoneInfo(host.time_zone)
        first, end = (
            datetime.combine(last_day + timedelta(days=int(age)), datetime.min.time(), zone).timestamp()
            for age in (self.days.ages[0], self.days.ages[-1] + 1)
        )
        self.boundaries = np.array([
            datetime.combine(last_day + timedelta(days=int(age)), AT, zone).timestamp()
            for age in (*self.days.ages, self.days.ages[-1] + 1)
        ])  # fmt: skip
        self.hours = np.arange(first, end + 1.0, HOUR)
        local = [datetime.fromtimestamp(moment, zone) for moment in self.hours]
        self.ages: Ages = np.array([moment.toordinal() - last_day.toordinal() for moment in local])
        self.hour = np.array([moment.hour + moment.minute / 60 for moment in local])
        anchor = datetime.combine(last_day, datetime.min.time(), zone).timestamp()
        self.numbers: Ages = np.rint((self.hours - anchor) / HOUR).astype(np.int64) - 24 * BEFORE_ALL
        self.cpus = host.cores * host.threads_per_core
        self.shape = self._shape()
        self.busy = np.clip(self.by_day(host.busy, "busy") * self.shape / 100, 0.005, 0.985)
        self.done = np.concatenate([[0.0], np.cumsum(self.busy[:-1])]) * self.cpus * HOUR

    def _shape(self) -> Floats:
        """The share of the busiest hours by hour, so that the 95th percentile of a day is 1."""
        night = self.host.night_share
        if self.host.loads_at_night:  # reports by day
            crest = np.maximum(
                np.exp(-(((self.hour - 3.0) / 2.3) ** 2)), 0.3 * np.exp(-(((self.hour - 14.0) / 3) ** 2))
            )
        else:
            crest = np.maximum(
                np.exp(-(((self.hour - 10.5) / 2.4) ** 2)), 0.93 * np.exp(-(((self.hour - 15.0) / 2.6) ** 2))
            )
        shape: Floats = (night + (1 - night) * crest) * (1.0 + 0.03 * self.jitter("shape"))
        for first, end in self._hours_of_days():
            shape[first:end] /= np.percentile(shape[first:end], 95)
        return shape

    def _hours_of_days(self) -> list[tuple[int, int]]:
        edges = [*np.flatnonzero(np.diff(self.ages, prepend=self.ages[0] - 1)).tolist(), len(self.ages)]
        return list(pairwise(edges))

    def jitter(self, name: str) -> Floats:
        jitter: Floats = noise([f"{self.host.name}/{name}/hour"], self.numbers)[0]
        return jitter

    def by_day(self, course: Trajectory, name: str) -> Floats:
        """A daily figure, the same in every hour of its day."""
        daily = course.by_day(f"{self.host.name}/{name}", self.days)
        hourly: Floats = daily[np.clip(self.ages - self.days.ages[0], 0, len(daily) - 1)]
        return hourly

    def done_until(self, moments: Floats) -> Floats:
        """CPU seconds that all processors have worked since the first hour."""
        done: Floats = np.interp(moments, self.hours, self.done)
        return done

    def done_at(self, moment: float) -> float:
        return float(self.done_until(np.array(moment)))

    @cached_property
    def running(self) -> Floats:
        """Threads that run or are ready to, at each hour."""
        running: Floats = self.busy * self.cpus * RUNNABLE * (1 + 0.04 * self.jitter("run queue"))
        return running

    @cached_property
    def load(self) -> Floats:
        """The load average of a quarter of an hour, at each hour."""
        load: Floats = self.running * 1.08 + self.blocked
        return load

    @cached_property
    def load_of_a_minute(self) -> Floats:
        load: Floats = self.load * (1 + 0.06 * self.jitter("load"))
        return load

    @cached_property
    def blocked(self) -> Floats:
        """Threads that wait for a disk, at each hour."""
        blocked: Floats = self.by_day(self.host.iowait, "iowait") / 100 * self.cpus * 0.5 * self.shape
        return blocked

    @cached_property
    def responses(self) -> Responses:
        """Milliseconds that a request takes in the busiest hours of each day."""
        of = {disk.holds: disk for disk in reversed(self.host.disks)}
        data, redo = of[DATA], of.get(REDO, of[DATA])

        def by_day(course: Trajectory, name: str) -> Floats:
            return course.by_day(f"{self.host.name}/{name}", self.days)

        return Responses(
            data_read=by_day(data.read_ms, f"{data.name}/rms"),
            data_write=by_day(data.write_ms, f"{data.name}/wms"),
            redo_read=by_day(redo.read_ms, f"{redo.name}/rms"),
            redo_write=by_day(redo.write_ms, f"{redo.name}/wms"),
        )

    @cached_property
    def busy_by_day(self) -> Floats:
        """CPU seconds that all processors work in the days of the instances."""
        busy: Floats = np.diff(self.done_until(self.boundaries))
        return busy

    @cached_property
    def works(self) -> dict[str, Work]:
        """What each instance does in a day, by name."""
        demands = [Demand(instance, self.days) for instance in self.instances]
        potentials = [demand.potential_cpu for demand in demands]
        whole = sum(potentials, start=np.zeros(len(self.days.ages)))
        return {
            demand.member.name: Work(
                demand, self.responses, self.busy_by_day * 1e6 * (1 - OF_SYSTEM) * part / whole
            )
            for demand, part in zip(demands, potentials, strict=True)
        }

    def hourly(self, daily: Floats) -> Floats:
        """What an instance did in each hour, from what it did in each of its days: in step with the processors."""
        until = np.concatenate([[0.0], np.cumsum(daily)])
        hourly: Floats = np.diff(np.interp(self.done, self.done_until(self.boundaries), until))
        return hourly

    def place_of(self, days: Days) -> slice:
        """Where these days lie among those of the machine."""
        first = int(days.ages[0] - self.days.ages[0])
        return slice(first, first + len(days.ages))


def _widen(days: Days, last_day: date) -> Days:
    """These days and one more at either end: the days of hosts and of instances overlap by minutes."""
    return Days.between(int(days.ages[0]) - 1, int(days.ages[-1]) + 1, last_day)
