"""Who uses the processors: processes as /proc shows them, by what they are called and whose they are."""

import os
import re
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from apps.collection.engine.tally import Member
from apps.platforms.linux import processes
from apps.platforms.linux.collector import LocalCollector
from apps.platforms.linux.metrics.categories import PROCESSES
from apps.platforms.linux.processes import ACCOUNTS, COMMANDS, STATS, SWITCHES, read_processes, why_unknown
from apps.platforms.linux.sources import split_texts
from apps.platforms.linux.tests.process_tree import stat_line, write_process
from apps.platforms.linux.tests.test_collector import collect, host, source, tree  # noqa: F401

TEXTS = {
    STATS: "\n".join(
        [
            stat_line(1, "systemd", 50, 150, 3),
            stat_line(700, "ora_lgwr_ORCLCDB", 100, 100, 900),
            stat_line(701, "oracle_701_orcl", 4000, 1000, 950),
            stat_line(702, "kworker/3:1-ev", 0, 7, 20),
            stat_line(703, "a (b) c", 1, 1, 21),
            stat_line(704, "gone", 1, 1, 22),
        ]
    ),
    SWITCHES: "1 0 500 5\n700 54321 900 30\n701 54321 100 40\n702 0 6 0\n703 1000 2 2\n",
    COMMANDS: "/proc/1/cmdline:/usr/lib/systemd/systemd\n/proc/700/cmdline:ora_lgwr_ORCLCDB1\n"
    "/proc/701/cmdline:oracleORCLCDB1 (LOCAL=NO)\n/proc/703/cmdline:./a\n",
    ACCOUNTS: "root:0\noracle:54321\n",
}


def members(texts: dict[str, str]) -> list[Member]:
    run = read_processes(texts)
    return list(run.tally.members) if run and run.tally else []


def test_a_process_has_its_start_its_name_its_account_and_its_counters():
    systemd, writer, shadow, worker, odd = members(TEXTS)

    assert systemd == Member("1 3", {"process": "systemd", "account": "root"}, (2.0, 1.5, 500, 5))
    assert writer.components == {"process": "ORCLCDB1 log writer", "account": "oracle"}
    assert (shadow.identity, shadow.components["process"]) == ("701 950", "ORCLCDB1 shadow")
    assert shadow.counts == (50.0, 10.0, 100, 40)
    assert worker.components["process"] == "kworker"
    assert odd.components == {"process": "a (b) c", "account": "uid 1000"}


def test_a_name_that_the_kernel_cut_is_that_of_the_command():
    texts = TEXTS | {
        STATS: stat_line(1, "gnome-session-b", 1, 1, 1),
        COMMANDS: "/proc/1/cmdline:/usr/libexec/gnome-session-binary\n",
    }

    assert members(texts)[0].components["process"] == "gnome-session-binary"


def test_what_a_program_calls_itself_breaks_nothing():
    texts = TEXTS | {STATS: stat_line(1, "\x1b[31m\u202e", 1, 1, 1), COMMANDS: "/proc/1/cmdline:x\n"}

    assert members(texts)[0].components["process"] == "?[31m?"


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (TEXTS | {SWITCHES: ""}, "or shows none"),
        (TEXTS | {SWITCHES: "700 54321 900 30\n"}, "its own alone (hidepid)"),
    ],
)
def test_processes_that_are_hidden_have_their_reason(texts, reason):
    assert reason in why_unknown(texts)
    assert members(texts) == []


def test_nobody_who_did_not_ask_hears_of_them():
    assert why_unknown({}) == ""
    assert read_processes({}) is None


def test_a_host_without_processes_to_see_is_read_without_them(tree):  # noqa: F811
    collected = collect(tree)

    assert collected.failed == []
    assert [run for run in collected.sources if run.category == PROCESSES] == []
    assert any("Processes are not measurable" in note for note in collected.notes)


def test_the_processes_of_a_tree_are_read(tree):  # noqa: F811
    write_process(tree / "root", 1, "systemd", user=1.0, began=3)
    write_process(
        tree / "root", 5221, "oracle_5221_gis", "oracleGISPRD", user=300.0, involuntary=11, began=77
    )

    tally = source(collect(tree), PROCESSES).tally

    assert [member.components["process"] for member in tally.members] == ["systemd", "GISPRD shadow"]
    assert tally.members[1].counts == (300.0, 0.0, 0, 11)


def test_of_too_many_threads_none_is_read(tree, monkeypatch):  # noqa: F811
    monkeypatch.setattr(processes, "MOST_THREADS", 1)
    for number in (1, 2):
        write_process(tree / "root", number, "x")

    texts = split_texts(
        subprocess.run(
            ["sh", "-c", processes.script(str(tree / "root"))], capture_output=True, text=True, check=False
        ).stdout
    )

    assert why_unknown(texts)


def test_a_line_that_a_program_slips_in_is_no_text_of_its_own(tree):  # noqa: F811
    """Kernels before 4.18 print the name of a program as it is, with its breaks."""
    write_process(tree / "root", 1, "systemd")
    write_process(tree / "root", 9, "x\n==== /etc/y\n")

    collected = subprocess.run(
        ["sh", "-c", processes.script(str(tree / "root"))], capture_output=True, text=True, check=False
    ).stdout

    assert set(split_texts(collected)) == {STATS, SWITCHES, COMMANDS, ACCOUNTS}


def test_a_process_of_this_machine_is_read_by_its_name_and_only_its_first_word(tmp_path):
    program = tmp_path / "ora_lgwr_TEST"
    shutil.copy(str(shutil.which("sleep")), program)
    writer = subprocess.Popen([program.name, "60.123"], executable=program)
    try:
        time.sleep(0.2)
        texts = split_texts(
            subprocess.run(
                ["sh", "-c", processes.script()], capture_output=True, text=True, check=False
            ).stdout
        )
        collected = LocalCollector(records=[str(tmp_path / "none")]).collect(host(), datetime.now(UTC))
    finally:
        writer.kill()
        writer.wait(60)

    tally = source(collected, PROCESSES).tally
    mine = [member for member in tally.members if member.identity.startswith(f"{writer.pid} ")]
    assert [member.components["process"] for member in mine] == ["TEST log writer"]
    me = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    assert mine[0].components["account"] == me
    assert re.search(rf"/proc/{writer.pid}/cmdline:ora_lgwr_TEST$", texts[COMMANDS], re.MULTILINE)
    assert "60.123" not in texts[COMMANDS]


def test_the_processor_time_of_a_process_is_that_of_the_kernel(tmp_path):
    collected = LocalCollector(records=[str(tmp_path)]).collect(host(), datetime.now(UTC))
    mine = os.times()

    tally = source(collected, PROCESSES).tally
    [me] = [member for member in tally.members if member.identity.startswith(f"{os.getpid()} ")]
    assert me.counts[0] == pytest.approx(mine.user + mine.system, abs=1.0)
    assert me.counts[1] == pytest.approx(mine.system, abs=1.0)


def test_a_folder_with_a_blank_and_a_quote_is_no_command(tmp_path: Path):
    root = tmp_path / "a 'b; touch c"
    root.mkdir()

    subprocess.run(["sh", "-c", processes.script(str(root))], capture_output=True, check=False, cwd=tmp_path)

    assert not (tmp_path / "c").exists()
