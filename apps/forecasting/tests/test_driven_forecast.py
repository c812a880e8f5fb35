"""Drivers that people keep, in the forecasts of their targets."""

import json
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, days_before, instance, levels, prepare
from apps.forecasting.change_notation import BadChange, read_driver_change
from apps.forecasting.change_trial import try_change
from apps.forecasting.driver import Driver, DriverDay
from apps.forecasting.driver_followers import find_followers
from apps.forecasting.driver_register import describe_days, store_days
from apps.forecasting.driver_text import describe_drivers
from apps.forecasting.engine.driver_file import NewDays
from apps.forecasting.engine.driver_outlook import Way
from apps.forecasting.engine.tests.test_drivers import orders
from apps.forecasting.figure_forecast import FigureForecast, forecast_figure
from apps.forecasting.models import PlannedChange, Scenario, forecast_url
from apps.forecasting.scenarios import compare_scenarios
from apps.inventory.models import Group, Target
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
LENGTH = 200


@pytest.fixture(scope="module")
def shop_pk(module_db: None) -> int:
    """A tablespace that rises and falls with the orders."""
    prepare(*days_before(TODAY, LENGTH + 1))
    target = instance(group=Group.objects.create(name="shops"))
    levels(target, [float(value) for value in 50 + 0.4 * orders(LENGTH)])
    return target.pk


@pytest.fixture
def shop(shop_pk: int, db: None) -> Target:
    return Target.objects.get(pk=shop_pk)


def keep(name: str = "orders a day", *, planned: float | None = None, **scope: object) -> Driver:
    """A driver with a value on each day of the history, and a plan of 90 days."""
    driver = Driver.objects.create(name=name, set_at=NOW, **scope)
    days = dict(zip(days_before(TODAY, LENGTH), map(float, orders(LENGTH)), strict=True))
    coming = {TODAY + timedelta(days=ahead): planned for ahead in range(1, 91)} if planned else {}
    store_days(driver, NewDays(days, coming))
    return driver


def forecast(target: Target) -> FigureForecast:
    return forecast_figure(target, get_metric("x_used"), "DATA", TODAY)


def sentences(target: Target) -> list[str]:
    made = forecast(target)
    return describe_drivers(made.batch.driven, 0)


def test_without_drivers_there_is_one_query_more_and_nothing_else(shop):
    before = forecast(shop)
    with CaptureQueriesContext(connection) as queries:
        forecast(shop)
    count = len([query for query in queries if 'FROM "forecasting_driver"' in query["sql"]])
    keep(group=Group.objects.create(name="others"))

    after = forecast(shop)

    assert count == 1
    assert (after.forecasts.mean == before.forecasts.mean).all()
    assert (after.forecasts.errors[0][:3, :7] == before.forecasts.errors[0][:3, :7]).all()
    assert sentences(shop) == []


@pytest.mark.parametrize("scope", ["target", "group", "all"])
def test_a_driver_of_a_target_its_group_or_all_drives_its_figures(shop, scope):
    scopes = {"target": {"target": shop}, "group": {"group": shop.group}, "all": {}}
    keep(planned=2000.0, **scopes[scope])

    made = forecast(shop)

    assert made.forecasts.mean[0, 40:].mean() == pytest.approx(50 + 0.4 * 2000, rel=0.05)
    (sentence,) = sentences(shop)
    assert sentence.startswith("Driven by orders a day, which goes on as planned: error 0.")


def test_what_is_planned_by_a_growth_is_heeded(shop):
    driver = keep(target=shop)
    Driver.objects.filter(pk=driver.pk).update(growth=50, grows_from=TODAY + timedelta(days=1))

    made = forecast(shop)

    assert made.forecasts.mean[0, 83:].mean() > 1.8 * made.forecasts.mean[0, :7].mean()


def test_a_day_asked_for_knows_nothing_of_later_ones(shop):
    driver = keep(target=shop)
    on = TODAY - timedelta(days=60)
    before = forecast_figure(shop, get_metric("x_used"), "DATA", on).forecasts.mean
    DriverDay.objects.filter(driver=driver, day__gt=on).update(value=9e6)

    after = forecast_figure(shop, get_metric("x_used"), "DATA", on).forecasts.mean

    assert (after == before).all()


def test_a_driver_that_is_not_used_says_why(shop):
    keep("weather", target=shop)
    DriverDay.objects.update(value=20)
    Driver.objects.create(name="users", target=shop, set_at=NOW)

    users, weather = sentences(shop)

    assert users == "Users has too few days, or none of late, so nothing is driven by it."
    assert weather.startswith("Weather has no part in how it changes")


def change(driver: Driver, text: str, scenario: Scenario, **rest: object) -> PlannedChange:
    on = TODAY + timedelta(days=31)
    return PlannedChange.objects.create(scenario=scenario, driver=driver, change=text, on=on, **rest)


@pytest.fixture
def scenario() -> Scenario:
    return Scenario.objects.create(name="sale", created_at=NOW)


@pytest.mark.parametrize(("text", "more"), [("+30 %", 300), ("+500", 500), ("-10 %", -100)])
def test_a_decided_change_of_a_driver_moves_what_follows_it_from_its_day_on(shop, scenario, text, more):
    driver = keep(target=shop, planned=1000.0)
    before = forecast(shop).forecasts.mean[0]
    change(driver, text, scenario, decided_at=NOW)

    made = forecast(shop)

    moved = made.forecasts.mean[0] - before
    assert abs(moved[:30]).max() == 0
    assert moved[30:] == pytest.approx(0.4 * more, rel=0.05)


