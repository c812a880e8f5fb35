"""When the batches of the fictional estate were through: sent in each night that follows, and gone with the estate."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.catalog.experience import BATCH_END
from apps.demo.collector import DemoCollector
from apps.demo.load import set_up_demo
from apps.demo.remove import remove_demo
from apps.inventory.models import Target
from apps.snapshots.models import UserFigure

pytestmark = pytest.mark.django_db

LAST = date(2026, 2, 17)


def test_each_night_that_follows_sends_the_end_of_the_day_before_and_a_loaded_day_nothing():
    set_up_demo(100, datetime(2026, 2, 18, 9, 30, tzinfo=UTC))
    for member in ("PAYPRD", "DWPRD"):
        target = Target.objects.get(address__member=member)
        for nights in (0, 1, 2):
            DemoCollector().collect(target, datetime(2026, 2, 18 + nights, 0, 5, tzinfo=UTC))

    sent = UserFigure.objects.order_by("day")

    assert [(figure.day, figure.metric, figure.component) for figure in sent] == [
        (LAST + timedelta(days=1), BATCH_END.key, "payment run"),
        (LAST + timedelta(days=2), BATCH_END.key, "payment run"),
    ]
    assert all(figure.value == pytest.approx(4.8, abs=0.3) for figure in sent)
    remove_demo()
    assert not UserFigure.objects.exists()
