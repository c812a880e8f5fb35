"""
What a change made of a figure: eliminated, met, improved, worse, or the same (the method's redo study; no Django).

A figure is held against what was aimed at where something was, else against what it was before. What is no more than
its noise is the same.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from apps.catalog.metric import Worse
from apps.profiles.engine.periods import ChangeVerdict, Judgement
from apps.thresholds.engine.notation import Form, Limit, LimitSide, significant

_TIMES = re.compile(r"^\s*(>=|≥|<=|≤|>|<)?\s*(\d+(?:\.\d+)?)\s*[x×]\s*$")


class Outcome(StrEnum):
    """What became of a figure."""

    ELIMINATED = "eliminated"
    MET = "met"
    IMPROVED = "improved"
    WORSE = "worse"
    MISSED = "missed"  # neither better nor what was aimed at
    SAME = "same"
    CHANGED = "changed"  # of what nobody calls better or worse
    NO_DATA = "no data"


GOOD = (Outcome.ELIMINATED, Outcome.MET, Outcome.IMPROVED)


@dataclass(frozen=True)
class Times:
    """What a figure should grow or shrink to, as a multiple of what it was: `≥ 4×`."""

    sign: str
    factor: float

    def is_met(self, ratio: float) -> bool:
        reached, aim = significant(ratio), significant(self.factor)
        signs = {">=": reached >= aim, ">": reached > aim, "<=": reached <= aim, "<": reached < aim}
        return signs[self.sign]


def parse_times(text: str) -> Times | None:
    """`4x` or `≥ 4×` as a multiple; None where it is no multiple."""
    match = _TIMES.match(text)
    if match is None:
        return None
    sign = {"≥": ">=", "≤": "<=", None: ">="}.get(match[1], match[1])
    return Times(str(sign), float(match[2]))


def judge_outcome(judged: Judgement, worse: Worse, aim: Limit | Times | None) -> Outcome:
    """What became of a figure of two periods; limits are in the unit of the figure."""
    before, after = judged.before, judged.after
    if not before.read or not after.read or judged.verdict is ChangeVerdict.NO_DATA:
        return Outcome.NO_DATA
    value = after.mean if after.occurred else None
    if isinstance(aim, Times):
        if before.mean and value is not None and aim.is_met(value / before.mean):
            return Outcome.MET
        return _unmet(judged, worse, has_aim=True)
    if aim is None or aim.form is Form.UNDECIDED:
        return _unmet(judged, worse, has_aim=False)
    if aim.form is Form.ELIMINATE:
        return _unmet(judged, worse, has_aim=True) if value else Outcome.ELIMINATED
    if aim.form is Form.NO_CHANGE:
        return Outcome.MET if judged.verdict is ChangeVerdict.SAME else _unmet(judged, worse, has_aim=True)
    is_met = aim.side is LimitSide.UPPER if value is None else not aim.is_beyond(value)
    return Outcome.MET if is_met else _unmet(judged, worse, has_aim=True)


def _unmet(judged: Judgement, worse: Worse, *, has_aim: bool) -> Outcome:
    """Better, worse or the same as before, whatever was aimed at."""
    if judged.verdict is ChangeVerdict.GONE:
        return Outcome.ELIMINATED if worse is not Worse.LOWER else Outcome.WORSE
    if judged.verdict is ChangeVerdict.APPEARED:
        return Outcome.IMPROVED if worse is Worse.LOWER else Outcome.WORSE
    if judged.verdict is ChangeVerdict.BETTER:
        return Outcome.IMPROVED
    if judged.verdict is ChangeVerdict.WORSE:
        return Outcome.WORSE
    if has_aim:
        return Outcome.MISSED
    return Outcome.CHANGED if judged.verdict in (ChangeVerdict.HIGHER, ChangeVerdict.LOWER) else Outcome.SAME
