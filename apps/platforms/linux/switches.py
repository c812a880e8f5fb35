"""
Voluntary and involuntary context switches, which Linux counts for each thread alone.

The counts of a thread go with it, so that a sum over the living may fall. So all threads are read twice within one
reading, and what counts is how often those switched that lived through both. Log writers of Oracle live long: of each
the counts themselves are read, so that nothing between two readings is lost.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from apps.collection.collector import Reading

BEFORE, AFTER = "switches, first round", "switches, second round"  # what their texts go by
PAUSE = 1  # seconds between the two rounds
MOST = 20_000  # threads; where there are more, none is read: a part of them is not the host
PATIENCE = 3  # seconds for a round
_FIRST_PROCESS = 1
_OVERDUE, _CROWDED = "overdue", "crowded"
_REASONS = {
    _OVERDUE: f"/proc did not show them within {PATIENCE} seconds.",
    _CROWDED: f"there are more than {MOST:,} threads.",
}
_LOG_WRITER = re.compile(r"ora_lg(wr|\d\d)_[\w$#-]+")
_MOST_WRITERS = 200  # anybody may call a program so


def script(root: str = "") -> str:
    """
    A shell script that prints the time since start-up, and of each thread its number, both counts and its name.

    `root` is where /proc is found. Where threads are too
    many, or a round is not over in time, a line says so in place of them, or after some.
    """
    places = f"{shlex.quote(root)}/proc"
    return rf"""
cat {places}/uptime 2>/dev/null
set -- {places}/[0-9]*/task/[0-9]*/status
if [ $# -gt {MOST} ]; then echo {_CROWDED}; else printf '%s\n' "$@" | {{
    timeout {PATIENCE} xargs grep -hE '^(Name|Pid|(non)?voluntary_ctxt_switches):' 2>/dev/null
    [ $? -ne 124 ] || printf '\n{_OVERDUE}\n'
}} | awk '
    $1 == "Name:" {{ name = $2 }}
    $1 == "Pid:" {{ thread = $2 }}
    $1 == "voluntary_ctxt_switches:" {{ voluntary = $2 }}
    $1 == "nonvoluntary_ctxt_switches:" {{ print thread, voluntary, $2, name }}
    $1 == "{_OVERDUE}" {{ print }}
'; fi
"""


@dataclass(frozen=True)
class Thread:
    """How often one thread gave its CPU up, and how often it lost it."""

    name: str
    voluntary: int
    involuntary: int


@dataclass(frozen=True)
class ThreadCounts:
    """All threads at one moment, by their numbers."""

    uptime: float
    threads: Mapping[int, Thread]
    failure: str = ""


def parse_round(text: str) -> ThreadCounts:
    """What the script printed; a name ends with its line, whatever else a program puts into it. Raises ValueError."""
    first, _, rest = text.strip().partition("\n")
    rows = [words for line in rest.split("\n") if len(words := line.split(maxsplit=3)) == 4]
    threads = {int(row[0]): Thread(row[3].strip(), int(row[1]), int(row[2])) for row in rows}
    failure = next((line for line in rest.split("\n") if line in _REASONS), "")
    return ThreadCounts(float(first.split()[0]) if first else 0.0, threads, failure)


def read_switches(texts: Mapping[str, str]) -> list[Reading]:
    """Switches per second between the two rounds, and the counts of each log writer; nothing where they are not known."""
    if why_unknown(texts):
        return []
    before, after = parse_round(texts[BEFORE]), parse_round(texts[AFTER])
    return _per_second(before, after) + _log_writers(after)


def why_unknown(texts: Mapping[str, str]) -> str:
    """Why switches cannot be measured on this machine, in a sentence; empty where they can."""
    reason = _reason(texts)
    return f"Switches of threads are not measurable: {reason}" if reason else ""


def _reason(texts: Mapping[str, str]) -> str:
    try:
        rounds = [parse_round(texts.get(name, "")) for name in (BEFORE, AFTER)]
    except ValueError:
        return "/proc shows them in another form."
    if failure := next((each.failure for each in rounds if each.failure), ""):
        return _REASONS[failure]
    if not all(each.threads for each in rounds):
        return "/proc shows none."
    if not all(_FIRST_PROCESS in each.threads for each in rounds):
        return "/proc shows this account its own processes alone (hidepid)."
    return ""


def _per_second(before: ThreadCounts, after: ThreadCounts) -> list[Reading]:
    """A number that begins to count anew is another thread's by now: it did not live through both rounds."""
    seconds = after.uptime - before.uptime
    if seconds <= 0:
        return []
    pairs = [
        (before.threads[number], thread)
        for number, thread in after.threads.items()
        if number in before.threads
    ]
    grown = [
        (new.voluntary - old.voluntary, new.involuntary - old.involuntary)
        for old, new in pairs
        if new.voluntary >= old.voluntary and new.involuntary >= old.involuntary
    ]
    return [
        Reading("thread_voluntary_per_s", sum(voluntary for voluntary, _ in grown) / seconds),
        Reading("thread_involuntary_per_s", sum(involuntary for _, involuntary in grown) / seconds),
    ]


def _log_writers(after: ThreadCounts) -> list[Reading]:
    """By name and number, so that one that was started anew is another one."""
    readings = []
    writers = [
        (f"{thread.name} {number}", thread)
        for number, thread in after.threads.items()
        if _LOG_WRITER.fullmatch(thread.name)
    ]
    for component, thread in writers[:_MOST_WRITERS]:
        readings += [
            Reading("log_writer_voluntary", thread.voluntary, component),
            Reading("log_writer_involuntary", thread.involuntary, component),
        ]
    return readings
