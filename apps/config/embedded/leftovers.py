"""Whom a supervisor that was killed has left running: written down while it works, looked for at the next start."""

import json
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

from apps.config.embedded.child import Child, is_living, say, send, wait_for_end

FILE = "children.json"
PATIENCE = 5  # seconds for what was told to stop when its supervisor died


def record_children(run: Path, children: Iterable[Child]) -> None:
    """Write down whom the next supervisor would have to wait for if this one were killed."""
    alive = []
    for child in children:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(child.pid)
            alive.append([process.pid, process.create_time(), int(child.stop_signal)])
    draft = run / "children.new"
    with suppress(OSError):  # a full disk must not stop what still runs
        draft.write_text(json.dumps(alive))
        draft.replace(run / FILE)


def forget_children(run: Path) -> None:
    """All have ended."""
    (run / FILE).unlink(missing_ok=True)


def end_leftovers(run: Path) -> None:
    """Wait for the children of a supervisor that was killed; they have been told to stop."""
    leftovers = []
    for pid, created, stop_signal in reversed(_recorded_children(run)):
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            if abs(process.create_time() - created) < 1 and is_living(process):
                leftovers.append(process)
                process.send_signal(stop_signal)
    if leftovers:
        say("Waiting for what an earlier start left running.")
    for process in wait_for_end(leftovers, PATIENCE):
        with suppress(psutil.Error):  # it ended meanwhile
            send([*process.children(recursive=True), process], signal.SIGKILL)


def _recorded_children(run: Path) -> list[tuple[int, float, int]]:
    try:
        return [(pid, created, number) for pid, created, number in json.loads((run / FILE).read_text())]
    except (OSError, ValueError, TypeError):
        return []
