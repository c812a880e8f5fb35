"""
Processes: what each has used of the processors, whose it is, and how often it switched.

Each counts from its own start, which together with its number says which one it is. What they counted is added up by name
and by account from one reading to the next (apps/collection/engine/tally.py).
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.catalog.process_names import name_process
from apps.collection.collector import SourceRun
from apps.collection.engine.tally import Member, MemberTally
from apps.platforms.linux.metrics.categories import PROCESSES
from apps.platforms.linux.metrics.processes import COUNTERS, REST

STATS, SWITCHES, COMMANDS, ACCOUNTS = (
    "processes",
    "switches of processes",
    "commands of processes",
    "accounts of processes",
)
MOST_THREADS = 20_000
PATIENCE = 3  # seconds for each of the four
APART = 40  # names, and accounts, that are told apart
LONGEST_NAME = 60
_TICKS = 100  # a second, for what Linux shows of processes, on every processor that databases run on
_FIRST_PROCESS = "1"
_KERNEL_NAME = 15  # letters
_STAT = re.compile(r"(\d+) \((.*)\) [A-Za-z] (.+)")
_USER, _SYSTEM, _BEGAN = 10, 11, 18  # places among the numbers that follow the state


def script(root: str = "") -> str:
    """
    A shell script that prints four texts, each under a line "==== name"; `root` is where /proc is found.

    Of a command its first word alone is read: what follows may hold passwords.
    """
    places = f"{shlex.quote(root)}/proc"
    return rf"""
printf '\n==== {STATS}\n'
printf '%s\n' {places}/[0-9]*/stat | timeout {PATIENCE} xargs cat 2>/dev/null | grep -aE '^[0-9]+ [(]'
printf '\n==== {SWITCHES}\n'
set -- {places}/[0-9]*/task/[0-9]*/status
[ $# -gt {MOST_THREADS} ] || printf '%s\n' "$@" | timeout {PATIENCE} xargs grep -hE '^(Tgid|Uid|(non)?voluntary_ctxt_switches):' 2>/dev/null | awk '
    $1 == "Tgid:" {{ process = $2 }}
    $1 == "Uid:" {{ account[process] = $3 }}
    $1 == "voluntary_ctxt_switches:" {{ voluntary[process] += $2 }}
    $1 == "nonvoluntary_ctxt_switches:" {{ involuntary[process] += $2 }}
    END {{ for (process in account) printf "%s %s %.0f %.0f\n", process, account[process], voluntary[process], involuntary[process] }}
'
printf '\n==== {COMMANDS}\n'
printf '%s\n' {places}/[0-9]*/cmdline | timeout {PATIENCE} xargs grep -azm1 -H '' 2>/dev/null | tr '\n\0' ' \n' | cut -c 1-300
printf '\n==== {ACCOUNTS}\n'
printf '%s\n' {places}/[0-9]*/status | timeout {PATIENCE} xargs grep -hE '^Uid:' 2>/dev/null | awk '{{ print $3 }}' | sort -u | timeout {PATIENCE} xargs getent passwd 2>/dev/null | cut -d: -f 1,3
"""


@dataclass(frozen=True)
class _Switches:
    account: str
    voluntary: float
    involuntary: float


def read_processes(texts: Mapping[str, str], seconds: float = 0.0) -> SourceRun | None:
    """The processes as their script printed them; None where they cannot be known, or nobody asked for them."""
    if STATS not in texts or why_unknown(texts):
        return None
    tally = MemberTally(
        members=list(_members(texts)),
        metrics=COUNTERS,
        rest=REST,
        most=APART,
    )
    return SourceRun(name="/proc: each process", category=PROCESSES, seconds=seconds, tally=tally)


def why_unknown(texts: Mapping[str, str]) -> str:
    """Why processes cannot be told apart though somebody asked for them, in a sentence; empty where they can."""
    if STATS not in texts:
        return ""
    switches = _switches_of(texts)
    if not switches:
        return (
            f"Processes are not measurable: /proc did not show them within {PATIENCE} seconds, or shows none."
        )
    if _FIRST_PROCESS not in switches:
        return "Processes are not measurable: /proc shows this account its own alone (hidepid)."
    return ""


def _members(texts: Mapping[str, str]) -> Iterator[Member]:
    switches, words, accounts = _switches_of(texts), _first_words(texts), _names_of_accounts(texts)
    for line in texts[STATS].split("\n"):
        match = _STAT.fullmatch(line)
        if not match or match[1] not in switches:
            continue
        number, name, counted = match[1], match[2], match[3].split()
        user, system = int(counted[_USER]) / _TICKS, int(counted[_SYSTEM]) / _TICKS
        own = switches[number]
        yield Member(
            identity=f"{number} {counted[_BEGAN]}",
            components={
                "process": _name(name, words.get(number, "")),
                "account": accounts.get(own.account, f"uid {own.account}"),
            },
            counts=(user + system, system, own.voluntary, own.involuntary),
        )


def _name(kernel_name: str, word: str) -> str:
    """
    What processes are added up by: what a technology calls them, else the name that the kernel has for them.

    The kernel cuts names, and numbers its own threads behind a slash.
    """
    if name := name_process(word):
        return _printable(name)
    if not word:
        return _printable(re.split(r"[/:]", kernel_name, maxsplit=1)[0]) or "kernel"
    program = word.rpartition("/")[2]
    is_cut = len(kernel_name) == _KERNEL_NAME and program.startswith(kernel_name)
    return _printable(program if is_cut else kernel_name)


def _printable(name: str) -> str:
    """A program may call itself what it likes."""
    return "".join(letter if letter.isprintable() else "?" for letter in name).strip()[:LONGEST_NAME] or "?"


def _switches_of(texts: Mapping[str, str]) -> dict[str, _Switches]:
    rows = (line.split() for line in texts.get(SWITCHES, "").split("\n"))
    return {row[0]: _Switches(row[1], float(row[2]), float(row[3])) for row in rows if len(row) == 4}


def _first_words(texts: Mapping[str, str]) -> dict[str, str]:
    matches = re.finditer(r"^\S*/proc/(\d+)/cmdline:(.*)$", texts.get(COMMANDS, ""), flags=re.MULTILINE)
    return {match[1]: match[2].partition(" ")[0] for match in matches}


def _names_of_accounts(texts: Mapping[str, str]) -> dict[str, str]:
    rows = (line.rpartition(":") for line in texts.get(ACCOUNTS, "").split("\n"))
    return {number: _printable(name) for name, colon, number in rows if colon and name}
