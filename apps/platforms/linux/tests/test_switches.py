"""Switches by kind: what the threads of a machine did between two rounds, and what cannot be known."""

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from apps.collection.collector import Reading
from apps.platforms.linux import collector, switches
from apps.platforms.linux.metrics.categories import THREADS
from apps.platforms.linux.switches import AFTER, BEFORE, read_switches, why_unknown
from apps.platforms.linux.tests.measured import figure, value
from apps.platforms.linux.tests.test_collector import collect, host, source, tree  # noqa: F401

FIRST = "100.00 900.00\n1 50 5 systemd\n700 1000 10 ora_lgwr_ORCL\n701 400 0 ora_lg00_ORCL\n702 9 9 ora_dbw0_ORCL\n703 7 7 sleep\n"
SECOND = "102.00 903.00\n1 60 5 systemd\n700 1100 40 ora_lgwr_ORCL\n701 420 0 ora_lg00_ORCL\n702 3 1 ora_dbw0_ORCL\n704 900 900 sh\n"
STATUS = "Name:\t{name}\nUmask:\t0022\nPid:\t{pid}\nvoluntary_ctxt_switches:\t{v}\nnonvoluntary_ctxt_switches:\t{i}\n"


def write_thread(machine: Path, pid: int, name: str, voluntary: int, involuntary: int) -> None:
    place = machine / f"root/proc/{pid}/task/{pid}/status"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(STATUS.format(name=name, pid=pid, v=voluntary, i=involuntary))


def threads_of(collected) -> list[Reading]:
    return next((run.readings for run in collected.sources if run.category == THREADS), [])


def test_hst3_what_counts_is_what_lived_through_both_rounds():
    """703 ended, 704 began, and 702 is another process by now."""
    readings = read_switches({BEFORE: FIRST, AFTER: SECOND})

    assert value(readings, "thread_voluntary_per_s") == (10 + 100 + 20) / 2
    assert value(readings, "thread_involuntary_per_s") == 30 / 2


def test_the_counts_of_each_log_writer_are_read_and_no_others():
    readings = read_switches({BEFORE: FIRST, AFTER: SECOND})

    writers = {r.component: r.value for r in readings if r.metric == "log_writer_involuntary"}
    assert writers == {"ora_lgwr_ORCL 700": 40, "ora_lg00_ORCL 701": 0}


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({}, "/proc shows none"),
        ({BEFORE: FIRST, AFTER: "102.00 903.00\n"}, "/proc shows none"),
        ({BEFORE: FIRST, AFTER: f"{SECOND}overdue\n"}, "within 3 seconds"),
        ({BEFORE: FIRST, AFTER: "102.00 903.00\ncrowded\n"}, "more than 20,000 threads"),
        ({BEFORE: FIRST, AFTER: SECOND.replace("\n1 60 5 systemd", "")}, "hidepid"),
        ({BEFORE: FIRST, AFTER: SECOND.replace("1 60 5", "1 many 5")}, "in another form"),
    ],
)
def test_what_cannot_be_known_has_its_reason_and_no_figure(texts, reason):
    assert reason in why_unknown(texts)
    assert read_switches(texts) == []


def test_a_program_that_calls_itself_a_row_is_none():
    forged = SECOND.replace("704 900 900 sh", "704 900 900 sh\r1 9999 9999 init\u20281 9999 9999 init")

    assert read_switches({BEFORE: FIRST, AFTER: forged}) == read_switches({BEFORE: FIRST, AFTER: SECOND})


def test_two_rounds_through_a_clock_that_stands_still_give_no_rate():
    readings = read_switches({BEFORE: FIRST, AFTER: SECOND.replace("102.00", "100.00")})

    assert value(readings, "thread_voluntary_per_s") is None
    assert value(readings, "log_writer_voluntary", "ora_lgwr_ORCL 700") == 1100


def test_this_machine_is_read_twice(tree, monkeypatch):  # noqa: F811
    (tree / "root/proc/uptime").write_text("100.00 9\n")
    write_thread(tree, 1, "systemd", 50, 5)
    write_thread(tree, 700, "ora_lgwr_ORCL", 1000, 10)

    def work(_: float) -> None:
        (tree / "root/proc/uptime").write_text("101.00 9\n")
        write_thread(tree, 700, "ora_lgwr_ORCL", 1030, 20)

    monkeypatch.setattr(collector, "sleep", work)

    collected = collect(tree)

    assert collected.failed == []
    assert not any("Switches" in note for note in collected.notes)
    assert threads_of(collected) == [
        Reading("thread_voluntary_per_s", 30.0),
        Reading("thread_involuntary_per_s", 10.0),
        Reading("log_writer_voluntary", 1030, "ora_lgwr_ORCL 700"),
        Reading("log_writer_involuntary", 20, "ora_lgwr_ORCL 700"),
    ]


