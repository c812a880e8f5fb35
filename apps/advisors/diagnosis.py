"""
Performance problem or capacity constraint? (product.md, Diagnosis; no Django)

Three questions, each answered in numbers: did the work grow with the figure, did the host run out of something, or
did the figure grow alone? Growth of work or a strained host speak for capacity, growth without either for performance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

GROWN = 10.0  # percent; less is taken as unchanged
ALONE = 2.0  # the figure grew by so many times more than the work


@dataclass(frozen=True)
class Change:
    """What became of one statistic: `percent` since the days it is compared with, `name` as people know it."""

    name: str
    percent: float | None


@dataclass(frozen=True)
class Strain:
    """One resource of the host against what it can bear."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def is_over(self) -> bool:
        return self.value > self.limit


@dataclass(frozen=True)
class Reason:
    """One piece of evidence, the diagnosis it speaks for or against, and the number that decides."""

    speaks_for: str  # performance, capacity, undetermined
    sentence: str
    number: str = ""
    speaks_against: str = ""


def diagnose(figure: Change, work: Sequence[Change], strains: Sequence[Strain]) -> tuple[str, list[Reason]]:
    """The proposed diagnosis with its evidence; "undetermined" where the numbers point both ways or nowhere."""
    reasons = [_of_strain(strain) for strain in strains]
    known = [change for change in work if change.percent is not None]
    if figure.percent is None or not known:
        reasons.append(
            Reason("undetermined", f"There is no earlier day to compare {figure.name} and the work with.")
        )
    else:
        reasons += [_of_work(figure.percent, change) for change in known]
    votes = {reason.speaks_for for reason in reasons} - {"undetermined"}
    return (votes.pop() if len(votes) == 1 else "undetermined"), reasons


def _of_strain(strain: Strain) -> Reason:
    number = f"{strain.value:.3g} {strain.unit}".rstrip()
    measured = f"{strain.name} is {number} against {strain.limit:.3g}"
    if strain.is_over:
        return Reason("capacity", f"The host ran out: {measured}.", number)
    return Reason("undetermined", f"The host had room: {measured}.", number, speaks_against="capacity")


def _of_work(grown: float, work: Change) -> Reason:
    percent = work.percent or 0.0
    number = _signed(percent)
    sentence = f"{work.name} changed by {number}, the figure by {_signed(grown)}"
    if percent >= GROWN and grown <= ALONE * percent:
        return Reason("capacity", f"The work grew with it: {sentence}.", number)
    if grown >= GROWN and percent < GROWN:
        return Reason("performance", f"It grew alone: {sentence}.", number)
    return Reason("undetermined", f"{sentence[0].upper()}{sentence[1:]}.", number)


def _signed(percent: float) -> str:
    """`+2.0 %`, `−3.4 %`: with the sign of print."""
    return f"{percent:+.1f} %".replace("-", "−")
