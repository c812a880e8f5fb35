"""Findings opened, continued and closed by trying the rules of a target on its closed days."""

from collections.abc import Sequence
from datetime import date, timedelta

from django.db import transaction

from apps.advisors.engine.finding_rules import FindingRule, Trial, finding_rules_of, try_rule
from apps.advisors.finding_book import FindingBook
from apps.advisors.finding_models import RuleTrial
from apps.advisors.rule_figures import RuleFigures
from apps.advisors.rule_readings import RuleReadings
from apps.advisors.rule_settings import RuleSettings, read_rule_settings
from apps.inventory.models import Target
from apps.thresholds.limit_reader import LimitReader


def rules_for(target: Target) -> list[FindingRule]:
    """The rules that are tried on a target: what is of a database stands on it, and not on each of its instances."""
    rules = finding_rules_of(target.platform)
    if target.kind == Target.Kind.DATABASE:
        return [rule for rule in rules if rule.is_of_database]
    if target.database_id is not None:
        return [rule for rule in rules if not rule.is_of_database]
    return list(rules)


def try_rules(
    target: Target,
    first: date,
    last: date | None = None,
    settings: RuleSettings | None = None,
    limits: LimitReader | None = None,
) -> None:
    """
    Try the rules of a target on closed days, in order: open, continue and close its findings, in one transaction.

    Days that were tried before are left alone, so that trying them again changes nothing; a day that was not read is passed over.
    A review of many targets gives the settings of all rules, and the reader of the limits of that day, which it has read anyway.
    """
    rules = rules_for(target)
    if not rules:
        return
    with transaction.atomic():
        locked = (
            Target.objects.select_for_update(of=("self",))
            .select_related("rule_trial")
            .only("pk", "rule_trial")
        )
        former = getattr(locked.get(pk=target.pk), "rule_trial", None)
        begin = first if former is None else max(first, former.on + timedelta(days=1))
        end = last or first
        if begin > end:
            return
        figures = RuleFigures(RuleReadings.read(target, rules, begin, end, limits))
        settings = settings or read_rule_settings()
        parameters = {rule.key: settings.parameters(rule, target) for rule in rules}
        book = FindingBook.read(target)
        trials: Sequence[Trial] = ()
        tried_on = None
        for day in figures.readings.days_read(begin, end):
            tried_on = day
            trials = [try_rule(rule, figures.values(rule, day), parameters[rule.key]) for rule in rules]
            for trial in trials:
                book.enter(trial, day)
            figures.resolved.clear()
        if tried_on is not None:
            book.save()
            _note_trial(former or RuleTrial(target=target), tried_on, trials)


def _note_trial(newest: RuleTrial, on: date, trials: Sequence[Trial]) -> None:
    missing = {
        trial.rule.key: [declared.key for declared in trial.missing]
        for trial in trials
        if not trial.is_evaluable
    }
    newest.on, newest.tried, newest.missing = on, len(trials), missing
    newest.save()
