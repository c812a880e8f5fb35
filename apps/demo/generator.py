"""
What a target of the estate would have said at any moment: seeded, without a clock, the same answer however often and in
whatever order it is asked.

A day of the generator lasts from 00:05 to 00:05 (hosts: from midnight to midnight) in the target's time zone, so that two
readings at the usual slot enclose exactly one of them.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import numpy as np

from apps.collection.collector import Collected, CollectionError, SourceRun
from apps.demo.asm_disks import disk_facts
from apps.demo.estate import INSTANCES, OUTAGE, find_member
from apps.demo.host import host_timeline
from apps.demo.instance import instance_timeline
from apps.demo.machine import AT, Machine
from apps.demo.parts import DATA, DATA_FILES_ON, DemoHost, DemoInstance, DemoMember
from apps.demo.rhythm import Days, wobble
from apps.demo.segments import segments_of
from apps.demo.timeline import Timeline, TimelineSource

AHEAD = 8  # days after the last one loaded that the first stretch reaches
GIVEN_UP = 120.0  # seconds after which a source is left
STRETCH = 128  # days by which the timeline is prolonged when the estate lives on


def read(
    target_name: str, moment: datetime, *, first_day: date, last_day: date, has_new_password: bool = False
) -> Collected:
    """
    What is read of a target at a moment.

    `first_day` and `last_day` are the days the estate was loaded with; with a new password a person has done what a
    trouble waited for. Raises CollectionError where the story says that
    the target could not be read, and for moments before its first day.
    """
    member = find_member(target_name)
    local = moment.astimezone(ZoneInfo(member.time_zone))
    age = (local.date() - last_day).days
    _refuse(member, age, has_new_password)
    timeline = timeline_of(target_name, first_day, last_day, _stretches(age))
    if not timeline.covers(moment):
        raise CollectionError(f"{target_name} was not there yet on {local.day} {local:%B %Y}.")
    return Collected(
        captured_at=moment,
        started_at=timeline.started_at(moment),
        sources=[
            _read_source(member, timeline, source, moment, age)
            for source in timeline.sources
            if (age - 1) % source.every == 0  # the last day that was loaded ends with one of each
        ],
        facts=facts_of(member, age),
        proposed_host=member.host if isinstance(member, DemoInstance) else "",
    )


def _refuse(member: DemoMember, age: int, has_new_password: bool) -> None:
    for trouble in (*member.troubles, OUTAGE):
        if trouble.needs_a_person and has_new_password:
            continue
        if not trouble.source and trouble.first_age <= age <= trouble.last_age:
            raise CollectionError(
                trouble.sentence,
                is_worth_retrying=not trouble.needs_a_person,
                needs_a_person=trouble.needs_a_person,
            )


def _read_source(
    member: DemoMember, timeline: Timeline, source: TimelineSource, moment: datetime, age: int
) -> SourceRun:
    for trouble in member.troubles:
        if trouble.source == source.name and trouble.first_age <= age <= trouble.last_age:
            return SourceRun(
                name=source.name, category=source.category, seconds=GIVEN_UP, error=trouble.sentence
            )
    return SourceRun(
        name=source.name,
        category=source.category,
        seconds=_seconds(member.name, source, timeline.seconds, age),
        readings=timeline.read(source, moment),
        classes=source.classes,
    )


def _seconds(target_name: str, source: TimelineSource, whole: float, age: int) -> float:
    """How long a source took: the dictionary's views are the slow ones."""
    share = 0.6 if source.name.startswith("dba_") else 0.02
    return round(whole * share * _pace(target_name, source.name, age), 3)


@lru_cache(maxsize=4096)
def _pace(target_name: str, source_name: str, age: int) -> float:
    return float(wobble(f"{target_name}/{source_name}/seconds", np.array([age]), 0.15)[0])


