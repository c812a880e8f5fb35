"""When the batches of an instance were through, as its scheduler sends it: values of what users were promised."""

from datetime import date, datetime, timedelta

import numpy as np

from apps.catalog.experience import BATCH_END
from apps.demo.estate import OUTAGE, find_member
from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Days
from apps.inventory.models import Target
from apps.snapshots.dictionary import Name
from apps.snapshots.user_figures import store_user_figures

MINUTES = 60


def send_batch_ends(target: Target, first: date, last: date) -> None:
    """Store when each batch of a target was through on some days; nothing came through while the network was down."""
    member = find_member(target.address["member"])
    if not isinstance(member, DemoInstance) or not member.batches:
        return
    days = _ends_by_day(member, first, last, date.fromisoformat(target.address["last_day"]))
    store_user_figures(target, days)


def send_batch_ends_of_night(target: Target, slot: datetime) -> None:
    """The same of the day before a slot; nothing of days that were loaded."""
    day = slot.astimezone(target.zone).date() - timedelta(days=1)
    if day > date.fromisoformat(target.address["last_day"]):
        send_batch_ends(target, day, day)


def _ends_by_day(
    member: DemoInstance, first: date, last: date, last_day: date
) -> dict[date, dict[Name, float]]:
    """Hours after midnight, to the minute; `last_day` is the day from which the story counts."""
    days = Days.between((first - last_day).days, (last - last_day).days, last_day)
    ends = {
        batch.name: np.rint(batch.ends.by_day(f"{member.name}/{batch.name}", days) * MINUTES) / MINUTES
        for batch in member.batches
    }
    return {
        last_day + timedelta(days=int(age)): {
            (BATCH_END.key, name): float(hours[place]) for name, hours in ends.items()
        }
        for place, age in enumerate(days.ages)
        if not OUTAGE.first_age <= age <= OUTAGE.last_age
    }
