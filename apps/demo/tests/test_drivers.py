"""What the business of the fictional estate counts: from the same work as the counters, and on from night to night."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from apps.demo.collector import NAME, DemoCollector, address_of
from apps.demo.drivers import add_drivers
from apps.demo.estate import find_member
from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Days
from apps.demo.work import Demand
from apps.forecasting.driven_forecast import read_driver_histories
from apps.forecasting.driver import Driver
from apps.forecasting.engine.driver_outlook import Way, prepare_drivers
from apps.forecasting.engine.driver_trials import try_drivers
from apps.forecasting.engine.drivers import choose_drivers
from apps.forecasting.engine.series import SeriesKind
from apps.inventory.models import Target
from apps.people.models import User

pytestmark = pytest.mark.django_db

LAST = date(2026, 11, 20)
FIRST = LAST - timedelta(days=119)


@pytest.fixture
def erp() -> DemoInstance:
    member = find_member("ERPPRD")
    assert isinstance(member, DemoInstance)
    return member


@pytest.fixture
def driver(erp: DemoInstance) -> Driver:
    now = datetime(2026, 11, 21, tzinfo=UTC)
    target = Target.objects.create(
        name="ERPPRD",
        kind="instance",
        platform="oracle",
        collector=NAME,
        address=address_of("ERPPRD", FIRST, LAST),
        time_zone=erp.time_zone,
        is_demo=True,
        registered_at=now,
    )
    add_drivers(target, erp, (FIRST, LAST), User.objects.create(username="owner"), now)
    return Driver.objects.get()


def test_documents_are_the_work_of_the_instance(erp, driver):
    hours = Demand(erp, Days.between(-119, 0, LAST)).db_time / 3600e6
    documents = np.array(driver.days.values_list("value", flat=True))

    assert documents.shape == (120,)
    assert documents / hours == pytest.approx(np.full(120, 1900.0), rel=0.05)
    assert driver.grows_from == LAST + timedelta(days=20)


def test_they_drive_the_work_as_planned(erp, driver):
    hours = Demand(erp, Days.between(-119, 0, LAST)).db_time / 3600e6
    outlooks = prepare_drivers(read_driver_histories([driver], LAST, 120), np.array([0]), LAST)

    choices = choose_drivers(try_drivers([hours], [SeriesKind.FLOW], LAST, outlooks))

    assert choices[0].way is Way.LEVEL
    assert choices[0].slope == pytest.approx(1 / 1900, rel=0.1)


def test_each_night_that_follows_has_its_day(driver):
    assert driver.target is not None
    for back in (0, 1, 2):
        DemoCollector().collect(driver.target, datetime(2026, 11, 20 + back, 23, 5, tzinfo=UTC))

    assert driver.days.last().day == LAST + timedelta(days=2)  # type: ignore[union-attr]
    assert driver.days.count() == 122
