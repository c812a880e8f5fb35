"""What is killed, and when: drawn from a seed before anything starts, so that the seed repeats it (arithmetic)."""

import random
from dataclasses import dataclass

SUPERVISOR = "supervisor"
PARTS = (
    "PostgreSQL", "broker", "web", "collect worker", "review worker", "timetable",
    "web process", "review process", "PostgreSQL backend",
)  # fmt: skip
SELDOM = 5  # each part is killed so many times as often as the supervisor, with which all others go
SHORTEST_GAP = 0.1  # seconds
PACE = 0.4  # of the time there is: the rest goes by while the part whose turn it is is not back yet


@dataclass(frozen=True)
class Kill:
    """One kill: of which part, which of several alike (0 to 1), and seconds until the next."""

    part: str
    which: float
    gap: float


def draw(seed: int, kills: int, seconds: float) -> list[Kill]:
    """The kills of a drill that lasts so long; the same for the same arguments."""
    source = random.Random(seed)
    names = [*PARTS * SELDOM, SUPERVISOR]
    longest = max(2 * PACE * seconds / kills - SHORTEST_GAP, SHORTEST_GAP)
    return [
        Kill(source.choice(names), source.random(), source.uniform(SHORTEST_GAP, longest))
        for _ in range(kills)
    ]
