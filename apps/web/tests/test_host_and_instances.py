"""An instance beside its host: both windows, files above volumes above devices, and all that share the machine."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.advisors.study_deeds import StudyDraft, make_study
from apps.collection.collect import collect_target
from apps.collection.collector import add_collector
from apps.collection.models import CollectionRun
from apps.inventory.models import Credential, Target
from apps.platforms.linux import switches
from apps.platforms.linux.tests.machine_tree import CPUS, DeviceWork, MachineTree
from apps.platforms.oracle.grants import views_read
from apps.platforms.oracle.tests.conftest import event, fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.reports.study_paper import build_document
from apps.web.tests.scenes import signed_in
from apps.web.tests.test_method_pages import table
from testing.oracle_server import Clock, Database, DatabaseUser

pytestmark = pytest.mark.django_db

GB = 1024**3
HOURS = 24
READS, WRITES = 4000, 2000  # an hour, of each file and device
FILES = ("/u02/oradata/GISPRD/data01.dbf", "/u02/oradata/GISPRD/data02.dbf", "+DATA/GISPRD/DATAFILE/old.256")


@dataclass
class HostAndInstances:
    """An instance that is read over the wire, and the machine below it, read from its files."""

    life: Life
    machine: MachineTree
    host: Target
    done: dict[str, float]  # by each file
    read_ms: float = 8.0
    write_ms: float = 12.0

    def respond(self, read_ms: float, write_ms: float) -> None:
        """From now on this is what a request takes, for the files and for every device."""
        self.read_ms, self.write_ms = read_ms, write_ms
        for device in self.machine.devices.values():
            device.read_ms, device.write_ms = read_ms, write_ms

    def read_host(self) -> CollectionRun:
        return collect_target(self.host, self.slot, self.slot, captured_at=self.slot)

    @property
    def slot(self) -> datetime:
        """The hour of the clock."""
        return self.life.clock().replace(minute=0)

    def day(self, *, host_reads: Callable[[int], bool] = lambda hour: True, each: int = 3) -> None:
        """A day of both, the host read each so many hours, but for those that are left out."""
        for hour in range(each, HOURS + 1, each):
            self.machine.live(each)
            self.done["reads"] += each * READS
            self.done["read_cs"] += each * READS * self.read_ms / 10
            self.done["writes"] += each * WRITES
            self.done["write_cs"] += each * WRITES * self.write_ms / 10
            self.life.clock.advance(hours=each)
            if host_reads(hour):
                self.read_host()
        for name in self.life.targets:
            self.life.collect(name)

    def page(self, name: str, target: Target, *of: str, on: Any = DAY, query: str = "") -> str:
        address = reverse(name, args=[target.pk, *of])
        return signed_in().get(f"{address}?on={on}{query}").content.decode()

    def file(self, target: Target, key: str, on: Any = DAY) -> list[dict[str, str]]:
        address = f"{reverse('target', args=[target.pk])}?on={on}&format=csv&table={key}"
        return list(csv.DictReader(io.StringIO(signed_in().get(address).content.decode())))


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostAndInstances]:
    monkeypatch.setattr(switches, "PAUSE", 0)
    with living_pair(tmp_path) as pair:
        yield pair


@contextmanager
def living_pair(
    root: Path, prepare: Callable[["HostAndInstances"], None] = lambda pair: None
) -> Iterator[HostAndInstances]:
    """The pair as it is read for the first time; `prepare` adds to it before that."""
    clock = Clock(MIDNIGHT)
    done = {"reads": 9000.0, "read_cs": 9000.0, "writes": 9000.0, "write_cs": 9000.0}
    database = _database(clock, done)
    machine = _machine(root)
    add_collector("tree", machine)
    months = [DAY + timedelta(days=offset) for offset in (0, 7)]
    with life_of(database, clock, months) as life:
        host = Target.objects.create(
            name="dbx-gis01", kind=Target.Kind.HOST, platform="linux", collector="tree", interval_minutes=180,
            registered_at=MIDNIGHT - timedelta(days=1),
        )  # fmt: skip
        pair = HostAndInstances(life, machine, host, done=done)
        pair.respond(8.0, 12.0)
        prepare(pair)
        for name in ("GISPRD", "GISDEV"):
            life.target(name, "GISPRD", runs_on=host)
            life.collect(name)
        pair.read_host()
        yield pair


def _database(clock: Clock, done: dict[str, float]) -> Database:
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=5)))
    database.set_rows("v$sgainfo", [{"name": "Maximum SGA Size", "bytes": 20 * GB}])
    database.set_rows("v$pgastat", [{"name": "total PGA allocated", "value": 4 * GB, "unit": "bytes"}])
    database.set_rows(
        "v$datafile", [{"file#": at, "name": name, "bytes": GB} for at, name in enumerate(FILES, 1)]
    )
    database.set_rows("v$filestat", lambda now: [_filestat(number, done) for number in range(1, 4)])
    database.set_rows(
        "v$sys_time_model",
        lambda now: [
            {"stat_name": "DB time", "value": round((now - MIDNIGHT).total_seconds() * 3e6) + 10**9},
            {"stat_name": "DB CPU", "value": round((now - MIDNIGHT).total_seconds() * 1.4e6) + 10**9},
            {"stat_name": "background cpu time", "value": round((now - MIDNIGHT).total_seconds() * 0.1e6)},
        ],
    )  # fmt: skip
    database.set_rows(
        "v$system_event",
        lambda now: [
            event("log file sync", "Commit", 9000 + round((now - MIDNIGHT).total_seconds()), 9_000_000)
        ],
    )
    return database


def _filestat(number: int, done: dict[str, float]) -> dict[str, Any]:
    return {
        "file#": number, "phyrds": round(done["reads"]), "phywrts": round(done["writes"]), "singleblkrds": 0,
        "readtim": round(done["read_cs"]), "writetim": round(done["write_cs"]), "singleblkrdtim": 0,
        "maxiortm": 9, "maxiowtm": 9,
    }  # fmt: skip


def _machine(root: Path) -> MachineTree:
    volume = DeviceWork("253:0", READS, WRITES, mapped="vg-data", slaves={"sda": "8:0", "sdb1": "8:17"})
    disks = {
        "sda": DeviceWork("8:0", READS, WRITES),
        "sdb": DeviceWork("8:16", READS, WRITES),
        "sdb1": DeviceWork("8:17"),
    }
    return MachineTree(
        root, MIDNIGHT - timedelta(days=30), {"dm-0": volume, **disks}, {"/u02": "dm-0"}, busy=0.5,
        huge_pages=20 * 1024,
    )  # fmt: skip


# ── COL9 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

WINDOW = "Measured: GISPRD over 24 of 24 hours (100\u00a0%), dbx-gis01 over {} of 24 hours ({}\u00a0%)"


def test_col9_both_windows_stand_beside_each_other_with_their_hours(pair):
    Target.objects.filter(pk=pair.host.pk).update(interval_minutes=60)
    pair.host.refresh_from_db()
    pair.day(
        host_reads=lambda hour: hour <= 12 or hour == HOURS, each=1
    )  # nobody read it from noon to midnight
    target = pair.life.target()

    profile = pair.page("target", target)
    report = pair.page("target_report", target, "host", query="&days=7")
    drawn_together = pair.page(
        "statistic_pair",
        target,
        "tm_db_time",
        query=f"&days=30&with=host_cpu_busy_pct&target={pair.host.pk}",
    )

    half = WINDOW.format("12", "50") + ", both over at most 12 hours (50\u00a0%)."
    assert half in profile
    assert "GISPRD over 24 of 168 hours (14.3\u00a0%), dbx-gis01 over 12 of 168 hours (7.1\u00a0%)" in report
    assert "dbx-gis01 over 12 of 720 hours (1.7\u00a0%)" in drawn_together


def test_col9_a_whole_day_of_both_is_said_as_such(pair):
    pair.day()

    assert WINDOW.format("24", "100") + "." in pair.page("target", pair.life.target())


def page_tables(profile: str) -> str:
    """What the host's page tables were on the day of a profile."""
    [row] = [cells for cells in table(profile, "profile") if cells[-13:-12] == ["page tables"]]
    return row[-5]


