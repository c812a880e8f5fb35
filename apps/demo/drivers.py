"""What the business of an instance counts each day: drivers, from the same work as its counters."""

from datetime import date, datetime, timedelta

import numpy as np

from apps.demo.estate import find_member
from apps.demo.parts import DemoDriver, DemoInstance
from apps.demo.rhythm import Days
from apps.demo.work import MICROSECONDS, Demand
from apps.forecasting.driver import Driver
from apps.forecasting.driver_register import save_driver, store_days
from apps.forecasting.engine.driver_file import NewDays
from apps.inventory.models import Target
from apps.people.models import User


def add_drivers(
    target: Target, member: DemoInstance, loaded: tuple[date, date], by: User, now: datetime
) -> None:
    """The drivers of a target, with their days up to the last one loaded, and what is planned."""
    first_day, last_day = loaded
    for demo in member.drivers:
        is_taken = Driver.objects.filter(name=demo.name).exists()
        driver = Driver(
            name=f"{demo.name} (demo)" if is_taken else demo.name,
            unit=demo.unit,
            target=target,
            growth=demo.growth,
            grows_from=last_day + timedelta(days=demo.grows_from),
        )
        save_driver(driver, _count(member, demo, first_day, last_day, last_day), by=by, now=now)


def send_day(target: Target, slot: datetime) -> None:
    """What the programs of a target send in a night: the day before a slot, of each of its drivers; nothing of days that were loaded."""
    member = find_member(target.address["member"])
    last_day = date.fromisoformat(target.address["last_day"])
    day = slot.astimezone(target.zone).date() - timedelta(days=1)
    if not isinstance(member, DemoInstance) or not member.drivers or day <= last_day:
        return
    for demo in member.drivers:
        for driver in Driver.objects.filter(target=target, name__startswith=demo.name):
            store_days(driver, _count(member, demo, day, day, last_day))


def _count(member: DemoInstance, demo: DemoDriver, first: date, last: date, last_day: date) -> NewDays:
    """What was counted on days, from the work of the instance: `last_day` is the day from which the story counts."""
    days = Days.between((first - last_day).days, (last - last_day).days, last_day)
    demand = Demand(member, days)
    counted = np.rint(demand.db_time / MICROSECONDS * demo.an_hour * demand.wobble(demo.name, 0.012))
    return NewDays({first + timedelta(days=place): float(count) for place, count in enumerate(counted)})