def test_a_scenario_names_the_limits_that_a_change_of_a_driver_moves(shop, scenario):
    add_threshold("x_used", "<=1000", now=BOOT, target=shop, component="DATA")
    driver, other = keep(target=shop, planned=1000.0), keep("weather", planned=1000.0)
    DriverDay.objects.filter(driver=other).update(value=20)
    change(driver, "+300 %", scenario)
    rain = Scenario.objects.create(name="rain", created_at=NOW)
    change(other, "+300 %", rain)

    (moved,) = compare_scenarios([scenario, rain], [shop], TODAY)

    assert moved.baseline.day is None
    assert moved.outcomes[0].day in (31, 32)
    assert moved.outcomes[1].day is None


def test_a_change_of_a_driver_is_tried_on_a_figure(shop, scenario):
    driver, other = keep(target=shop, planned=1000.0), keep("weather")
    DriverDay.objects.filter(driver=other).update(value=20)
    figure_forecast = forecast(shop)
    on = TODAY + timedelta(days=31)

    trials = [
        try_change(figure_forecast, PlannedChange(driver=each, change="+30 %", on=on))
        for each in (driver, other)
    ]

    assert [trial.is_idle for trial in trials] == [False, True]
    assert (trials[0].changed.mean[0, 30:] > figure_forecast.forecasts.mean[0, 30:]).all()
    assert (trials[1].changed.mean == figure_forecast.forecasts.mean).all()


def test_the_figures_with_a_limit_that_follow_a_driver_are_found(shop):
    add_threshold("x_used", "<=1000", now=BOOT, target=shop, component="DATA")
    driver, other = keep(target=shop, planned=1000.0), keep("weather")
    DriverDay.objects.filter(driver=other).update(value=20)

    (follower,) = find_followers(driver, shop, TODAY)

    assert (follower.figure.component, follower.trial.way) == ("DATA", Way.LEVEL)
    assert follower.trial.error < follower.trial.error_without
    assert find_followers(other, shop, TODAY) == []


def test_pages_say_which_figures_follow_a_driver(shop):
    add_threshold("x_used", "<=1000", now=BOOT, target=shop, component="DATA")
    driver = keep(target=shop, planned=1000.0)
    Target.objects.filter(pk=shop.pk).update(reviewed_through=TODAY)
    planner = signed_in(is_planner=True)
    forecast_page = f"{forecast_url(shop.pk, 'x_used', 'DATA')}&on={TODAY}"

    driver_page = planner.get(driver.get_absolute_url()).content.decode()
    page = " ".join(planner.get(forecast_page).content.decode().split())

    assert "rises and falls with it" in driver_page
    assert "Driven by orders a day, which goes on as planned" in page
    assert "without the driver" in page


@pytest.mark.parametrize("text", ["30", "+30 GB", "-130 %", "many", ""])
def test_what_is_no_change_of_a_driver_is_refused(text):
    with pytest.raises(BadChange):
        read_driver_change(text, "orders a day", "orders")


def test_what_the_days_of_a_driver_are_good_for_is_said():
    driver = Driver.objects.create(name="orders", set_at=NOW)
    today = date(2026, 7, 1)
    assert describe_days(driver, today) == ["It has no days yet, so it drives nothing."]
    store_days(driver, NewDays({today - timedelta(days=back): 5.0 for back in (30, 29, 27)}))

    sentences = describe_days(driver, today)

    assert sentences == [
        "It has 3 days; forecasts try it from 88 on.",
        "All its days are the same, so nothing can be learned from it yet.",
        "1 day between its first and its last has no value; forecasts bridge them by straight lines.",
        "Its last day is 27 days ago, so no forecast goes by it now.",
    ]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("import_driver", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_makes_a_driver_and_stores_its_days(shop, tmp_path):
    file = tmp_path / "orders.csv"
    file.write_text("day,value,planned\n2026-06-29,1200,\n2026-06-30,1250,\n2036-01-01,,1500\n")

    text = run(str(file), "--driver", "orders a day", "--unit", "orders", "--target", shop.name)
    file.write_text("day,value\n2026-06-30,1300\n")
    report = json.loads(run(str(file), "--driver", "orders a day", "--json"))

    driver = Driver.objects.get()
    assert text.splitlines()[0] == "orders a day: 2 days and 1 planned stored."
    assert (driver.target, driver.unit, report["days"]) == (shop, "orders", 1)
    assert list(driver.days.values_list("value", flat=True)) == [1200, 1300, 1500]


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("day,value\n2026-06-30,-1\n2026-06-29,5\n", (), "less than nothing"),
        ("day,value\n2026-06-30,1\n", ("--target", "nowhere"), "There is no target named nowhere"),
        ("day,value\n2026-06-30,1\n", ("--group", "nowhere"), "There is no group named nowhere."),
        (None, (), "cannot be read"),
    ],
)
def test_what_the_command_refuses_leaves_nothing_behind(tmp_path, content, arguments, sentence):
    file = tmp_path / "orders.csv"
    if content is not None:
        file.write_text(content)

    with pytest.raises(CommandError) as refused:
        run(str(file), "--driver", "orders", *arguments)

    assert sentence in str(refused.value)
    assert not Driver.objects.exists()
    assert not DriverDay.objects.exists()
