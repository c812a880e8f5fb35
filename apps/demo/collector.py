"""DemoCollector: collection asks the generator instead of a database."""

from datetime import date, datetime

from apps.collection.collector import Collected
from apps.demo.batches import send_batch_ends_of_night
from apps.demo.drivers import send_day
from apps.demo.generator import read
from apps.inventory.models import Target

NAME = "demo"


class DemoCollector:
    """
    Reads a member of the estate as of the slot.

    The target's address names the member and the days the estate was loaded with, so that the story stays where it is
    while the nights go by; programs that send days of its drivers, and ends of its batches, do so in the same night. A member that was refused for its password lets in whoever has given it a new one.
    """

    def collect(self, target: Target, slot: datetime) -> Collected:
        send_day(target, slot)
        send_batch_ends_of_night(target, slot)
        return read(
            target.address["member"],
            slot,
            first_day=date.fromisoformat(target.address["first_day"]),
            last_day=date.fromisoformat(target.address["last_day"]),
            has_new_password=target.credentials.exists(),
        )


def address_of(member: str, first_day: date, last_day: date) -> dict[str, str]:
    """What a target of the estate keeps of itself."""
    return {"member": member, "first_day": first_day.isoformat(), "last_day": last_day.isoformat()}
