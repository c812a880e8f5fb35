"""One child process: started so that it never outlives us, stopped kindly, then firmly."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from apps.config.embedded import CannotStart

PR_SET_PDEATHSIG = 1
LARGEST_LOG = 10 * 1024 * 1024


class Child:
    """
    A child in a session of its own, so that the terminal's Ctrl-C reaches only us.

    On Linux the kernel sends it `stop_signal` when we die, even of SIGKILL. It must be started by the main thread:
    the kernel counts the death of the thread that started it. What it says goes to its log; with `answers`, only what
    it says on stderr does, and its few words on stdout are for us to read.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        log: Path,
        stop_signal: signal.Signals = signal.SIGTERM,
        environment: Mapping[str, str] | None = None,
        descriptors: Sequence[int] = (),
        unprivileged: bool = False,
        answers: bool = False,
        working_directory: Path = Path("/"),
    ) -> None:
        self.log = log
        self._is_over = False
        self.stop_signal = stop_signal
        rotate(log)
        with open(log, "ab", opener=_open_private) as output:
            self._log_began_at = output.tell()
            self.process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if answers else output,
                stderr=output,
                env=environment,
                cwd=working_directory,
                pass_fds=descriptors,
                start_new_session=True,
                preexec_fn=_before_exec(stop_signal),
                **(as_nobody() if unprivileged else {}),
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def wait_until(
        self,
        is_ready: Callable[[], bool],
        title: str,
        *,
        seconds: float,
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Wait until it is ready, or we have given up waiting. Raises CannotStart when it ends, or takes too long."""
        deadline = time.monotonic() + seconds
        while not given_up():
            if is_ready() and self.is_alive:  # in this order: another's answer is not this child's
                return
            if not self.is_alive or time.monotonic() > deadline:
                how = "does not answer" if self.is_alive else f"ended {self.how_it_ended()}"
                raise CannotStart(f"{title} {how}; {self.log} says why:\n{self.last_words()}")
            time.sleep(0.05)

    def ask_to_stop(self) -> None:
        """Send the signal on which this child ends cleanly."""
        if self.is_alive:
            self.process.send_signal(self.stop_signal)

    def wait(self, seconds: float) -> bool:
        """Wait for its end; False when it goes on."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill_group(self) -> None:
        """End the child and what it left in its process group, at once."""
        if not self._is_over:
            with suppress(ProcessLookupError, PermissionError):  # nobody is left
                os.killpg(self.pid, signal.SIGKILL)
            self.process.wait()
            self._is_over = True  # from now on its number may be another's

    def stop(self, seconds: float = 20) -> None:
        """Ask it to stop, and kill its process group when it takes too long."""
        self.ask_to_stop()
        self.wait(seconds)
        self.kill_group()

    def read_answer(self) -> str:
        """What a child with `answers` said, once it has ended."""
        assert self.process.stdout
        with self.process.stdout as answer:
            return str(answer.read(), "utf-8")

    def how_it_ended(self) -> str:
        """In words, for a sentence: `with exit code 1`."""
        code = self.process.returncode
        if code is not None and code < 0:
            return f"by signal {signal.Signals(-code).name}"
        return f"with exit code {code}"

    def last_words(self, lines: int = 8) -> str:
        """The end of what this child wrote to its log."""
        with open(self.log, "rb") as log:
            log.seek(self._log_began_at)
            return "\n".join(log.read().decode(errors="replace").rstrip().splitlines()[-lines:])


def processes_in(directory: Path) -> list[psutil.Process]:
    """Every living process whose working directory this is: PostgreSQL and Valkey work in that of their data."""
    processes = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):  # it ended, or belongs to somebody else
            if process.cwd() == str(directory) and is_living(process):
                processes.append(process)
    return processes


def is_living(process: psutil.Process) -> bool:
    """
    Whether it still does something: one that ended stays listed until its parent looks, and not every init does.

    One whose first thread has ended is listed like that while its others still end, and holds its files until then.
    """
    try:
        return process.is_running() and (
            process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1
        )
    except psutil.Error:
        return False


def wait_for_end(processes: Iterable[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Wait until they have ended; return those that go on."""
    deadline = time.monotonic() + seconds
    while (
        living := [process for process in processes if is_living(process)]
    ) and time.monotonic() < deadline:
        time.sleep(0.05)
    return living


def send(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Signal each of them that still lives."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def rotate(log: Path) -> None:
    """Put a log that has grown large aside; one old one is kept."""
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        log.replace(log.with_suffix(".log.1"))


def _open_private(path: str, flags: int) -> int:
    """For open(): a file that its owner alone reads, also where it is from before."""
    descriptor = os.open(path, flags, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def as_nobody() -> dict[str, Any]:
    """Popen's arguments for a program that refuses to run as root; nothing when we are not root."""
    if os.geteuid() != 0:
        return {}
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise CannotStart(
            "PostgreSQL does not run as root, and this machine has no user nobody: start Headroom as another user."
        ) from None
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def say(sentence: str) -> None:
    """Tell the person at the terminal, who may have closed it."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


def _before_exec(stop_signal: signal.Signals) -> Callable[[], None]:
    """What a child does before it becomes its program: it hears the stop signal, and on Linux it dies with its parent."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    parent = os.getpid()

    def before_exec() -> None:
        # a shell lets what it starts in the background ignore SIGINT
        signal.signal(stop_signal, signal.SIG_DFL)
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, int(stop_signal))
            if os.getppid() != parent:
                os._exit(1)

    return before_exec