def test_col9_a_host_that_stopped_answering_is_no_data_with_its_age_on_the_pages_of_its_instances(
    pair, monkeypatch
):
    pair.day()
    pair.machine.refuses = "10.0.0.7:22 cannot be reached: Connection refused."
    for _ in range(3):
        pair.day()
    monkeypatch.setattr(timezone, "now", pair.life.clock)
    last = DAY + timedelta(days=3)

    pages = {
        name: pair.page(name, pair.life.target(), on=last)
        for name in ("target", "target_violations", "target_all")
    }
    for page in pages.values():
        assert "dbx-gis01 has not been read since 18\u00a0February, three days ago." in page
        assert pair.machine.refuses in page
    assert page_tables(pair.page("target", pair.life.target(), on=DAY)) == "2"
    assert page_tables(pages["target"]) == "No data"


# ── COR1 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def paths(page: str) -> dict[tuple[str, str], dict[str, str]]:
    """The rows of files, volumes and devices, by place and device."""
    heads, *rows = table(page, "storage-paths")
    cells = [dict(zip(heads, row, strict=True)) for row in rows]
    return {(row["files in"].split()[0], row["made of"]): row for row in cells}


@pytest.mark.parametrize("on_host", [True, False], ids=["COR1 on the host", "COR1 on the instance"])
def test_files_volume_and_lun_answer_side_by_side_before_and_after(pair, on_host):
    pair.day()
    pair.respond(16.0, 0.5)
    pair.day()
    target = pair.life.target()

    def rows_on(day: Any) -> dict[tuple[str, str], dict[str, str]]:
        if on_host:
            return paths(pair.page("target", pair.host, on=day))
        return paths(pair.page("target_report", target, "host", on=day, query="&days=7"))

    before, after = rows_on(DAY), rows_on(DAY + timedelta(days=1))

    place = "/u02/oradata/GISPRD"
    assert {key for key in before if key[0] == place} == {(place, "sda"), (place, "sdb")}
    for rows, read, write in ((before, "8", "12"), (after, "16", "0.5")):
        for disk in ("sda", "sdb"):
            row = rows[place, disk]
            assert row["volume"] == "vg-data"
            assert [row[f"read: {level}, ms"] for level in ("files", "volume", "device")] == [read] * 3
            assert [float(row[f"write: {level}, ms"]) for level in ("files", "volume", "device")] == [
                float(write)
            ] * 3


