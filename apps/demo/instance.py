"""The timeline of an instance: what the v$ views would have said at 00:05 of each day."""

from collections.abc import Sequence

import numpy as np

from apps.demo.asm_disks import disk_counters, disk_levels
from apps.demo.files import file_counters, file_levels
from apps.demo.levels import Levels
from apps.demo.machine import Machine
from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Days, Floats
from apps.demo.segments import segment_counters, segment_levels
from apps.demo.sources import sort_into_sources
from apps.demo.timeline import Key, Timeline

CENTISECONDS = 100.0  # of a second
BUSY, IDLE = ("os_busy_time", ""), ("os_idle_time", "")


def instance_timeline(
    machine: Machine, member: DemoInstance, days: Days, boundaries: Floats, starts: Sequence[float]
) -> Timeline:
    """Everything the instance counts between the boundaries of these days."""
    work = machine.works[member.name]
    statistics = work.statistics()
    counters: dict[Key, Floats] = {(key, ""): amount for key, amount in statistics.items()}
    for waits in work.waits:
        counters |= waits.counters()
    counters |= file_counters(member, work.days, work.traffic, counters)
    counters |= disk_counters(member, work.traffic, counters)
    counters |= segment_counters(member, work.days, statistics)
    counters |= processor_counters(machine)
    here = machine.place_of(days)
    counters = {key: amount[here] for key, amount in counters.items()}
    gauges = Levels(machine, member, days, boundaries, starts, redo=counters["redo_size", ""])
    levels = gauges.all()
    levels |= file_levels(member, gauges.ends, levels, counters, boundaries, starts)
    levels |= disk_levels(member, levels)
    levels |= segment_levels(member, levels)
    classes = {waits.name: waits.wait_class for waits in work.waits}
    return Timeline(
        boundaries=boundaries,
        starts=starts,
        sources=sort_into_sources(
            counters,
            levels,
            member.uptime,
            classes,
            even={IDLE: np.diff(boundaries) * machine.cpus * CENTISECONDS},
        ),
        done=machine.done_at,
        seconds=8.0 + len(member.tablespaces) * 1.7,
    )


def processor_counters(machine: Machine) -> dict[Key, Floats]:
    """What v$osstat counts of the host's processors."""
    whole = np.diff(machine.boundaries) * machine.cpus
    return {
        BUSY: machine.busy_by_day * CENTISECONDS,
        IDLE: (whole - machine.busy_by_day) * CENTISECONDS,
    }
