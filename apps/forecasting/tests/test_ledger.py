"""Promises kept on the nights that people read of, and settled by what came."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import permutations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.ledger import note_crossings, promise_limits, settle_due_promises
from apps.forecasting.limited_figures import limited_figures
from apps.forecasting.models import Promise
from apps.forecasting.predict import predict_violations
from apps.forecasting.target_forecast import forecast_target
from apps.inventory.models import Target
from apps.review.nightly import review_targets
from apps.snapshots.models import Coverage
from apps.thresholds.limit_reader import LimitReader
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
DAY = timedelta(days=1)
SUNDAY = date(2026, 5, 31)  # 30 days before the last one
GROWTH = [100.0 + day + day * 7 % 5 for day in range(1, 61)]


def growing(figures: Sequence[float | None] = GROWTH) -> Target:
    """A tablespace that grows by 1 MB a day to about 160."""
    prepare()
    target = instance()
    levels(target, list(figures))
    return target


def limit(target: Target, notation: str, **rest: object) -> Threshold:
    (made,) = add_threshold("x_used", notation, now=BOOT, target=target, component="DATA", **rest)  # type: ignore[arg-type]
    return made


def settle(target: Target, on: date) -> None:
    figures = limited_figures(LimitReader(target, on))
    settle_due_promises(forecast_target(target, figures, on), figures)


def rows() -> list[tuple[object, ...]]:
    return list(Promise.objects.order_by("pk").values_list())


@pytest.mark.parametrize(("origin", "is_imported"), [("", False), ("file sar31", True)])
def test_a_night_that_came_by_a_file_is_kept_as_such(origin, is_imported):
    limit(target := growing(), "<=140")
    Coverage.objects.filter(target=target, day=SUNDAY).update(origin=origin)

    predict_violations(target, SUNDAY, NOW)

    assert Promise.objects.get().is_imported is is_imported


def test_the_night_that_ends_a_week_is_kept_with_its_chance_its_days_and_those_of_a_line():
    threshold = limit(target := growing(), "<=140")

    predict_violations(target, SUNDAY, NOW)

    promise = Promise.objects.get()
    assert (promise.threshold, promise.component, promise.made_on) == (threshold, "DATA", SUNDAY)
    assert (promise.outcome, promise.due_on, promise.is_notice) == ("waiting", TODAY, False)
    assert promise.chance > 0.5
    assert promise.soonest_on is not None
    assert promise.likely_on is not None
    assert promise.soonest_on <= promise.likely_on
    assert promise.line_on == date(2026, 6, 10)


def test_another_night_is_kept_where_a_violation_was_predicted():
    target = growing()
    limit(target, "<=190")

    for on in (TODAY - 2 * DAY - DAY, TODAY - DAY, TODAY):
        predict_violations(target, on, NOW)

    promise = Promise.objects.get()
    assert (promise.made_on, promise.is_notice) == (TODAY, True)


def test_an_older_night_reviewed_late_promises_nothing():
    target = growing()
    limit(target, "<=150")
    target.reviewed_through = TODAY

    predict_violations(target, SUNDAY, NOW)

    assert not Promise.objects.exists()


def test_reviews_settle_a_promise_on_the_day_the_limit_is_crossed_by_its_rule():
    target = growing([*GROWTH[:-12], *[200.0] * 12])
    limit(target, "<=180", opens_after=2, opens_within=3)
    promise_limits(target, SUNDAY)

    for ago in range(14, -1, -1):
        review_targets([target], TODAY - ago * DAY, NOW, forecasts=False)

    promise = Promise.objects.get()
    assert (promise.outcome, promise.happened_on) == ("came", TODAY - 10 * DAY)


def test_what_is_not_crossed_until_its_day_is_over_did_not_come():
    target = growing()
    limit(target, "<=400")
    promise_limits(target, SUNDAY)

    settle(target, TODAY - DAY)
    assert Promise.objects.get().outcome == "waiting"
    settle(target, TODAY)

    assert (Promise.objects.get().outcome, Promise.objects.get().happened_on) == ("missed", None)


def test_a_promise_of_a_limit_that_was_changed_is_not_counted():
    target = growing()
    threshold = limit(target, "<=400")
    promise_limits(target, SUNDAY)
    Threshold.objects.filter(pk=threshold.pk).update(notation="<=155", high=155.0)
    threshold.refresh_from_db()

    note_crossings(target, TODAY - DAY, [(threshold, "DATA")])
    assert Promise.objects.get().outcome == "waiting"
    settle(target, TODAY)

    assert (Promise.objects.get().outcome, Promise.objects.get().reason) == ("withdrawn", "limit")


def test_a_promise_of_a_limit_that_was_withdrawn_is_not_counted():
    target = growing()
    threshold, other = limit(target, "<=400"), limit(target, "<=500", severity="critical")
    promise_limits(target, SUNDAY)
    Threshold.objects.filter(pk=threshold.pk).update(withdrawn_at=NOW)

    settle(target, TODAY)

    outcomes = dict(Promise.objects.values_list("threshold", "outcome"))
    assert outcomes == {threshold.pk: "withdrawn", other.pk: "missed"}


def test_a_promise_with_too_few_days_of_figures_is_not_counted():
    target = growing([*GROWTH[:35], *[None] * 10, *GROWTH[45:]])
    limit(target, "<=400")
    promise_limits(target, SUNDAY)

    settle(target, TODAY)

    assert (Promise.objects.get().outcome, Promise.objects.get().reason) == ("withdrawn", "days")


def test_a_night_repeated_changes_nothing():
    target = growing()
    limit(target, "<=150")
    limit(target, "<=400", severity="critical")
    review_targets([target], SUNDAY, NOW)
    before = rows()

    review_targets([target], SUNDAY, NOW)
    assert rows() == before
    review_targets([target], TODAY, NOW)
    settled = rows()
    review_targets([target], TODAY, NOW)
    review_targets([target], SUNDAY, NOW)

    assert rows() == settled != before


@pytest.mark.parametrize("days", list(permutations([3, 20, 30])))
def test_the_first_crossing_counts_in_whatever_order_days_are_reviewed(days):
    prepare()
    target = instance()
    threshold = limit(target, "<=400")
    Promise.objects.create(
        target=target, metric="x_used", component="DATA", threshold=threshold, notation="<=400",
        made_on=SUNDAY, due_on=TODAY, chance=0.4,
    )  # fmt: skip

    for day in days:
        note_crossings(target, SUNDAY + day * DAY, [(threshold, "DATA")])

    promise = Promise.objects.get()
    assert (promise.outcome, promise.happened_on) == ("came", SUNDAY + 3 * DAY)


def test_a_night_without_crossings_and_without_promises_due_asks_one_question():
    target = growing()
    limit(target, "<=400")
    promise_limits(target, SUNDAY)
    figures = limited_figures(LimitReader(target, TODAY - DAY))
    batch = forecast_target(target, figures, TODAY - DAY)

    with CaptureQueriesContext(connection) as queries:
        note_crossings(target, TODAY - DAY, [])
        settle_due_promises(batch, figures)

    assert len(queries) == 1


def test_what_is_over_its_limit_promises_nothing():
    target = growing()
    limit(target, "<=120")

    promise_limits(target, SUNDAY)

    assert not Promise.objects.exists()
