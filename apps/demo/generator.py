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
from apps.demo.estate import INSTANCES, OUTAGE, member
from apps.demo.host import host_timeline
from apps.demo.instance import instance_timeline
from apps.demo.machine import AT, Machine
from apps.demo.parts import Host, Instance, Member
from apps.demo.rhythm import Days, wobble
from apps.demo.segments import segments_of
from apps.demo.timeline import Source, Timeline

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
    one = member(target_name)
    local = moment.astimezone(ZoneInfo(one.time_zone))
    age = (local.date() - last_day).days
    _refuse(one, age, has_new_password)
    timeline = timeline_of(target_name, first_day, last_day, _stretches(age))
    if not timeline.covers(moment):
        raise CollectionError(f"{target_name} was not there yet on {local.day} {local:%B %Y}.")
    return Collected(
        captured_at=moment,
        started_at=timeline.started_at(moment),
        sources=[
            _read_source(one, timeline, source, moment, age)
            for source in timeline.sources
            if (age - 1) % source.every == 0  # the last day that was loaded ends with one of each
        ],
        facts=facts_of(one, age),
        proposed_host=one.host if isinstance(one, Instance) else "",
    )


def _refuse(one: Member, age: int, has_new_password: bool) -> None:
    for trouble in (*one.troubles, OUTAGE):
        if trouble.needs_a_person and has_new_password:
            continue
        if not trouble.source and trouble.first_age <= age <= trouble.last_age:
            raise CollectionError(
                trouble.sentence,
                is_worth_retrying=not trouble.needs_a_person,
                needs_a_person=trouble.needs_a_person,
            )


def _read_source(one: Member, timeline: Timeline, source: Source, moment: datetime, age: int) -> SourceRun:
    for trouble in one.troubles:
        if trouble.source == source.name and trouble.first_age <= age <= trouble.last_age:
            return SourceRun(
                name=source.name, category=source.category, seconds=GIVEN_UP, error=trouble.sentence
            )
    return SourceRun(
        name=source.name,
        category=source.category,
        seconds=_seconds(one.name, source, timeline.seconds, age),
        readings=timeline.read(source, moment),
        classes=source.classes,
    )


def _seconds(target_name: str, source: Source, whole: float, age: int) -> float:
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
    one = member(target_name)
    assert isinstance(one, Host | Instance)
    first_age = (first_day - last_day).days
    if one.first_age is not None:
        first_age = max(first_age, one.first_age)
    days = Days.between(first_age, _last_age(stretches), last_day)
    at = time(0, 0) if isinstance(one, Host) else AT
    zone = ZoneInfo(one.time_zone)
    midnights = [
        datetime.combine(last_day + timedelta(days=int(age)), at, zone).timestamp()
        for age in (*days.ages, days.ages[-1] + 1)
    ]
    boundaries = np.array(midnights)
    starts = _starts(one, last_day, zone, midnights[0])
    machine = machine_of(one.name if isinstance(one, Host) else one.host, first_day, last_day, stretches)
    if isinstance(one, Host):
        return host_timeline(machine, boundaries, starts)
    return instance_timeline(machine, one, days, boundaries, starts)


@lru_cache(maxsize=8)
def machine_of(host_name: str, first_day: date, last_day: date, stretches: int) -> Machine:
    """A host with its instances, worked out once for all of them."""
    host = member(host_name)
    assert isinstance(host, Host)
    days = Days.between((first_day - last_day).days, _last_age(stretches), last_day)
    return Machine(host, [one for one in INSTANCES if one.host == host_name], days, last_day)


def _last_age(stretches: int) -> int:
    return AHEAD + stretches * STRETCH


def _starts(one: Member, last_day: date, zone: ZoneInfo, first: float) -> Sequence[float]:
    restarts = [
        datetime.combine(last_day + timedelta(days=restart.age), restart.at, zone).timestamp()
        for restart in one.restarts
    ]
    return [first - one.uptime * 86_400.0 + 17_000.0, *(start for start in restarts if start > first)]


def facts_of(one: Member, age: int) -> dict[str, str]:
    """What was known of a target in words on the day of this age."""
    facts = _facts_of_instance(one) if isinstance(one, Instance) else {}
    if isinstance(one, Host):
        facts = {
            "hostname": one.name,
            "operating_system": "Linux",
            "distribution": one.distribution,
            "kernel": one.kernel,
            "cpu_model": "Intel(R) Xeon(R) Gold 6346 CPU @ 3.10GHz",
            "cpus": str(one.cores * one.threads_per_core),
            "memory": f"{one.memory_gb:.1f} GB",
            "container": "no",
        }
    return facts | {setting.name: setting.value for setting in one.settings if setting.age <= age}


def _facts_of_instance(one: Instance) -> dict[str, str]:
    return {
        "version": one.version,
        "edition": "EE",
        "instance_name": one.name,
        "instance_number": "1",
        "db_name": one.name.rstrip("1"),
        "host_name": one.host,
        "status": "OPEN",
        "logins": "ALLOWED",
        "cluster": "no",
        "role": "PRIMARY",
        "open_mode": "READ WRITE",
        "log_mode": "ARCHIVELOG",
        "force_logging": "NO",
        "cdb": "NO",
        "cpu_count": str(one.cores * _host_of(one).threads_per_core),
        **{f"lies_on/{tablespace.name}": _place_of(one) for tablespace in one.tablespaces},
        **{f"stored_in/{name}": tablespace for name, tablespace, _ in segments_of(one)},
    }


def _host_of(one: Instance) -> Host:
    host = member(one.host)
    assert isinstance(host, Host)
    return host


def _place_of(one: Instance) -> str:
    if any(group.name == "DATA" for group in one.disk_groups):
        return "+DATA"
    return f"{one.files_on}/oradata/{one.name.rstrip('1')}"