def _stretches(age: int) -> int:
    """How often the timeline must be prolonged to reach this age."""
    return max(0, -(-(age + 1 - AHEAD) // STRETCH))


@lru_cache(maxsize=32)
def timeline_of(target_name: str, first_day: date, last_day: date, stretches: int) -> Timeline:
    """The timeline of a target, worked out once."""
    member = find_member(target_name)
    assert isinstance(member, DemoHost | DemoInstance)
    first_age = (first_day - last_day).days
    if member.first_age is not None:
        first_age = max(first_age, member.first_age)
    days = Days.between(first_age, _last_age(stretches), last_day)
    at = time(0, 0) if isinstance(member, DemoHost) else AT
    zone = ZoneInfo(member.time_zone)
    midnights = [
        datetime.combine(last_day + timedelta(days=int(age)), at, zone).timestamp()
        for age in (*days.ages, days.ages[-1] + 1)
    ]
    boundaries = np.array(midnights)
    starts = _starts(member, last_day, zone, midnights[0])
    machine = machine_of(
        member.name if isinstance(member, DemoHost) else member.host, first_day, last_day, stretches
    )
    if isinstance(member, DemoHost):
        return host_timeline(machine, boundaries, starts)
    return instance_timeline(machine, member, days, boundaries, starts)


@lru_cache(maxsize=8)
def machine_of(host_name: str, first_day: date, last_day: date, stretches: int) -> Machine:
    """A host with its instances, worked out once for all of them."""
    host = find_member(host_name)
    assert isinstance(host, DemoHost)
    days = Days.between((first_day - last_day).days, _last_age(stretches), last_day)
    return Machine(host, [member for member in INSTANCES if member.host == host_name], days, last_day)


def _last_age(stretches: int) -> int:
    return AHEAD + stretches * STRETCH


def _starts(member: DemoMember, last_day: date, zone: ZoneInfo, first: float) -> Sequence[float]:
    restarts = [
        datetime.combine(last_day + timedelta(days=restart.age), restart.at, zone).timestamp()
        for restart in member.restarts
    ]
    return [first - member.uptime * 86_400.0 + 17_000.0, *(start for start in restarts if start > first)]


def facts_of(member: DemoMember, age: int) -> dict[str, str]:
    """What was known of a target in words on the day of this age."""
    facts = _facts_of_instance(member) if isinstance(member, DemoInstance) else {}
    if isinstance(member, DemoHost):
        facts = {
            "hostname": member.name,
            "operating_system": "Linux",
            "distribution": member.distribution,
            "kernel": member.kernel,
            "cpu_model": "Intel(R) Xeon(R) Gold 6346 CPU @ 3.10GHz",
            "cpus": str(member.cores * member.threads_per_core),
            "memory": f"{member.memory_gb:.1f} GB",
            "container": "no",
            **{f"device_of/{DATA_FILES_ON}": disk.name for disk in member.disks if disk.holds == DATA},
            "path_names": "\n".join(f"/dev/{disk.name}\t{disk.name}" for disk in member.disks),
        }
    return facts | {setting.name: setting.value for setting in member.settings if setting.age <= age}


def _facts_of_instance(member: DemoInstance) -> dict[str, str]:
    return {
        "version": member.version,
        "edition": "EE",
        "instance_name": member.name,
        "instance_number": "1",
        "db_name": member.name.rstrip("1"),
        "host_name": member.host,
        "status": "OPEN",
        "logins": "ALLOWED",
        "cluster": "no",
        "role": "PRIMARY",
        "open_mode": "READ WRITE",
        "log_mode": "ARCHIVELOG",
        "force_logging": "NO",
        "cdb": "NO",
        "platform": "Linux x86 64-bit",
        "parameter/timed_statistics": "TRUE",
        "parameter/pre_page_sga": "TRUE",
        "logs_lie_on": "+REDO"
        if _place_of(member).startswith("+")
        else "\n".join(f"/u{number:02d}/redo" for number in (3, 4, 5, 6)),
        "cpu_count": str(member.cores * _host_of(member).threads_per_core),
        **{f"lies_on/{tablespace.name}": _place_of(member) for tablespace in member.tablespaces},
        **{f"stored_in/{name}": tablespace for name, tablespace, _ in segments_of(member)},
        **disk_facts(member, _host_of(member)),
    }


def _host_of(member: DemoInstance) -> DemoHost:
    host = find_member(member.host)
    assert isinstance(host, DemoHost)
    return host


def _place_of(member: DemoInstance) -> str:
    if any(group.name == "DATA" for group in member.disk_groups):
        return "+DATA"
    return f"{member.files_on}/oradata/{member.name.rstrip('1')}"
