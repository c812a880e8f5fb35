"""What is measured with stays as it is described, however the catalogue grows."""

import numpy as np
import pytest

from apps.catalog.metric import Kind
from benchmarks.data import SERIES, STEP, SYSSTAT, Floats, readings, shapes


@pytest.fixture(scope="module")
def behaving() -> dict[str, Floats]:
    """A hundred days of all series of one target, by what they are like."""
    history = [(shape, readings(1, 100, shape)) for shape in shapes()]
    return {
        name: np.concatenate([values[:, shape.behaviours == name] for shape, values in history], axis=1)
        for name in ("counter", "size", "share", "average")
    }


def test_an_instance_has_2500_series_of_which_1200_are_statistics():
    lengths = {shape.category: len(set(shape.keys)) for shape in shapes()}

    assert sum(lengths.values()) == SERIES
    assert lengths[SYSSTAT] == 1200


def test_what_the_catalogue_says_is_a_counter_behaves_as_one():
    for shape in shapes():
        counters = [metric.kind is Kind.COUNTER for metric in shape.metrics]
        assert np.array_equal(shape.behaviours == "counter", counters), shape.category


def test_a_third_of_the_counters_stands_at_zero_and_all_are_whole_numbers(behaving):
    counters = behaving["counter"]
    moving = np.nanmax(counters, axis=0) > 0

    assert 0.25 < 1 - moving.mean() < 0.42
    assert np.array_equal(np.nan_to_num(counters), np.floor(np.nan_to_num(counters)))
    assert (np.diff(counters, axis=0) < 0).any(), "no restart emptied them"


def test_sizes_come_in_steps_and_shares_with_two_decimals(behaving):
    sizes, shares = np.nan_to_num(behaving["size"]), np.nan_to_num(behaving["share"])

    assert not (sizes % STEP).any()
    assert np.array_equal(shares, np.round(shares, 2))


def test_two_values_in_a_thousand_are_missing_and_a_seed_repeats_itself(behaving):
    missing = np.concatenate([np.isnan(values).ravel() for values in behaving.values()])

    assert 0.001 < missing.mean() < 0.003
    for shape in shapes():
        assert np.array_equal(readings(1, 10, shape), readings(1, 10, shape), equal_nan=True)
        assert not np.array_equal(readings(1, 10, shape), readings(2, 10, shape), equal_nan=True)