def test_the_paper_of_a_study_has_files_and_devices_before_and_after(pair):
    for _ in range(3):
        pair.day()
    pair.respond(16.0, 0.5)
    for _ in range(3):
        pair.day()
    target, last = pair.life.target(), DAY + timedelta(days=5)
    Target.objects.filter(pk__in=(target.pk, pair.host.pk)).update(reviewed_through=last)
    before, after = (DAY, DAY + timedelta(days=2)), (DAY + timedelta(days=3), last)
    target.refresh_from_db()
    study = make_study(
        StudyDraft(target=target, question="Faster?", change="Own LUNs.", before=before, after=after),
        by=None,
        now=pair.slot,
    )

    rows = {(row["group"], row["name"]): row for row in build_document(study)["storage"]}

    places = [(f"files of {target.name}", name) for name in FILES]
    places += [(f"devices of {pair.host.name}", name) for name in ("sda", "sdb", "vg-data")]
    for place in places:
        row = rows[place]
        sides = [row[key] for key in ("read_before", "read_after", "write_before", "write_after")]
        assert [float(side) for side in sides] == [8, 16, 12, 0.5]
        assert (row["read_verdict"], row["write_verdict"]) == ("worse", "improved")


def test_cor1_a_level_that_answers_slower_than_the_one_below_it_shows(pair):
    pair.machine.devices["sdb"].read_ms = 30.0
    pair.day()

    rows = paths(pair.page("target", pair.host))

    reads = {disk: rows["/u02/oradata/GISPRD", disk]["read: device, ms"] for disk in ("sda", "sdb")}
    assert reads == {"sda": "8", "sdb": "30"}


