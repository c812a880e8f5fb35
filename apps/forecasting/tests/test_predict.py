"""Violations foreseen, kept, come true and taken back."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, levels, prepare
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.outlook.profile import read_profile_outlook
from apps.people.models import User
from apps.thresholds.case_steps import take_step
from apps.thresholds.check import check_thresholds
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
LENGTH = 60


@pytest.fixture(scope="module")
def growing_pk(module_db: None) -> int:
    """A tablespace that grows by 1 MB a day, to 160 today."""
    prepare()
    target = instance()
    levels(target, [100.0 + day for day in range(1, LENGTH + 1)])
    return target.pk


@pytest.fixture
def growing(growing_pk: int, db: None) -> Target:
    return Target.objects.get(pk=growing_pk)


def limit(target: Target, notation: str, **rest: object) -> Threshold:
    (made,) = add_threshold("x_used", notation, now=BOOT, target=target, component="DATA", **rest)  # type: ignore[arg-type]
    return made


def nights(target: Target, count: int, last: date = TODAY) -> list[list[Violation]]:
    return [predict_violations(target, on, NOW) for on in days_before(last, count)]


def test_a_forecast_names_the_likely_the_soonest_and_the_latest_day(growing):
    limit(growing, "190")

    predict_violations(growing, TODAY, NOW)

    made = Forecast.objects.get()
    assert (made.made_on, made.notation, made.unit, made.value) == (TODAY, "190", "MB", pytest.approx(160))
    assert made.is_likely
    assert made.soonest_on is not None
    assert made.likely_on is not None
    assert made.latest_on is None or made.soonest_on <= made.likely_on <= made.latest_on
    assert abs((made.likely_on - TODAY).days - 30) <= 5
    assert made.path["30"][0] == pytest.approx(190, rel=0.05)


def test_three_reviews_in_a_row_make_a_prediction(growing):
    threshold = limit(growing, "190", lead_time_days=14)

    predicted = nights(growing, 3)

    assert [len(violations) for violations in predicted] == [0, 0, 1]
    violation = Violation.objects.get()
    assert (violation.state, violation.predicted_on, violation.opened_on) == ("predicted", TODAY, None)
    assert violation.threshold == threshold
    newest = Forecast.objects.first()
    assert newest is not None
    assert newest.likely_on is not None
    assert violation.due_on == newest.likely_on - timedelta(days=14)
    assert f"The chance to cross 190 within {newest.horizon} days is" in violation.steps.get().sentence


def test_predicting_a_day_again_changes_nothing(growing):
    limit(growing, "190")
    nights(growing, 3)
    before = [list(model.objects.order_by("pk").values_list()) for model in (Forecast, Violation)]

    assert nights(growing, 3) == [[], [], []]

    assert [list(model.objects.order_by("pk").values_list()) for model in (Forecast, Violation)] == before


def test_what_is_far_from_its_limit_is_not_predicted(growing):
    limit(growing, "1000")

    assert nights(growing, 3) == [[], [], []]

    assert not Forecast.objects.filter(is_likely=True).exists()


def test_what_is_beyond_its_limit_is_a_violation_and_no_prediction(growing):
    limit(growing, "150")

    assert nights(growing, 3) == [[], [], []]

    assert not Violation.objects.exists()


def test_a_prediction_comes_true_as_the_same_record(growing):
    limit(growing, "161")
    nights(growing, 3)
    levels(growing, [162.0], last=TODAY + timedelta(days=1))

    (opened,) = check_thresholds(growing, TODAY + timedelta(days=1), NOW).opened

    assert (opened.state, opened.predicted_on) == ("open", TODAY)
    assert Violation.objects.count() == 1


@pytest.mark.parametrize("acknowledged", [False, True])
def test_a_prediction_is_averted_after_three_reviews_with_little_chance(growing, acknowledged):
    threshold = limit(growing, "190")
    nights(growing, 3)
    if acknowledged:
        take_step(
            Violation.objects.get(), "acknowledged", by=User.objects.create(username="p"), why="", now=NOW
        )
    Forecast.objects.filter(made_on__gt=TODAY - timedelta(days=2)).update(chance=0.1, is_likely=False)
    Forecast.objects.create(
        target=growing, metric="x_used", component="DATA", threshold=threshold, notation="190", made_on=TODAY + timedelta(days=1),
        method="told", horizon=90, chance=0.34,
    )  # fmt: skip

    predict_violations(growing, TODAY + timedelta(days=1), NOW)

    averted = Violation.objects.get()
    assert (averted.state, averted.closed_on) == ("averted", TODAY + timedelta(days=1))
    assert averted.closed_because == "The chance was below 35 % on 3 reviews in a row."


def test_without_a_new_forecast_a_prediction_stays(growing):
    limit(growing, "190")
    nights(growing, 3)

    predict_violations(growing, TODAY + timedelta(days=40), NOW)

    assert Violation.objects.get().is_predicted


def test_a_row_at_risk_says_how_many_days_are_left(growing):
    limit(growing, "190")
    nights(growing, 3)

    row = read_profile_outlook(growing, TODAY, NOW).outlooks["x_used", "DATA"]

    assert row.state is FigureState.AT_RISK
    assert row.days_left_words == (f"{row.days_left} d", "risk")


def test_a_row_says_the_days_left_to_the_limit_it_shows(growing):
    limit(growing, "190", severity="critical")
    limit(growing, "1000")
    predict_violations(growing, TODAY, NOW)

    row = read_profile_outlook(growing, TODAY, NOW).outlooks["x_used", "DATA"]

    assert row.threshold is not None
    own = Forecast.objects.get(threshold=row.threshold)
    assert row.days_left == ((own.likely_on - TODAY).days if own.likely_on else None)


def test_days_that_were_measured_too_briefly_are_in_no_forecast():
    prepare()
    target = instance("ANOTHER")
    add_threshold("x_redo", "1000", now=BOOT, target=target)
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, LENGTH)):
        begins, _ = story.slots(on)
        story.day(
            on,
            redo=900 if number == 30 else 10,
            restarted_at=begins + timedelta(hours=6) if number == 30 else None,
        )

    predict_violations(target, TODAY, NOW)

    made = Forecast.objects.get()
    assert made.value == pytest.approx(10)
    assert made.path["90"][2] < 20


def test_a_series_that_is_too_short_says_why_it_has_no_forecast():
    prepare()
    target = instance("ANOTHER")
    levels(target, [5.0, 6.0])
    limit(target, "10")

    predict_violations(target, TODAY, NOW)

    made = Forecast.objects.get()
    assert made.likely_on is None
    assert made.reason


def test_a_target_without_limits_has_no_forecasts(growing):
    assert predict_violations(growing, TODAY, NOW) == []
    assert not Forecast.objects.exists()
