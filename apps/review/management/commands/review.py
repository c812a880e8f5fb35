"""Review a day: the whole method after the collection."""

from datetime import date, datetime
from typing import Any

from apps.inventory.models import Target
from apps.review.nightly import review_targets
from apps.review.waiting_days import days_to_review
from apps.thresholds.check import CheckResult
from apps.thresholds.judging_command import JudgingCommand


class Command(JudgingCommand):
    help = "Review closed days that wait for it, or the day given, of every target."
    words_of_none = "Every closed day was reviewed already."

    def handle(self, *args: Any, **options: Any) -> None:
        self.need_room()
        super().handle(*args, **options)

    def judge(self, target: Target, on: date | None, now: datetime) -> list[CheckResult]:
        days = days_to_review(target, now) if on is None else [on]
        return [result for day in days for result in review_targets([target], day, now).results]
