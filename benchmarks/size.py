"""How much is measured."""

from dataclasses import dataclass

WORKERS = 64


@dataclass(frozen=True)
class Size:
    """Targets, days and rounds of a run."""

    targets: int  # with a short history
    short: int  # days
    long_targets: int
    long: int  # days
    rounds: int
    crowded_rounds: int  # of 64 workers at once


SIZES = {
    "small": Size(20, 120, 4, 1000, 15, 5),
    "standard": Size(100, 400, 20, 1000, 25, 15),
}
