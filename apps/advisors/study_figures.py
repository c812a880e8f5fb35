"""judge_figure(): one figure of two periods, held against what was aimed at or against before."""

from apps.advisors.engine.outcome import Outcome, Times, judge_outcome, parse_times
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.profiles.differences import ComparedRow, Comparison
from apps.profiles.engine.periods import ChangeVerdict, Judgement, PeriodStatistics
from apps.thresholds.case_steps import Refusal
from apps.thresholds.engine.notation import BadNotation, Limit
from apps.thresholds.register import parse_limits


def judge_figure(comparison: Comparison, key: str, component: str, aim: str) -> tuple[Judgement, Outcome]:
    """A figure of two periods in stored units, and what became of it against what was aimed at, or against before."""
    metric = get_metric(key)
    row = comparison.row_of.get((metric.key, component))
    judged = _in_unit(row, metric) if row else _judged_absent(comparison, metric)
    return row.judged if row else judged, judge_outcome(judged, metric.worse, aim_of(key, aim))


def _in_unit(row: ComparedRow, metric: Metric) -> Judgement:
    """The means in the unit of the profile, in which limits are."""

    def side(raw: PeriodStatistics) -> PeriodStatistics:
        return PeriodStatistics(
            raw.read, raw.occurred, None if raw.mean is None else metric.to_display_unit(raw.mean), raw.sd
        )

    judged = row.judged
    return Judgement(
        side(judged.before), side(judged.after), judged.percent, judged.t, judged.verdict, judged.reason
    )


def _judged_absent(comparison: Comparison, metric: Metric) -> Judgement:
    """A figure that neither period has: it did not occur where others of its source were read, else it is no data."""
    neighbours = [row.judged for row in comparison.rows if row.metric.category == metric.category]
    was_read = metric.origin.is_sparse and any(
        judged.before.read and judged.after.read for judged in neighbours
    )
    sides = [
        PeriodStatistics(len(days.used) if was_read else 0, 0, None, None)
        for days in (comparison.before, comparison.after)
    ]
    verdict = ChangeVerdict.SAME if was_read else ChangeVerdict.NO_DATA
    return Judgement(sides[0], sides[1], None, None, verdict)


def aim_of(metric: str, aim: str) -> Limit | Times | None:
    """What was aimed at: a limit in its notation, or a multiple such as `≥ 4×`. Raises Refusal."""
    if not aim.strip():
        return None
    times = parse_times(aim)
    if times is not None:
        return times
    try:
        return parse_limits(metric, aim)[0]
    except BadNotation as error:
        raise Refusal(f"{error} A multiple such as >=4x is one too.") from None
