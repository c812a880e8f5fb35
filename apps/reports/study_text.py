"""A study in words: the same on its page and on its paper."""

from apps.advisors.engine.outcome import GOOD
from apps.advisors.engine.scaling import TIMES
from apps.advisors.models import ChangeStudy
from apps.advisors.study_registry import find_kind
from apps.advisors.study_result import Acceptance, ComparedFigure, StudyResult, is_cost_accepted
from apps.advisors.study_scaling import scale_averages
from apps.charts import figures
from apps.charts.words import capital, count, in_one_style

SMALLEST = 1e-6  # percent; less is what rounding leaves
MANY_TIMES = 200  # percent; more is told as a multiple


def write_change(row: ComparedFigure) -> str:
    """The effect in percent, or as a multiple where it grew many times."""
    if row.effect is None:
        return "new" if row.before == 0 and row.after else figures.MISSING
    if row.effect.percent >= MANY_TIMES and row.before and row.after is not None:
        return f"{figures.figure(row.after / row.before)}×"
    return f"{figures.delta(row.effect.percent)}{figures.SPACE}%"


def write_interval(row: ComparedFigure) -> str:
    """From where to where the effect may lie: "−97 to −85 %"; figures that never moved have no interval."""
    if row.effect is None or row.effect.interval is None:
        return ""
    if row.effect.margin is not None and row.effect.margin < SMALLEST:
        return "constant in both"
    low, high = row.effect.interval
    return f"{figures.delta(low)} to {figures.delta(high)}{figures.SPACE}%"


def headline_of(result: StudyResult) -> tuple[str, str]:
    """What came of a study: the fact, and what goes with it."""
    if not result.is_over:
        left = count(result.days_until_over, "more day")
        return "The days after the change are not over", f": {left} to come, the verdicts wait."
    if not result.is_of_days:
        return _headline_of_runs(result)
    worse = result.things_worse
    is_accepted = [is_cost_accepted(thing) for thing in worse]
    good, aimed, cost, accepted = in_one_style(result.good, len(result.aimed), len(worse), sum(is_accepted))
    rest = f"{cost} thing{'' if len(worse) == 1 else 's'} got worse" if worse else "nothing got worse"
    if any(is_accepted):
        rest += ", accepted" if all(is_accepted) else f", {accepted} of them accepted"
    rest = f"; of what changed most surely {rest}" if result.less_sure else f"; {rest}"
    if not result.aimed:
        return "No figure has a target yet", f"{rest}."
    if len(result.aimed) == 1:
        return f"The figure with a target {'came' if result.good else 'did not come'} out well", f"{rest}."
    some = capital(good) if result.good else "None"
    return f"{some} of {aimed} figures with a target came out well", f"{rest}."


def _headline_of_runs(result: StudyResult) -> tuple[str, str]:
    """What differs between two runs, of all that they measured."""
    things = result.things
    better = sum(thing.lead.outcome in GOOD for thing in things)
    worse = len(result.things_worse)
    if not better + worse:
        return "The runs do not differ beyond noise", f": {count(len(things), 'figure')} compared."
    if len(things) == 1:
        return f"{capital(things[0].lead.name)} came out {'better' if better else 'worse'}", "."
    good, bad, every = in_one_style(better, worse, len(things))
    fact = f"{capital(good) if better else 'None'} of {every} figures came out better"
    return fact, f"; {bad} worse." if worse else "; none is worse."


def write_noise(result: StudyResult) -> str:
    """What stands in no row: figures that changed less surely, and those that did not."""
    if not result.is_of_days:
        return ""
    unchanged = f"{capital(count(result.unchanged, 'more figure'))} stayed within their noise."
    if not result.less_sure:
        return unchanged
    return f"{capital(count(result.less_sure, 'figure'))} changed less surely than these. {unchanged}"


def describe_kind(study: ChangeStudy) -> str:
    """What the windows of a study are of their days; empty where they are the whole days."""
    return find_kind(study.kind).describe(study.windows)


def name_windows(study: ChangeStudy, result: StudyResult) -> tuple[str, str]:
    """What both windows are called: their days, or what was studied in their place."""
    kind = find_kind(study.kind)
    if kind.windows is not None:
        return kind.windows(study.windows)
    before, after = (figures.day_span(used.period.first, used.period.last) for used in result.days)
    return before, after


def describe_test(study: ChangeStudy) -> str:
    """How differences are told from noise."""
    return find_kind(study.kind).test or TEST


def describe_study_windows(study: ChangeStudy, result: StudyResult) -> list[tuple[str, str]]:
    """Both windows of a study, whatever was studied in the place of days."""
    if result.is_of_days:
        return describe_windows(result)
    return list(zip(("before", "after"), name_windows(study, result), strict=True))


def describe_windows(result: StudyResult) -> list[tuple[str, str]]:
    """Both windows, with the days that count and those that were left out."""
    lines = []
    for name, used in zip(("before", "after"), result.days, strict=True):
        out = len(used.partial) + len(used.unread)
        period = used.period
        text = f"{figures.day_span(period.first, period.last)}: {len(used.used)} of {len(period)} days count"
        if out and (name == "before" or result.is_over):
            text += f", {out} not read or in part"
        lines.append((name, text))
    return lines


def write_until(acceptance: Acceptance) -> str:
    """Until when a cost is accepted, after its name; nothing where no day was set."""
    return f", until {figures.long_day(acceptance.until)}" if acceptance.until else ""


def write_causes(study: ChangeStudy, result: StudyResult) -> list[str]:
    """The gain by cause: each with its share, and what that is of the difference; the last line is what adds up."""
    causes = list(study.causes.select_related("by"))
    if not causes:
        return []
    gain = result.gain
    lines = []
    for cause in causes:
        by = f", says {cause.by}" if cause.by else ""
        part = ""
        if gain is not None:
            figure, difference = gain
            amount = figures.figure(abs(difference) * cause.share / 100)
            part = f", {amount}{figures.SPACE}{figure.metric.display_unit}"
        lines.append(f"{cause.text}: {cause.share}{figures.SPACE}%{part}{by}")
    shares = [cause.share for cause in causes]
    rest = 100 - sum(shares)
    total = f"{' + '.join(map(str, shares))} = {sum(shares)}{figures.SPACE}%"
    if gain is not None:
        figure, difference = gain
        total += f" of {figures.figure(abs(difference))}{figures.SPACE}{figure.metric.display_unit} of {figure.name}"
    return [*lines, f"{total}; {rest}{figures.SPACE}% are not explained." if rest else f"{total}."]


def write_scaling(study: ChangeStudy, result: StudyResult) -> list[str]:
    """What each average with a target would be at more work, or why that cannot be told."""
    lines = []
    for row in scale_averages(study, result):
        scaled, unit = row.scaled, row.figure.metric.display_unit
        if scaled.value is None:
            lines.append(f"{row.figure.name}: cannot be told, {scaled.reason}")
            continue
        spread = f"{figures.figure(scaled.low)} to {figures.figure(scaled.high)}"
        now = figures.figure(row.figure.after)
        lines.append(
            f"{row.figure.name}: {figures.figure(scaled.value)}{figures.SPACE}{unit} ({spread}) at {TIMES:g} times the"
            f" {row.work.label} of now, if it holds its line; now {now}"
        )
    return lines


TEST = (
    "Means of the days that count. Effects with 95 % intervals by Welch, with unequal numbers of days; whole weeks are held weekday"
    " by weekday. Of all figures of a target together one in ten that are told as changed may be noise (Benjamini and Hochberg)."
)