def test_cor1_files_on_what_no_device_is_known_of_stand_with_the_reason(pair):
    pair.day()

    [row, *_] = [row for row in pair.file(pair.host, "storage-paths") if row["files in"] == "'+DATA"]

    assert float(row["read: files, ms"]) == pytest.approx(8)
    assert (row["volume"], row["read: volume, ms"]) == ("", "")
    assert (
        row["why not"] == "which disks +DATA has is not known: v$asm_disk_stat has none of them for this day"
    )


# ── disks of ASM ──────────────────────────────────────────────────────────────────────────────────────────────────────

MAPPED, PARTITION, BY_NUMBER, BY_ID = (
    "/dev/mapper/asm1",
    "/dev/sdc1",
    "/dev/dm-2",
    "/dev/disk/by-id/scsi-3600a",
)
BY_LIBRARY, UNKNOWN, NOWHERE = "ORCL:DATA5", "/dev/oracleasm/disks/DATA6", None
DISK_PATHS = (MAPPED, PARTITION, BY_NUMBER, BY_ID, BY_LIBRARY, UNKNOWN, NOWHERE)
ASM_READ_MS, ASM_WRITE_MS = 5.0, 3.0  # as Oracle counts it; the devices take as long as `respond` says


def add_asm(pair: HostAndInstances) -> None:
    """A disk group whose disks the instance finds under paths of each kind, on devices of the host."""
    pair.machine.devices |= {
        "sdc": DeviceWork("8:32", READS, WRITES),
        "sdc1": DeviceWork("8:33"),
        "sdd": DeviceWork("8:48", READS, WRITES, links=("disk/by-id/scsi-3600a", "disk/by-path/pci-1")),
        "sde": DeviceWork("8:64", READS, WRITES),
        "sdf": DeviceWork("8:80", READS, WRITES),
        "dm-1": DeviceWork("253:1", READS, WRITES, mapped="asm1", slaves={"sde": "8:64", "sdf": "8:80"}),
        "dm-2": DeviceWork("253:2", READS, WRITES, mapped="asm3"),
    }
    for number, device in enumerate(pair.machine.devices.values()):
        device.read_ms, device.write_ms = 1.0 + number, 0.5
    database = pair.life.database
    group: dict[str, Any] = {
        "group_number": 1,
        "name": "DATA",
        "total_mb": 1000,
        "free_mb": 10,
        "usable_file_mb": 10,
    }
    database.set_rows("v$asm_diskgroup_stat", [group])
    database.set_rows(
        "v$asm_disk_stat",
        lambda now: [
            {
                "group_number": 1, "name": f"DATA_{number:04}", "path": path, "header_status": "MEMBER",
                "mode_status": "ONLINE", "total_mb": 100, "free_mb": 1, "reads": round(pair.done["reads"]),
                "writes": round(pair.done["writes"]), "read_time": pair.done["reads"] * ASM_READ_MS / 1000,
                "write_time": pair.done["writes"] * ASM_WRITE_MS / 1000, "bytes_read": 1, "bytes_written": 1,
                "read_errs": 0, "write_errs": 0,
            }
            for number, path in enumerate(DISK_PATHS)
        ],
    )  # fmt: skip


@pytest.fixture
def asm_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostAndInstances]:
    monkeypatch.setattr(switches, "PAUSE", 0)
    with living_pair(tmp_path, add_asm) as pair:
        yield pair


def disk_rows(pair: HostAndInstances) -> dict[tuple[str, str], dict[str, str]]:
    """The rows of the file, by disk and device, of one instance."""
    rows = [
        row for row in pair.file(pair.host, "storage-paths") if row["instance"] == "GISPRD" and row["disk"]
    ]
    return {(row["disk"], row["made of"]): row for row in rows}


