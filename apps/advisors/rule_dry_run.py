"""What other parameters of a rule would have done: it is tried on past days as it stands and as it would be, nothing is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.advisors.engine.finding_rules import FindingRule, Trial, try_rule
from apps.advisors.finding_book import FindingBook
from apps.advisors.findings import rules_for
from apps.advisors.models import Finding, RuleSetting
from apps.advisors.rule_figures import RuleFigures
from apps.advisors.rule_readings import RuleReadings
from apps.advisors.rule_settings import read_rule_settings
from apps.inventory.models import Target

DAYS = 90
MOST_TARGETS = 30  # that are tried while somebody waits


@dataclass(frozen=True)
class RuleCourse:
    """What a rule says over past days: those on which it fires, and the findings that it opens."""

    fired: Sequence[date]
    opened: Sequence[date]
    stands: bool  # on the last of the days


@dataclass(frozen=True)
class RuleDryRun:
    """A rule on the past days of a target, as it stands and as it would be; days that could not be evaluated are in neither."""

    target: Target
    first: date
    last: date
    evaluated: int
    present: RuleCourse
    draft: RuleCourse


@dataclass(frozen=True)
class RuleDryRuns:
    """The dry runs of a draft; `untried` counts further targets in its scope."""

    rows: Sequence[RuleDryRun]
    untried: int


def dry_run_rule(rule: FindingRule, draft: RuleSetting) -> RuleDryRuns:
    """The draft on the last 90 reviewed days of the targets in its scope, those with a finding first."""
    targets = _targets_in(rule, draft)
    settings = read_rule_settings(targets)
    drafted = settings.with_draft(draft)
    rows = [
        _run(rule, target, settings.parameters(rule, target), drafted.parameters(rule, target))
        for target in targets[:MOST_TARGETS]
    ]
    return RuleDryRuns([row for row in rows if row is not None], max(0, len(targets) - MOST_TARGETS))


def _targets_in(rule: FindingRule, draft: RuleSetting) -> list[Target]:
    watched = Target.objects.in_estate().exclude(reviewed_through=None).select_related("runs_on")
    targets = [target for target in watched if draft.reaches(target) and rule in rules_for(target)]
    noticed = set(
        Finding.objects.filter(rule=rule.key, target__in=targets).values_list("target_id", flat=True)
    )
    return sorted(targets, key=lambda target: (target.pk not in noticed, target.name.casefold()))


def _run(
    rule: FindingRule, target: Target, present: Mapping[str, float], draft: Mapping[str, float]
) -> RuleDryRun | None:
    last = target.reviewed_through
    if last is None:
        return None
    first = last - timedelta(days=DAYS - 1)
    figures = RuleFigures(RuleReadings.read(target, [rule], first, last))
    days = figures.readings.days_read(first, last)
    values = {day: figures.values(rule, day) for day in days}
    trials = [{day: try_rule(rule, values[day], chosen) for day in days} for chosen in (present, draft)]
    evaluated = sum(trial.is_evaluable for trial in trials[0].values())
    return RuleDryRun(
        target, first, last, evaluated, *(_follow(target, trials_by_day) for trials_by_day in trials)
    )


def _follow(target: Target, trials: Mapping[date, Trial]) -> RuleCourse:
    """The findings that these trials open, as the nights would have opened them."""
    book = FindingBook(target, {})
    for day, trial in trials.items():
        book.enter(trial, day)
    findings = [*book.finished, *book.changed.values()]
    return RuleCourse(
        [day for day, trial in trials.items() if trial.fires],
        sorted(finding.opened_on for finding in findings),
        any(finding.closed_on is None for finding in findings),
    )


def count_openings(courses: Iterable[RuleCourse]) -> int:
    return sum(len(course.opened) for course in courses)
