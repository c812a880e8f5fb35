"""The method, step by step, for targets whose day is closed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

import structlog

from apps.advisors.findings import try_rules
from apps.advisors.plan import plan_target
from apps.advisors.rule_settings import read_rule_settings
from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.ledger import note_crossings
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.check import CheckResult, check_thresholds
from apps.thresholds.limit_reader import LimitReader

log = structlog.get_logger()


@dataclass
class ReviewResult:
    """What a review of a day came to, over all targets asked for."""

    day: date
    results: list[CheckResult] = field(default_factory=list)


def review_targets(
    targets: Iterable[Target], on: date, now: datetime, *, forecasts: bool = True, findings: bool = True
) -> ReviewResult:
    """
    Review a closed day of targets, each on its own, so that a stop in the middle loses nothing.

    Reviewing a day again changes nothing. A day without readings is reviewed too: it neither opens nor closes.
    Without `forecasts` nothing is predicted, without `findings` no rule is tried: for days long past that are loaded in bulk.
    """
    review = ReviewResult(on)
    settings = read_rule_settings() if findings else None
    for target in targets:
        roll_up_day(target, on, now)
        reader = LimitReader(target, on, HISTORY, HORIZON) if forecasts else None
        check = check_thresholds(target, on, now, reader)
        note_crossings(target, on, check.crossings)
        if findings:
            try_rules(target, on, settings=settings, limits=reader)
        if forecasts:
            predict_violations(target, on, now, reader)
        plan_target(target, on, now, is_long_past=not forecasts)
        _note_reviewed(target, on)
        review.results.append(check)
    return review


def _note_reviewed(target: Target, on: date) -> None:
    newest = max(on, target.reviewed_through or on)
    Target.objects.filter(pk=target.pk).update(reviewed_through=newest)
    target.reviewed_through = newest