def test_cor1_files_of_a_group_stand_above_its_disks_and_the_devices_below_these(asm_pair):
    asm_pair.day()

    rows = disk_rows(asm_pair)

    own = "the volume itself"
    devices = {
        ("DATA/DATA_0000", "sde"): (MAPPED, "asm1"),
        ("DATA/DATA_0000", "sdf"): (MAPPED, "asm1"),
        ("DATA/DATA_0001", own): (PARTITION, "sdc"),
        ("DATA/DATA_0002", own): (BY_NUMBER, "asm3"),
        ("DATA/DATA_0003", own): (BY_ID, "sdd"),
    }
    assert {key: (row["path"], row["volume"]) for key, row in rows.items() if row["volume"]} == devices
    number_of = {
        device.mapped or name: at for at, (name, device) in enumerate(asm_pair.machine.devices.items())
    }
    for (_, part), row in rows.items():
        assert float(row["read: files, ms"]) == pytest.approx(8)
        assert float(row["read: disk, ms"]) == pytest.approx(ASM_READ_MS)
        assert float(row["write: disk, ms"]) == pytest.approx(ASM_WRITE_MS)
        if row["volume"]:
            assert float(row["read: volume, ms"]) == pytest.approx(1 + number_of[row["volume"]])
            assert float(row["write: volume, ms"]) == pytest.approx(0.5)
        if part in number_of:
            assert float(row["read: device, ms"]) == pytest.approx(1 + number_of[part])


def test_cor1_a_disk_whose_device_nobody_tells_stands_with_the_reason(asm_pair):
    asm_pair.day()

    rows = disk_rows(asm_pair)

    reasons = {disk: (row["path"], row["why not"]) for (disk, part), row in rows.items() if not part}
    assert reasons == {
        "DATA/DATA_0004": (
            BY_LIBRARY,
            "ORCL:DATA5 is no path of dbx-gis01: a library of its own leads to the device",
        ),
        "DATA/DATA_0005": (
            UNKNOWN,
            f"dbx-gis01 does not say which device {UNKNOWN} is",
        ),
        "DATA/DATA_0006": ("", "the instance finds DATA/DATA_0006 under no path"),
    }


@pytest.mark.parametrize("on_host", [True, False], ids=["on the host", "on the instance"])
def test_the_page_of_a_group_has_disks_and_devices_side_by_side(asm_pair, on_host):
    asm_pair.day()
    target = asm_pair.life.target()
    pages = [
        asm_pair.page("target", asm_pair.host),
        asm_pair.page("target_report", target, "host", query="&days=7"),
    ]

    heads, *rows = table(pages[0] if on_host else pages[1], "storage-paths")

    cells = [dict(zip(heads, row, strict=True)) for row in rows]
    [row] = [row for row in cells if PARTITION in row["disk"] and row["instance"] == "GISPRD"]
    assert row["files in"].split() == ["+DATA", "one", "file"]
    assert row["disk"].split() == ["DATA/DATA_0001", PARTITION]
    assert (row["volume"], row["made of"]) == ("sdc", "the volume itself")
    levels = [row[f"read: {level}, ms"] for level in ("files", "disk", "volume")]
    assert levels == ["8", "5", "5"]
    of_directory = next(row for row in cells if row["files in"].startswith("/u02"))
    assert of_directory["disk"] == of_directory["read: disk, ms"] == "–"


def test_what_waits_on_the_host_stands_apart_from_what_the_device_works_on(asm_pair):
    device = asm_pair.machine.devices["sdc"]
    device.queue_depth, device.read_ms, device.write_ms = (
        1,
        2700.0,
        0.0,
    )  # three at once, of 4,000 reads an hour
    asm_pair.day()

    row = disk_rows(asm_pair)["DATA/DATA_0001", "the volume itself"]

    assert (float(row["queue"]), float(row["waiting"])) == (pytest.approx(3), pytest.approx(2))
    assert row["service, ms"] == ""
    heads, *_ = table(asm_pair.page("target", asm_pair.host), "storage-paths")
    assert "waiting" in heads
    assert "service, ms" not in heads


def test_a_disk_that_left_its_group_is_no_row_of_the_days_after(asm_pair):
    asm_pair.day()
    rows = asm_pair.life.database.source("v$asm_disk_stat")
    asm_pair.life.database.set_rows("v$asm_disk_stat", lambda now: rows(now)[1:])
    asm_pair.day()

    days = [
        {row["disk"] for row in asm_pair.file(asm_pair.host, "storage-paths", on=day)} - {""}
        for day in (DAY, DAY + timedelta(days=1))
    ]

    assert days[0] - days[1] == {"DATA/DATA_0000"}
    assert len(days[1]) == len(DISK_PATHS) - 1


