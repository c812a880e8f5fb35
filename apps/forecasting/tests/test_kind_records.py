"""What the estate's own promises say of a kind of figure, and forecasts that heed it."""

from datetime import date, timedelta

import numpy as np
import pytest

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.figure_forecast import forecast_figure
from apps.forecasting.kind_records import renew_kind_records
from apps.forecasting.ledger import promise_limits
from apps.forecasting.models import KindRecord, Promise
from apps.forecasting.text import describe_record
from apps.inventory.models import Target
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

DUE = TODAY - timedelta(days=3)
WAVES = [100.0 + day + shake for day, shake in enumerate(np.random.default_rng(7).normal(0, 4, 90))]


@pytest.fixture
def threshold() -> Threshold:
    prepare()
    target = instance()
    levels(target, WAVES)
    Target.objects.update(reviewed_through=TODAY)
    (made,) = add_threshold("x_used", "<=230", now=BOOT, target=Target.objects.get(), component="DATA")
    return made


def came(
    threshold: Threshold, *days: int, width: float = 1.0, line: int | None = None, due: date = DUE
) -> None:
    """Promises of day 40, of soonest 30 and latest 50, that came on these days."""
    made = due - timedelta(days=90)
    before = Promise.objects.count()
    Promise.objects.bulk_create(
        Promise(
            target=threshold.target, metric="x_used", component=f"TS{before + place}", threshold=threshold, notation="<=230",
            made_on=made, due_on=due, chance=0.9, outcome="came", width=width,
            soonest_on=made + timedelta(days=30), likely_on=made + timedelta(days=40), latest_on=made + timedelta(days=50),
            line_on=None if line is None else made + timedelta(days=line), happened_on=made + timedelta(days=day),
        )
        for place, day in enumerate(days)
    )  # fmt: skip


def width() -> float:
    renew_kind_records(TODAY)
    return KindRecord.objects.get().width


def test_what_came_beyond_soonest_and_latest_widens_the_bands_of_its_kind(threshold):
    came(threshold, *[41] * 15, *[53] * 5)

    assert width() == 1.3


def test_what_came_early_widens_like_what_came_late(threshold):
    came(threshold, *[41] * 15, *[27] * 5)

    assert width() == 1.3


def test_ranges_that_held_widen_nothing(threshold):
    came(threshold, *[41] * 16, *[90] * 4)

    assert width() == 1.0


def test_nothing_is_widened_by_a_few_or_by_much(threshold):
    came(threshold, *[90] * 19)
    assert width() == 1.0
    came(threshold, 90)

    assert width() == 1.6


def test_promises_of_widened_bands_are_held_against_what_was_not_widened(threshold):
    came(threshold, *[41] * 15, *[50] * 5, width=1.3)

    assert width() == 1.3


def test_promises_of_days_that_came_by_files_say_nothing(threshold):
    came(threshold, *[90] * 20)
    Promise.objects.update(is_imported=True)

    renew_kind_records(TODAY)

    assert not KindRecord.objects.exists()


def test_older_promises_than_half_a_year_and_those_of_the_demo_say_nothing(threshold):
    came(threshold, *[90] * 20, due=TODAY - timedelta(days=182))
    renew_kind_records(TODAY)
    assert not KindRecord.objects.exists()
    Promise.objects.update(due_on=DUE)
    Target.objects.update(is_demo=True)
    renew_kind_records(TODAY)

    assert KindRecord.objects.get().is_demo


def test_renewing_again_changes_nothing_and_keeps_since_when(threshold):
    came(threshold, *[90] * 20)
    renew_kind_records(TODAY)
    before = KindRecord.objects.values().get()

    renew_kind_records(TODAY + timedelta(days=1))

    after = KindRecord.objects.values().get()
    assert {**after, "id": 0} == {**before, "id": 0}
    assert after["width_before"] == 1.0
    assert after["since"] == TODAY


def test_a_kind_without_promises_has_no_record_any_more(threshold):
    came(threshold, *[90] * 20)
    renew_kind_records(TODAY)
    Promise.objects.all().delete()

    renew_kind_records(TODAY)

    assert not KindRecord.objects.exists()


def test_a_forecast_of_the_kind_has_a_wider_band_and_the_same_middle(threshold):
    target = Target.objects.get()
    plain = forecast_figure(target, get_metric("x_used"), "DATA", TODAY)
    KindRecord.objects.create(kind="Space", width=1.5, since=TODAY, promises=40)

    wide = forecast_figure(target, get_metric("x_used"), "DATA", TODAY)

    assert (wide.forecasts.mean == plain.forecasts.mean).all()
    before, after = (each.forecasts.high80[0] - each.forecasts.low80[0] for each in (plain, wide))
    assert after == pytest.approx(1.5 * before, rel=0.02)


def test_a_promise_knows_how_much_it_was_widened(threshold):
    KindRecord.objects.create(kind="Space", width=1.4, since=TODAY, promises=40)
    KindRecord.objects.create(kind="Space", width=1.6, since=TODAY, promises=40, is_demo=True)

    promise_limits(Target.objects.get(), TODAY)

    assert Promise.objects.get().width == 1.4


def test_a_record_is_told_where_promises_were_not_kept(threshold):
    came(threshold, *[90] * 20, line=88)
    renew_kind_records(TODAY)

    sentences = describe_record(KindRecord.objects.get(), TODAY)

    wide, line = (sentence.replace("\xa0", " ") for sentence in sentences)
    assert wide == (
        "Forecasts of Space were too sure: 0 % of what came lay between soonest and latest."
        " Their bands are 1.6 times as wide since 30 June."
    )
    assert line == (
        "Of Space a straight line was nearer in the last half year: off by 2 days in the median, the forecast by 50."
    )


def test_a_record_that_is_good_says_nothing():
    assert describe_record(KindRecord(kind="Space", since=TODAY, promises=100, in_range=0.9), TODAY) == []


def test_a_day_reviewed_before_a_width_changed_keeps_the_one_it_had(threshold):
    came(threshold, *[90] * 20)
    renew_kind_records(TODAY)
    Promise.objects.update(happened_on=DUE - timedelta(days=49))

    renew_kind_records(TODAY + timedelta(days=1))

    record = KindRecord.objects.get()
    assert (record.width_on(TODAY), record.width_on(TODAY + timedelta(days=1))) == (1.6, 1.0)
    assert record.since == TODAY + timedelta(days=1)
