"""What sysstat keeps of a machine is read as its history: of this one, and of another over a real sshd."""

import asyncio
import os
import shutil
import subprocess
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from apps.collection.history.imports import start_reading_all
from apps.collection.history.models import HistoryImport
from apps.collection.history.sources import has_history
from apps.collection.lost_days import hosts_with_lost_days, lost_days, make_up_days
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.platforms.linux import history, ssh
from apps.platforms.linux.collector import LocalCollector
from apps.platforms.linux.history import HostHistory, _ask_here
from apps.platforms.linux.metrics.categories import DEVICES, FILESYSTEMS, KERNEL
from apps.platforms.linux.tests.test_collector import skip_aloud, source
from apps.platforms.linux.tests.test_ssh import Server, sshd  # noqa: F401
from apps.snapshots import dictionary
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.history import read_days
from apps.snapshots.imported_days import record_imported_days
from apps.snapshots.models import Coverage

TOMORROW = datetime.now(UTC) + timedelta(days=1)
HERE = Target(name="here", kind=Target.Kind.HOST, platform="linux", collector="linux", time_zone="UTC")


def today() -> Day:
    return day_of(datetime.now(UTC).date(), ZoneInfo("UTC"))


@pytest.fixture(scope="module")
def record_folder(tmp_path_factory) -> Path:
    """A folder with a file of sysstat's, of some seconds of this minute."""
    sadc = next((path for path in ("/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc") if Path(path).exists()), "")
    if not sadc:
        skip_aloud("sysstat is not installed")
    folder: Path = tmp_path_factory.mktemp("sysstat")
    subprocess.run([sadc, "-S", "XALL", "1", "3", str(folder / "sa21")], check=True)
    return folder


def day_recorded(folder: Path) -> Day:
    """The day that its file is of, also where it ended since."""
    written = datetime.fromtimestamp((folder / "sa21").stat().st_mtime, UTC)
    return day_of(written.date(), ZoneInfo("UTC"))


def here(folder: Path) -> HostHistory:
    return HostHistory(HERE, _ask_here, [str(folder)])


def test_files_are_listed_by_the_days_that_they_are_of(record_folder):
    written = (today().began_at - timedelta(hours=12)).timestamp()
    former = (record_folder / "sa21").stat().st_mtime
    os.utime(record_folder / "sa21", (written, written))

    [reach] = here(record_folder).look()

    os.utime(record_folder / "sa21", (former, former))
    assert (reach.days, reach.rows, reach.what) == (1, 1, "files")
    assert reach.first == reach.last == today().on - timedelta(days=1)


def test_the_day_that_still_runs_is_none_of_history(record_folder, tmp_path):
    shutil.copy(record_folder / "sa21", tmp_path / f"sa{today().on:%d}")  # written just now

    [reach] = here(tmp_path).look()

    assert reach.days == 0
    assert "begun to keep records today" in reach.reason


def test_a_machine_that_keeps_nothing_says_what_would_help(tmp_path):
    [reach] = here(tmp_path).look()

    assert "switch its collection on" in reach.reason


@pytest.mark.django_db
def test_a_day_that_sysstat_kept_has_figures_and_devices_as_they_are_called_here(record_folder):
    dictionary.forget()
    target = Target.objects.create(
        name="machine",
        kind=Target.Kind.HOST,
        platform="linux",
        collector="linux",
        registered_at=datetime.now(UTC),
    )
    on = day_recorded(record_folder)
    day = here(record_folder).read_day(on, ["sysstat"])
    assert day is not None

    record_imported_days(target, [day], "sysstat", {}, datetime.now(UTC))

    frame = read_days(target, [on.on])[on.on]
    busy = [value for (_, metric, _), value in frame.items() if metric == "host_cpu_busy_pct"]
    assert busy
    assert 0 <= busy[0] <= 100
    assert Coverage.objects.get(target=target).categories[str(KERNEL)]["from"] == "sysstat"
    watched = {
        reading.component
        for reading in source(LocalCollector().collect(target, day.stretch.ended_at), DEVICES).readings
    }
    named = {name for category, _, name in frame.dropna().index if category == DEVICES}
    assert named <= watched
    dictionary.forget()


def test_another_machine_is_asked_over_ssh(record_folder, sshd: Server):  # noqa: F811
    far = HostHistory(HERE, lambda script: asyncio.run(ssh.ask(sshd.door(), script)), [str(record_folder)])

    on = day_recorded(record_folder)
    day, own = far.read_day(on, ["sysstat"]), here(record_folder).read_day(on, ["sysstat"])

    assert day is not None
    assert own is not None
    assert day.shots.keys() == own.shots.keys()
    for category, by_slot in own.shots.items():
        for slot, shot in by_slot.items():
            assert day.shots[category][slot].keys == shot.keys
            assert np.array_equal(day.shots[category][slot].values, shot.values, equal_nan=True)