def test_the_paper_of_a_study_has_disks_before_and_after(asm_pair):
    for _ in range(6):
        asm_pair.day()
    target, last = asm_pair.life.target(), DAY + timedelta(days=5)
    Target.objects.filter(pk__in=(target.pk, asm_pair.host.pk)).update(reviewed_through=last)
    target.refresh_from_db()
    windows = (DAY, DAY + timedelta(days=2)), (DAY + timedelta(days=3), last)
    draft = StudyDraft(
        target=target, question="Faster?", change="Own LUNs.", before=windows[0], after=windows[1]
    )

    rows = build_document(make_study(draft, by=None, now=asm_pair.slot))["storage"]

    disks = [row for row in rows if row["group"] == f"disks of {target.name}"]
    assert [row["name"] for row in disks] == [f"DATA/DATA_{number:04}" for number in range(len(DISK_PATHS))]
    assert [float(disks[0][key]) for key in ("read_before", "read_after", "write_before")] == [5, 5, 3]


def test_an_instance_without_asm_has_no_column_of_disks(pair):
    pair.day()

    heads, *_ = table(pair.page("target", pair.host), "storage-paths")

    assert "disk" not in heads


def test_disks_that_may_not_be_read_are_missing_with_the_grant(asm_pair):
    everything = frozenset(views_read()) - {"v$asm_disk_stat"}
    asm_pair.life.database.add_user(DatabaseUser("LIMITED", "secret", grants=everything))
    for credential in Credential.objects.all():
        credential.username, credential.password = "LIMITED", "secret"
        credential.save()
    asm_pair.day()

    [row, *_] = [row for row in asm_pair.file(asm_pair.host, "storage-paths") if row["files in"] == "'+DATA"]

    assert row["why not"].startswith(
        "which disks +DATA has is not known: v$asm_disk_stat was not read for 17"
    )
    assert "GRANT READ ON sys.v_$asm_disk_stat TO LIMITED;" in row["why not"]


def test_a_kernel_number_means_what_it_meant_on_the_day(asm_pair):
    asm_pair.day()
    asm_pair.life.clock.advance(hours=3)
    asm_pair.machine.devices["dm-2"].mapped = "other"
    asm_pair.read_host()

    rows = disk_rows(asm_pair)

    assert rows["DATA/DATA_0002", "the volume itself"]["volume"] == "asm3"


# ── instances on one host ─────────────────────────────────────────────────────────────────────────────────────────────


def test_instances_on_one_host_stand_with_their_sums_against_what_the_host_has(pair):
    pair.day()

    rows = {row["instance"]: row for row in pair.file(pair.host, "guests-oracle")}
    sums = {row["all instances"]: row for row in pair.file(pair.host, "guest-sums-oracle")}

    for name, times in (("GISPRD", 1), ("GISDEV", 1), ("all 2 instances", 2)):
        assert float(rows[name]["SGA, GB"]) == 20 * times
        assert float(rows[name]["PGA, GB"]) == 4 * times
        assert float(rows[name]["CPUs at work"]) == pytest.approx(1.5 * times)
    assert rows["all 2 instances"]["commit, ms"] == ""  # an average does not add up
    memory, huge_pages, work = sums["SGA and PGA"], sums["SGA"], sums["CPUs at work"]
    assert [float(memory[head]) for head in ("together", "has", "share, %")] == [48, 64, 75]
    assert [float(huge_pages[head]) for head in ("together", "has", "share, %")] == [40, 40, 100]
    assert [float(work[head]) for head in ("together", "has")] == [3, CPUS / 2]
    assert pair.page("target_report", pair.life.target(), "host", query="&days=7").count("guest-sums-oracle")


def test_a_sum_that_lacks_an_instance_is_the_least_it_can_be(pair):
    Target.objects.create(
        name="GISNEW", platform="oracle", collector="oracle", kind="instance", registered_at=MIDNIGHT,
        runs_on=pair.host,
    )  # fmt: skip
    pair.day()

    page = pair.page("target", pair.host)

    [row] = [row for row in table(page, "guest-sums-oracle") if row[0] == "SGA"]
    assert row[1] == "≥ 40"
    assert row[3] == "2 of 3"
