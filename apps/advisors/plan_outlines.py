"""Courses of action as platforms bring them along; templates.py makes rows of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PlanOutline:
    """A course of action as a platform brings it: `steps` are texts with the days each may take."""

    key: str
    name: str
    family: str
    diagnosis: str
    steps: Sequence[tuple[str, int]]
    source: str = ""

    @property
    def text(self) -> str:
        return "\n".join(f"{step} | {days}" for step, days in self.steps)


PLAN_OUTLINES: dict[str, PlanOutline] = {}


def add_plan_outlines(outlines: Iterable[PlanOutline]) -> None:
    """Make courses of action known; platforms do so when they are plugged in."""
    PLAN_OUTLINES.update({outline.key: outline for outline in outlines})
