"""Drivers as people keep them: their days stored whole or not at all, and what is to be said of them."""

from datetime import date, datetime

from django.db import transaction

from apps.collection.sender_tokens import count_sending, issue_token, note_outcome
from apps.forecasting.driver import Driver, DriverDay, DriverToken
from apps.forecasting.engine.driver_file import BadDriverDays, NewDays, read_days
from apps.forecasting.engine.driver_trials import LEAST_TOGETHER
from apps.people.models import User


def store_days(driver: Driver, new_days: NewDays) -> None:
    """Store days of a driver; of a day that is there already the new value counts."""
    days = [
        DriverDay(driver=driver, day=day, value=value, is_planned=is_planned)
        for values, is_planned in ((new_days.measured, False), (new_days.planned, True))
        for day, value in values.items()
    ]
    DriverDay.objects.bulk_create(
        days,
        update_conflicts=True,
        unique_fields=["driver", "day", "is_planned"],
        update_fields=["value"],
        batch_size=1000,
    )


def save_driver(driver: Driver, new_days: NewDays | None, *, by: User | None, now: datetime) -> Driver:
    """Save a driver, with days where some are given."""
    with transaction.atomic():
        driver.set_by, driver.set_at = by, now
        driver.save()
        if new_days is not None:
            store_days(driver, new_days)
    return driver


def describe_days(driver: Driver, today: date) -> list[str]:
    """What forecasts can do with the days of a driver, in sentences."""
    rows = list(driver.days.filter(is_planned=False).values_list("day", "value"))
    if not rows:
        return ["It has no days yet, so it drives nothing."]
    days, values = [day for day, _ in rows], {value for _, value in rows}
    length = (days[-1] - days[0]).days + 1
    sentences = []
    if len(rows) < LEAST_TOGETHER:
        sentences.append(f"It has {len(rows)} days; forecasts try it from {LEAST_TOGETHER} on.")
    if len(values) == 1:
        sentences.append("All its days are the same, so nothing can be learned from it yet.")
    if missing := length - len(rows):
        sentences.append(
            f"{missing:,} {'day' if missing == 1 else 'days'} between its first and its last"
            f" {'has' if missing == 1 else 'have'} no value; forecasts bridge them by straight lines."
        )
    if (late := (today - days[-1]).days) > 7:
        sentences.append(f"Its last day is {late:,} days ago, so no forecast goes by it now.")
    return sentences


def renew_driver_token(driver: Driver, person: User, now: datetime) -> str:
    """A new token of a driver, shown once; the one before is good for nothing from now on."""
    DriverToken.objects.filter(driver=driver).delete()
    return issue_token(DriverToken(driver=driver), person, now)


def receive_days(token: str, content: bytes, now: datetime) -> NewDays:
    """Store the days that a program sends with a token. Raises UnknownToken, TooOften and BadDriverDays."""
    driver_token = count_sending(DriverToken.objects.select_related("driver"), token, now, page="driver")
    try:
        new_days = read_days(content, now.date())
    except BadDriverDays as error:
        note_outcome(driver_token, now, f"Refused: {error}")
        raise
    store_days(driver_token.driver, new_days)
    note_outcome(driver_token, now, f"{new_days.summary} stored.")
    return new_days
