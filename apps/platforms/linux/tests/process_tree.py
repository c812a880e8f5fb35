"""Processes as files of a machine that is made of files."""

from pathlib import Path

TICKS = 100


def stat_line(number: int, name: str, user: float, system: float, began: int) -> str:
    """A line of /proc/PID/stat; times are in ticks."""
    return (
        f"{number} ({name}) S 1 1 1 0 -1 4194560 9 9 9 9 {user:.0f} {system:.0f} 5 5 20 0 1 0 {began} 9 9 9"
    )


def write_process(
    root: Path,
    number: int,
    name: str,
    command: str = "",
    *,
    user: float = 0.0,
    system: float = 0.0,
    voluntary: int = 0,
    involuntary: int = 0,
    account: int = 0,
    began: int = 1,
) -> None:
    """What the kernel would show of a process that has had so many seconds; without a command it is the kernel's own."""
    folder = root / f"proc/{number}"
    (folder / f"task/{number}").mkdir(parents=True, exist_ok=True)
    status = (
        f"Name:\t{name.replace(chr(10), '?')}\nUmask:\t0022\nTgid:\t{number}\nPid:\t{number}\nUid:\t{account}\t{account}\t{account}\t{account}\n"
        f"voluntary_ctxt_switches:\t{voluntary}\nnonvoluntary_ctxt_switches:\t{involuntary}\n"
    )
    (folder / "status").write_text(status)
    (folder / f"task/{number}/status").write_text(status)
    (folder / "stat").write_text(stat_line(number, name, user * TICKS, system * TICKS, began) + "\n")
    (folder / "cmdline").write_bytes(f"{command}\0".encode() if command else b"")
