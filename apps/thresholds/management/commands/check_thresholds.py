"""Judge a day: open, continue and close violations."""

from datetime import date, datetime

from apps.collection.today import last_closed_day
from apps.inventory.models import Target
from apps.thresholds.check import CheckResult, check_thresholds
from apps.thresholds.judging_command import JudgingCommand


class Command(JudgingCommand):
    help = "Judge the last closed day, or the one given, of every target, and say what opened, continued and closed."

    def judge(self, target: Target, on: date | None, now: datetime) -> list[CheckResult]:
        return [check_thresholds(target, on or last_closed_day(target, now), now)]