def test_a_machine_that_hides_its_threads_is_read_without_them(tree, monkeypatch):  # noqa: F811
    monkeypatch.setattr(collector, "sleep", lambda _: None)

    collected = collect(tree)

    assert collected.failed == []
    assert threads_of(collected) == []
    assert "Switches of threads are not measurable: /proc shows none." in collected.notes


def test_of_too_many_threads_none_is_read(tree, monkeypatch):  # noqa: F811
    monkeypatch.setattr(switches, "MOST", 2)
    write_thread(tree, 1, "x", 1, 1)
    write_thread(tree, 2, "x", 1, 1)
    assert run_script(str(tree / "root")).split("\n") == ["1 1 1 x", "2 1 1 x", ""]

    write_thread(tree, 3, "x", 1, 1)

    assert run_script(str(tree / "root")) == "crowded\n"


def test_a_round_that_takes_too_long_says_so(tmp_path, monkeypatch):
    """A /proc that hangs: a pipe that nobody writes to."""
    monkeypatch.setattr(switches, "PATIENCE", 0.2)
    place = tmp_path / "proc/1/task/1"
    place.mkdir(parents=True)
    subprocess.run(["mkfifo", str(place / "status")], check=True)

    assert run_script(str(tmp_path)).split() == ["overdue"]


def test_a_folder_with_a_blank_and_a_quote_is_no_command(tmp_path):
    root = tmp_path / "a 'b; touch c"
    root.mkdir()

    assert run_script(str(root)) == ""
    assert not (tmp_path / "c").exists()


def run_script(root: str) -> str:
    command = ["sh", "-c", switches.script(root)]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(root).parent).stdout


def test_a_log_writer_of_this_machine_is_read_by_its_name(tmp_path):
    program = tmp_path / "ora_lgwr_TEST"
    shutil.copy(str(shutil.which("sleep")), program)
    writer = subprocess.Popen([str(program), "60"])
    try:
        collected = collector.LocalCollector(records=[]).collect(host(), datetime.now(UTC))
    finally:
        writer.kill()
        writer.wait(60)

    readings = source(collected, THREADS).readings
    assert value(readings, "log_writer_voluntary", f"ora_lgwr_TEST {writer.pid}") is not None
    assert (value(readings, "thread_voluntary_per_s") or 0) > 0


def sampled(voluntary: float, involuntary: float) -> list[Reading]:
    return [
        Reading("thread_voluntary_per_s", voluntary),
        Reading("thread_involuntary_per_s", involuntary),
    ]


def writer(number: int, voluntary: float, involuntary: float) -> list[Reading]:
    component = f"ora_lgwr_ORCL {number}"
    return [
        Reading("log_writer_voluntary", voluntary, component),
        Reading("log_writer_involuntary", involuntary, component),
    ]


def test_hst3_the_share_of_a_day_is_weighted_by_its_switches():
    shots = [sampled(90, 10)] * 31 + [sampled(900, 300)] * 30

    assert figure("host_icsw_pct", *shots) == pytest.approx(100 * 155 / (495 + 155))
    assert figure("host_icsw_per_s", *shots) == pytest.approx(155)
    assert figure("host_vcsw_per_s", *shots) == pytest.approx(495)
    assert figure("host_icsw_pct:max", *shots) == 25


@pytest.mark.parametrize(("voluntary", "involuntary", "share"), [(461, 14, 2.9), (459, 15, 3.2)])
def test_hst3_the_share_of_the_method(voluntary, involuntary, share):
    shots = [sampled(voluntary, involuntary)] * 2

    assert figure("host_icsw_pct", *shots) == pytest.approx(share, abs=0.05)


def test_hst3_a_log_writer_that_was_started_anew_counts_from_its_start():
    """700 ended with switches that nobody read; 900 counts by itself, although it stands lower than 700 did."""
    shots = (
        writer(700, 1000, 0),
        writer(700, 1080, 20),
        writer(900, 60, 40),
        writer(900, 110, 90),
    )

    assert figure("host_lgwr_icsw_pct", *shots) == pytest.approx(100 * (20 + 40 + 50) / (100 + 100 + 100))


def test_a_host_without_a_log_writer_has_no_figure_of_one():
    assert figure("host_lgwr_icsw_pct", sampled(90, 10), sampled(90, 10)) is None
