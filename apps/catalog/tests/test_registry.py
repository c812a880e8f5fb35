"""The catalogue knows every metric by its key, and no key twice."""

from dataclasses import replace
from typing import Any

import pytest

from apps.catalog.metric import Kind, Metric, Worse
from apps.catalog.registry import (
    EVERY_PLATFORM,
    UnknownMetric,
    add_metrics,
    find_metric,
    get_metric,
    metrics_of,
    search_metrics,
)
from apps.collection.tests import scripted
from apps.platforms.apps import PLATFORMS

scripted.register()


def own_metrics(platform: str) -> list[Metric]:
    """Those that other platforms do not have."""
    shared = metrics_of(EVERY_PLATFORM)
    return [definition for definition in metrics_of(platform) if definition not in shared]


def metric(key: str, kind: Kind = Kind.GAUGE, **fields: Any) -> Metric:
    return Metric(key=key, label="a label", unit="MB", kind=kind, source="s", category=929, **fields)


def test_metrics_come_in_the_order_they_were_declared():
    keys = [definition.key for definition in own_metrics(scripted.PLATFORM)]

    assert keys == [definition.key for definition in scripted.METRICS]


def test_the_same_platform_may_register_again():
    scripted.register()

    assert len(own_metrics(scripted.PLATFORM)) == len(scripted.METRICS)


def test_a_key_that_another_platform_has_taken_is_refused():
    with pytest.raises(ValueError, match="x_redo is taken by scripted"):
        add_metrics("another", [metric("x_redo")])


def test_a_category_of_another_platform_is_refused_with_what_to_do():
    category = get_metric("x_redo").category

    with pytest.raises(
        ValueError,
        match=f"category {category}, of y_other, is taken by scripted; give another numbers of its own",
    ):
        add_metrics("another", [replace(metric("y_other"), category=category)])
    assert find_metric("y_other") is None


def test_a_label_that_another_statistic_of_the_platform_has_is_refused_with_what_to_do():
    redo = get_metric("x_redo")

    with pytest.raises(
        ValueError, match=r"x_other is called “Redo.*” as x_redo is; give each a label of its own"
    ):
        add_metrics(scripted.PLATFORM, [replace(redo, key="x_other", label=redo.label.capitalize())])
    assert find_metric("x_other") is None


def test_no_platform_stores_where_another_does():
    categories = [{definition.category for definition in own_metrics(platform)} for platform in PLATFORMS]

    assert len(set().union(*categories)) == sum(map(len, categories))


def test_a_metric_that_is_not_there_is_none():
    assert (find_metric("x_nothing"), find_metric("x_redo:p95")) == (None, None)


def test_a_metric_knows_its_statistic_and_its_reduction():
    busy, hours = get_metric("x_busy_pct:p95"), get_metric("x_busy_pct:9-17")

    assert (busy.base, busy.reduction, hours.base, hours.reduction) == (
        "x_busy_pct",
        "p95",
        "x_busy_pct",
        "9-17",
    )
    assert (busy.shown_key, get_metric("x_redo").shown_key) == ("x_busy_pct:p95", "x_redo")


def test_a_metric_knows_what_it_is_made_of_and_over_what():
    counter, gauge, ratio = get_metric("x_redo"), get_metric("x_used"), get_metric("x_read_ms")

    assert ratio.ingredients == {"x_wait_time", "x_waits"}
    assert (counter.is_over_time, gauge.is_over_time, ratio.is_over_time) == (True, False, True)
    assert get_metric("x_busy_pct:max").is_over_time
    assert (counter.is_total, ratio.is_total) == (True, False)


def test_a_reduction_is_a_metric_of_its_own():
    reduced = get_metric("x_busy_pct:p95")

    assert (reduced.key, reduced.label, reduced.unit) == ("x_busy_pct:p95", "CPU busy, p95", "%")


@pytest.mark.parametrize("key", ["x_nothing", "x_busy_pct:p50", "x_redo:p95", ""])
def test_an_unknown_key_is_named(key):
    with pytest.raises(UnknownMetric):
        get_metric(key)


def test_metrics_are_found_by_words_of_their_label():
    assert get_metric("x_redo") in search_metrics("REDO")


def test_a_ratio_has_a_formula_and_nothing_else_has_one():
    with pytest.raises(ValueError, match="a ratio has a formula"):
        metric("y", kind=Kind.RATIO)
    with pytest.raises(ValueError, match="a ratio has a formula"):
        metric("y", formula=lambda window: window.seconds)


def test_COL6_every_metric_of_the_platforms_says_its_kind_its_unit_and_which_way_is_worse():
    for platform in ("oracle", "linux"):
        for definition in metrics_of(platform):
            assert isinstance(definition.kind, Kind)
            assert isinstance(definition.worse, Worse)
            assert definition.to_display_unit(definition.to_stored_unit(3.0)) == pytest.approx(3.0)
            assert bool(definition.formula) == (definition.kind is Kind.RATIO)