@pytest.fixture
def far(db, sshd: Server, record_folder: Path, monkeypatch) -> Target:  # noqa: F811
    """A host over a real sshd, whose sysstat kept today."""
    dictionary.forget()
    address = {"host": "127.0.0.1", "port": sshd.port, "user": sshd.user, "host_key": sshd.host_key}
    target: Target = Target.objects.create(
        name="far", kind=Target.Kind.HOST, platform="linux", collector="linux-ssh", interval_minutes=5,
        registered_at=datetime.now(UTC) - timedelta(days=3), address=address | {"key_file": sshd.key_file},
    )  # fmt: skip

    @contextmanager
    def over_ssh(target: Target):
        door = ssh.door_of(target)
        yield HostHistory(target, lambda script: asyncio.run(ssh.ask(door, script)), [str(record_folder)])

    monkeypatch.setattr(history, "open_ssh_history", over_ssh)
    return target


def cover_day(target: Target, hours: float, on: date | None = None, **more: object) -> Coverage:
    """A day that a reading measured so many hours of."""
    categories = {str(FILESYSTEMS): {"hours": hours, "spans": 1, "since_restart": False}}
    return Coverage.objects.create(
        target=target, day=on or today().on, hours=hours, categories=categories, **more
    )


def test_a_failed_night_is_caught_up_from_what_sysstat_kept_and_says_so(far: Target):
    far.reviewed_through = today().on
    far.save()

    days, again = make_up_days(far, TOMORROW), make_up_days(far, TOMORROW)

    assert (days, again) == ([today().on], [])
    assert Coverage.objects.get(target=far).origin == "sysstat"
    frame = read_days(far, [today().on])[today().on]
    assert "host_cpu_busy_pct" in {metric for _, metric, _ in frame.dropna().index}
    far.refresh_from_db()
    assert far.reviewed_through == today().on - timedelta(days=1)  # it is reviewed with these figures


def test_of_a_day_read_in_part_what_sysstat_does_not_keep_stays(far: Target):
    cover_day(far, hours=0.0)
    days = make_up_days(far, TOMORROW)

    cover = Coverage.objects.get(target=far)
    assert days == [today().on]
    assert cover.origin == "sysstat"
    assert "from" not in cover.categories[str(FILESYSTEMS)]
    assert cover.categories[str(KERNEL)]["from"] == "sysstat"


def test_a_day_read_as_a_whole_is_left_alone(far: Target):
    cover_day(far, hours=23.9)

    assert make_up_days(far, TOMORROW) == []
    assert Coverage.objects.get(target=far).origin == ""


def test_only_days_since_the_registration_that_nothing_covers_are_lost(far: Target):
    yesterday = today().on - timedelta(days=1)
    cover_day(far, hours=3.0, on=yesterday)
    cover_day(far, hours=3.0, on=yesterday - timedelta(days=1), origin="file sa20")

    assert lost_days(far, TOMORROW) == [today().on, yesterday, yesterday - timedelta(days=2)]


def test_a_host_that_does_not_answer_is_not_asked_for_its_days(far: Target):
    now = datetime.now(UTC)
    assert far in hosts_with_lost_days(now)
    for back in (5, 10, 15):
        slot = now - timedelta(minutes=back)
        CollectionRun.objects.create(target=far, slot=slot, began_at=slot, state=CollectionRun.State.FAILED)

    assert far not in hosts_with_lost_days(now)


def test_a_file_that_is_none_of_sysstats_says_nothing_of_its_day(tmp_path):
    (tmp_path / "sa05").write_bytes(b"not a record\n" * 100)

    assert here(tmp_path).read_day(today(), ["sysstat"]) is None


@pytest.mark.django_db
def test_a_machine_without_earlier_days_is_left_as_it_is():
    target = Target.objects.create(
        name="new",
        kind=Target.Kind.HOST,
        platform="linux",
        collector="linux",
        registered_at=datetime.now(UTC),
    )

    assert has_history(target)
    started = start_reading_all(target, datetime.now(UTC))

    history = HistoryImport.objects.get(target=target)
    assert started == bool(history.reaches[0].days)


def test_a_host_that_sends_its_records_is_not_asked():
    assert not has_history(
        Target(name="far", kind=Target.Kind.HOST, platform="linux", collector="linux-files")
    )
