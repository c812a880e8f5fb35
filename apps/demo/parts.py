"""What the cast is made of: instances, hosts, their parts, their limits and what befalls them. Plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time

from apps.demo.trajectory import Trajectory, through

DATA_FILES_ON = "/u02"  # the filesystem of data files, where there is no disk group


@dataclass(frozen=True)
class Person:
    """Somebody who owns targets and thresholds."""

    username: str
    first_name: str
    last_name: str


@dataclass(frozen=True, kw_only=True)
class DemoLimit:
    """A threshold of the estate, with the course of action decided when all was calm."""

    metric: str
    notation: str
    component: str = ""
    severity: str = "warning"
    owner: str = ""  # username; empty: the owner of the target
    lead_time: int = 30
    plan: str = ""
    fires_on: int = 1  # of the last ...
    fires_of: int = 1  # ... judged days
    closes_after: int = 3
    leaves_out_peaks: bool = False


@dataclass(frozen=True)
class Restart:
    """The target went down and came up again at this local time of day."""

    age: int
    at: time


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why a target, or one source of it, could not be read on the calendar days of these ages, both included."""

    first_age: int
    last_age: int
    sentence: str
    source: str = ""  # empty: the whole target
    needs_a_person: bool = False


@dataclass(frozen=True)
class DemoSetting:
    """Something known in words that has this value from an age on."""

    age: int
    name: str
    value: str


@dataclass(frozen=True, kw_only=True)
class DemoEvent:
    """
    A wait event: how often it occurred in a day and how many microseconds it took on average.

    Without `waits` it occurs as often as the work demands: commits that wait, writes of the log writer.
    """

    name: str
    wait_class: str
    waits: Trajectory | None = None
    micros: Trajectory
    since: int | None = None  # the first age on which it occurred at all
    is_foreground: bool = True


@dataclass(frozen=True, kw_only=True)
class DemoTablespace:
    """Space in GB: what is used, and how far the files may grow."""

    name: str
    used: Trajectory
    most: float
    spare: float = 0.04  # how far ahead of its use the files were extended
    contents: str = "PERMANENT"
    added: tuple[int, float] | None = None  # (age, GB by which the maximum grew on that day)


@dataclass(frozen=True, kw_only=True)
class DiskGroup:
    """An ASM disk group with external redundancy, in GB."""

    name: str
    used: Trajectory
    size: float
    added: tuple[int, float] | None = None  # (age, GB of the disks that arrived on that day)


@dataclass(frozen=True, kw_only=True)
class DemoWorkload:
    """What an instance does in a day; everything else it counts follows from these."""

    mix: str  # "warehouse" or "oltp": how a unit of work is made up
    executions: Trajectory
    commits: Trajectory
    logical_reads: Trajectory  # blocks
    redo: Trajectory  # bytes
    db_time: Trajectory  # hours
    sessions: Trajectory
    sessions_at_night: float = 0.42  # of the most of the day; what pools hold
    redo_wastage: Trajectory | None = None  # percent of redo; None: as usual
    counters: Mapping[str, Trajectory] = field(
        default_factory=dict
    )  # counters that tell a story of their own


@dataclass(frozen=True, kw_only=True)
class DemoDriver:
    """What the business of an instance counts in a day, with what it plans of it."""

    name: str
    unit: str
    an_hour: float  # of DB time
    growth: float  # percent a month ...
    grows_from: int  # ... from this age on


@dataclass(frozen=True)
class DemoBatch:
    """A batch whose end users were promised: when it is through, in hours after the midnight that begins its day."""

    name: str
    ends: Trajectory


@dataclass(frozen=True, kw_only=True)
class DemoMember:
    """A target of the estate."""

    name: str
    group: str
    owner: str
    time_zone: str
    environment: str = "production"
    notes: str = ""
    first_age: int | None = None  # the first day it was read; None: from the first day on
    restarts: tuple[Restart, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    limits: tuple[DemoLimit, ...] = ()
    settings: tuple[DemoSetting, ...] = ()
    uptime: int = 140  # days it was already up on the first day


@dataclass(frozen=True, kw_only=True)
class DemoInstance(DemoMember):
    """An Oracle instance."""

    host: str
    version: str
    cores: int
    sga_gb: float
    pga_target_gb: float
    pga: Trajectory  # GB allocated
    processes_limit: int
    workload: DemoWorkload
    events: tuple[DemoEvent, ...] = ()  # those that tell a story; the mix of the workload adds the others
    tablespaces: tuple[DemoTablespace, ...]
    disk_groups: tuple[DiskGroup, ...] = ()
    files_on: str = DATA_FILES_ON  # the filesystem of the data files, where there is no disk group
    recovery_gb: float = 300.0  # quota of the recovery area
    recovery_share: Trajectory  # of it, in percent, that is in use
    drivers: tuple[DemoDriver, ...] = ()
    batches: tuple[DemoBatch, ...] = ()
    redo_member_gb: Trajectory = field(default_factory=lambda: through((0, 4.0), noise=0.0))


@dataclass(frozen=True)
class Filesystem:
    """A mounted filesystem, in GB."""

    mount: str
    used: Trajectory
    size: float


SYSTEM, DATA, REDO = "system", "data", "redo"


@dataclass(frozen=True)
class Disk:
    """A block device without others below it: what lies on it, and how long a request takes in the busiest hours."""

    name: str
    holds: str  # SYSTEM, DATA or REDO; without a disk of its own redo lies beside the data
    read_ms: Trajectory
    write_ms: Trajectory


@dataclass(frozen=True, kw_only=True)
class DemoHost(DemoMember):
    """A machine. `busy` is the share of its CPUs in the busiest hours, in percent."""

    cores: int
    threads_per_core: int = 1
    memory_gb: float
    busy: Trajectory
    system_share: float = 0.18
    iowait: Trajectory
    memory_used: Trajectory  # GB
    page_tables_gb: Trajectory
    swap_gb: float = 16.0
    swap_out: Trajectory | None = None  # pages a day
    huge_pages_gb: float = 0.0
    night_share: float = 0.45  # of the busiest hours that the quiet ones keep
    loads_at_night: bool = False  # its busiest hours are those of the batch
    filesystems: tuple[Filesystem, ...] = ()
    disks: tuple[Disk, ...] = ()
    distribution: str = "Oracle Linux Server 8.10"
    kernel: str = "5.15.0-206.153.7.el8uek.x86_64"
