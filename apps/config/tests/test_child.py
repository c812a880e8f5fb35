"""No child outlives us, whatever ends us; a child that does not listen is killed with all it started."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from apps.config.embedded import CannotStart
from apps.config.embedded.child import LARGEST_LOG, Child, is_living

ROOT = Path(__file__).resolve().parents[3]
PARENT = """
import time
from pathlib import Path
from apps.config.embedded.child import Child
child = Child(["sleep", "60"], log=Path({log!r}))
print(child.pid, flush=True)
time.sleep(60)
"""
DEAF = """
import signal, subprocess, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["sleep", "60"])
print("deaf", flush=True)
time.sleep(60)
"""

LEAVES_A_THREAD = """
import ctypes, threading, time
EXIT = {"x86_64": 60, "aarch64": 93}[__import__("platform").machine()]
threading.Thread(target=time.sleep, args=(2,)).start()
ctypes.CDLL(None).syscall(EXIT, 0)
"""


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert condition()


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_a_killed_parent_takes_its_child_along(tmp_path):
    program = PARENT.format(log=str(tmp_path / "log"))
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    with parent.stdout:
        child = int(parent.stdout.readline())

    parent.kill()
    parent.wait()

    wait_for(lambda: is_gone(child))


def test_a_child_that_does_not_listen_is_killed_with_its_group(tmp_path):
    child = Child([sys.executable, "-c", DEAF], log=tmp_path / "log")
    wait_for(lambda: "deaf" in child.last_words())
    grandchild = psutil.Process(child.pid).children()[0]

    child.stop(seconds=0.2)

    wait_for(lambda: is_gone(grandchild.pid))
    assert child.how_it_ended() == "by signal SIGKILL"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process ends with all its threads at once")
def test_a_process_lives_as_long_as_its_last_thread():
    with subprocess.Popen([sys.executable, "-c", LEAVES_A_THREAD]) as child:
        process = psutil.Process(child.pid)
        wait_for(lambda: process.status() == psutil.STATUS_ZOMBIE)
        assert is_living(process)
        assert child.poll() is None
        wait_for(lambda: not is_living(process))
        assert child.poll() == 0
    assert not is_living(process)


def test_a_child_is_asked_first(tmp_path):
    child = Child(["sleep", "60"], log=tmp_path / "log", stop_signal=signal.SIGINT)

    child.stop()

    assert child.how_it_ended() == "by signal SIGINT"
    assert os.getpgid(0) != child.pid


def test_a_child_hears_the_signal_that_we_were_told_to_ignore(tmp_path):
    former = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a script that ends its line with &
    try:
        child = Child(["sleep", "60"], log=tmp_path / "log", stop_signal=signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, former)

    child.stop(seconds=10)

    assert child.how_it_ended() == "by signal SIGINT"


def test_a_child_that_ends_before_it_is_ready_is_told_with_its_last_words(tmp_path):
    child = Child(["sh", "-c", "echo no room left; exit 3"], log=tmp_path / "log")

    with pytest.raises(
        CannotStart, match=r"(?s)The thing ended with exit code 3; .*log says why:\nno room left"
    ):
        child.wait_until(lambda: False, "The thing", seconds=10)


def test_an_answer_of_another_is_not_this_childs(tmp_path):
    child = Child(["false"], log=tmp_path / "log")
    child.wait(60)

    with pytest.raises(CannotStart, match="The thing ended with exit code 1"):
        child.wait_until(lambda: True, "The thing", seconds=10)


def test_a_log_that_has_grown_large_is_put_aside(tmp_path):
    log = tmp_path / "part.log"
    log.write_bytes(b"x" * (LARGEST_LOG + 1))

    Child(["echo", "new"], log=log).wait(60)

    assert log.read_text() == "new\n"
    assert (tmp_path / "part.log.1").stat().st_size > LARGEST_LOG


def test_a_log_is_for_its_owner_alone_also_one_from_before(tmp_path):  # S16
    log = tmp_path / "log"
    log.write_text("from before\n")
    log.chmod(0o644)

    Child(["echo", "hello"], log=log).stop()

    assert stat.S_IMODE(log.stat().st_mode) == 0o600
