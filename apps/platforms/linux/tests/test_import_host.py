"""Files of a host, from the file to the figures that are stored."""

import io
import json
from datetime import UTC, date, datetime

import pytest
from django.core.management import CommandError, call_command

from apps.collection.collect import collect_target
from apps.collection.due_slots import due_collections
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import look_into, store_file, take_back_days
from apps.collection.missed_slots import note_missed
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.platforms.linux.tests.test_host_file_formats import sar
from apps.platforms.tests.samples import sample_path
from apps.snapshots.history import read_days
from apps.snapshots.models import Coverage, Fact
from apps.snapshots.roll_up import roll_up_day

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
ON = date(2026, 11, 20)


@pytest.fixture
def host():
    return Target.objects.create(
        name="db01", kind="host", platform="linux", collector="linux-files", interval_minutes=5,
        time_zone="UTC", registered_at=NOW,
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _old_days(settings):
    settings.HEADROOM_FIGURE_DAYS = 36500


def ten_minutes(*hours, **more):
    """Rows from hour to hour, every ten minutes."""
    first, last = hours
    times = [f"{minute // 60:02}:{minute % 60:02}:00" for minute in range(first * 60, last * 60, 10)]
    return sar(*times, **more)


def store(host, text, name="sa20", **more):
    content = text.encode() if isinstance(text, str) else text
    return store_file(host, io.BytesIO(content), name, NOW, **more)


def stored(host, on=ON):
    return {(metric, component): value for (_, metric, component), value in read_days(host, [on])[on].items()}


def test_the_days_of_a_file_are_stored_with_their_source(host):
    report = store(host, sar("08:00:00", "08:10:00", "08:20:00"))
    cover = Coverage.objects.get(target=host)

    assert [(outcome.on, outcome.is_stored) for outcome in report.outcomes] == [(ON, True)]
    assert (cover.day, cover.origin, cover.is_so_far) == (ON, "file sa20", False)
    assert cover.hours == pytest.approx(1 / 3)
    assert cover.is_partial
    assert Fact.objects.get(target=host, name="hostname").value == "db01.example.com"
    assert CollectionRun.objects.get(target=host).slot == datetime(2026, 11, 20, 8, 20, tzinfo=UTC)


def test_a_preview_stores_nothing(host):
    report = look_into(host, io.BytesIO(sar("08:00:00", "08:10:00").encode()), "sa20", NOW)

    assert [outcome.sentence for outcome in report.outcomes] == ["a new day"]
    assert not Coverage.objects.exists()
    assert not Fact.objects.exists()


def test_the_same_file_again_changes_nothing(host):
    store(host, sar("08:00:00", "08:10:00"))
    before = Coverage.objects.values().get()

    report = store(host, sar("08:00:00", "08:10:00"))

    assert [outcome.sentence for outcome in report.outcomes] == ["already there, unchanged"]
    assert Coverage.objects.values().get() == before
    assert CollectionRun.objects.count() == 1


def test_the_file_that_covers_more_gives_the_day_its_figures(host):
    store(host, ten_minutes(8, 10), "a")
    larger = store(host, ten_minutes(8, 12), "b")
    smaller = store(host, ten_minutes(8, 9), "c")

    assert larger.outcomes[0].sentence.startswith("takes the place of file a, which covers ")
    assert smaller.outcomes[0].sentence.startswith("stays with file b, which covers ")
    assert Coverage.objects.get().origin == "file b"


def test_a_file_is_taken_back_whole_and_what_another_gave_stays(host):
    store(host, ten_minutes(8, 12), "a")
    store(host, sar("08:00:00", "08:10:00", "08:20:00", date="2026-11-19"), "b")
    assert CollectionRun.objects.count() == 2

    gone = take_back_days(host, "a", None, NOW)

    assert gone == [ON]
    assert [cover.origin for cover in Coverage.objects.all()] == ["file b"]
    assert CollectionRun.objects.count() == 1
    assert stored(host) == {}
    assert take_back_days(host, "a", None, NOW) == []


def test_what_the_collector_reads_later_gives_way_where_it_covers_less(host):
    store(host, ten_minutes(0, 23), "sa20")

    cover = roll_up_day(host, ON, NOW)

    assert cover is not None
    assert cover.origin == "file sa20"
    assert roll_up_day(host, date(2026, 11, 19), NOW) is None


def test_a_day_that_was_still_running_closes_with_what_was_given_of_it(host):
    running = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    store_file(host, io.BytesIO(sar("08:00:00", "08:10:00").encode()), "sa20", running)
    assert Coverage.objects.get().is_so_far

    cover = roll_up_day(host, ON, NOW)

    assert cover is not None
    assert not cover.is_so_far
    assert not Coverage.objects.get().is_so_far


def test_a_file_of_another_host_is_refused_until_somebody_confirms(host):
    text = sar("08:00:00", "08:10:00").replace("db01", "hr07")

    with pytest.raises(UnreadableFile, match=r"is of hr07\.example\.com, and db01 calls itself db01"):
        store(host, text)
    assert not Coverage.objects.exists()

    assert store(host, text, is_confirmed=True).outcomes[0].is_stored
    assert store(host, text).outcomes[0].sentence == "already there, unchanged"  # its name is known now


@pytest.mark.parametrize(
    ("day", "sentence"), [("2026-12-24", "lies in the future"), ("1990-01-02", "lies before what is kept")]
)
def test_days_that_cannot_be_kept_are_refused(host, settings, day, sentence):
    settings.HEADROOM_FIGURE_DAYS = 3660

    for deed in (look_into, store_file):
        with pytest.raises(UnreadableFile, match=sentence):
            deed(host, io.BytesIO(sar("08:00:00", "08:10:00", date=day).encode()), "sa", NOW)


def test_an_instance_has_no_such_files(host):
    host.kind = "instance"

    with pytest.raises(UnreadableFile, match="is not a host"):
        store(host, sar("08:00:00", "08:10:00"))


def test_days_that_were_reviewed_without_them_are_reviewed_again(host):
    Target.objects.update(reviewed_through=date(2026, 11, 21))
    host.refresh_from_db()

    store(host, sar("08:00:00", "08:10:00"))

    host.refresh_from_db()
    assert host.reviewed_through == date(2026, 11, 19)


def test_a_host_by_files_is_never_due(host):
    assert due_collections(NOW) == []
    assert note_missed(NOW) == 0
    assert "is read from files alone" in collect_target(host, NOW, NOW).reason


def test_the_command_previews_stores_and_refuses(host, tmp_path, capsys):
    good, bad = tmp_path / "sa20", tmp_path / "bad"
    good.write_text(ten_minutes(0, 24) + "\n00:00:00  foo/s bar/s\n00:10:00 1 2\n")
    bad.write_text("nothing")

    call_command("import_host", good, "--target", "db01", "--preview")
    preview = capsys.readouterr().out
    call_command("import_host", good, "--target", "db01", "--json")
    report = json.loads(capsys.readouterr().out)

    assert "99% of the day  to be stored: a new day" in preview
    assert "not read: foo/s bar/s" in preview
    assert report["days"] == [{"day": "2026-11-20", "share": 0.9931, "stored": True, "reason": "a new day"}]
    assert report["not_understood"] == ["foo/s bar/s"]
    with pytest.raises(CommandError, match="none of the formats"):
        call_command("import_host", bad, "--target", "db01")
    with pytest.raises(CommandError, match="cannot be opened"):
        call_command("import_host", tmp_path / "none", "--target", "db01")


@pytest.mark.parametrize(
    ("name", "zone", "expected"),
    [
        ("solaris/sar_solaris10_sun4u_part_day.txt", "UTC", {"host_syscalls_per_s": 3308, "host_cpu_busy_pct": 10}),
        ("aix-hpux/sar_aix7.2_24h_1min.txt.gz", "UTC", {"host_cpu_user_pct": 25, "host_runq": 13.2}),
        ("aix-hpux/sar_hpux_11.31_part_day.txt", "UTC", {"host_cpu_iowait_pct": 34}),
        ("sar/linux_rhel7_sysstat10.1.5_48cpu.txt", "UTC", {"host_mem_used_pct": 4.31, "host_tasks": 617}),
        ("sysstat-json/sadf_j_8cpu_24h_restart.json", "Asia/Shanghai", {"host_cpu_idle_pct": 99.98}),
    ],
)  # fmt: skip
def test_real_files_are_stored(host, name, zone, expected):
    Target.objects.update(time_zone=zone)
    host.refresh_from_db()

    report = store(host, sample_path(name).read_bytes(), is_confirmed=True)
    figures = stored(host, report.outcomes[0].on)

    assert len(report.outcomes) == 1
    for metric, value in expected.items():
        assert figures[metric, ""] == pytest.approx(value, rel=0.02, abs=0.5)


def test_the_command_takes_back_what_a_file_gave(host, tmp_path, capsys):
    path = tmp_path / "sa20"
    path.write_text(sar("08:00:00", "08:10:00", "08:20:00"))
    call_command("import_host", str(path), "--target", "db01")
    assert Coverage.objects.exists()

    call_command("import_host", str(path), "--target", "db01", "--take-back")

    assert "sa20: one day taken back" in capsys.readouterr().out
    assert not Coverage.objects.exists()


def test_the_command_stores_a_file_that_names_the_host_otherwise_once_that_is_said(host, tmp_path, capsys):
    path = tmp_path / "sa20"
    path.write_text(sar("08:00:00", "08:10:00", "08:20:00").replace("db01", "old01"))

    with pytest.raises(
        CommandError,
        match=r"of old01.example.com, and db01 calls itself db01: .+ run it again with --other-name",
    ):
        call_command("import_host", str(path), "--target", "db01")
    assert not Coverage.objects.exists()
    call_command("import_host", str(path), "--target", "db01", "--other-name")

    written = capsys.readouterr().out
    assert "stored: a new day" in written
    assert "calls itself" not in written
