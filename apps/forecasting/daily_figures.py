"""The daily figures that forecasts are made from: days measured too briefly or left out by calendars are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from apps.catalog.metric import Kind
from apps.catalog.registry import get_metric
from apps.forecasting.engine.series import LEAST_DAYS_FOR_TREND, Floats, SeriesKind
from apps.forecasting.models import TrendChange
from apps.thresholds.limit_reader import LimitReader

Key = tuple[int, str, str]  # category, metric, component
SeriesKey = tuple[Key, bool]  # and whether known peaks are left out
HISTORY = 400  # days of history that a forecast uses


@dataclass(frozen=True)
class DailyFigures:
    """
    Figures of a target in the stored unit: `values` is a series each, whose last day is the day asked for.

    `kinds` say what they are, `caps` are the most that they can be. `shift_days` are for each series the accepted trend changes too young for the
    history to begin there, in days before the last one. `never` says of those without any figure why they cannot have one by the way the
    target is read; empty for others.
    """

    values: Sequence[Floats]
    kinds: Sequence[SeriesKind | None]
    caps: Sequence[float | None]
    shift_days: Sequence[Sequence[int]]
    never: Sequence[str]


def read_daily_figures(
    series: Sequence[SeriesKey], days: int, reader: LimitReader, accepted_until: datetime | None = None
) -> DailyFigures:
    """
    Return the figures of the last so many days of a reader.

    NaN where there is no figure, or one measured over less than 80 % of its day, on days that calendars leave out, and
    before the newest trend change, accepted until a moment where one is given, that 30 days of figures have followed. A constant
    number of queries.
    """
    target, on, out = reader.target, reader.on, reader.excluded_days
    first = on - timedelta(days=days - 1)
    names = [key[1:] for key, _ in series]
    measured = reader.read(names, days)
    values = list(np.where(measured.counts, measured.totals, np.nan))
    accepted = TrendChange.objects.accepted(target, on, accepted_until)
    never = [
        "" if has_figures else measured.why_never(metric, measured.days)
        for metric, has_figures in zip(
            measured.metrics, np.any(np.isfinite(values), axis=1).tolist(), strict=True
        )
    ]
    shift_days = []
    for figures, ((_, *name), leaves_out_peaks) in zip(values, series, strict=True):
        for day in out.days(with_peaks=leaves_out_peaks):
            if first <= day <= on:
                figures[(day - first).days] = np.nan
        metric, component = name
        shift_days.append(_begin_history(figures, accepted.get((metric, component), []), on))
    caps = [cap_of(name[0], figures) for name, figures in zip(names, values, strict=True)]
    kinds = [kind_of(name[0]) for name in names]
    return DailyFigures(values, kinds, caps, shift_days, never)


def _begin_history(figures: Floats, changes: Sequence[date], on: date) -> list[int]:
    """Let figures begin with the newest change that enough of them have followed; return the days since younger ones."""
    younger: list[int] = []
    for day in changes:
        ago = (on - day).days
        since = max(len(figures) - 1 - ago, 0)
        if np.isfinite(figures[since:]).sum() >= LEAST_DAYS_FOR_TREND:
            figures[:since] = np.nan
            break
        younger.append(ago)
    return younger


def kind_of(metric: str) -> SeriesKind | None:
    """
    The kind of a figure; None where the catalogue leaves it open: what is in use at a moment may stay or come and go.

    What is told from two readings is a flow. Sizes of parts, shares of them and settings are stocks.
    """
    about = get_metric(metric)
    if about.is_difference:
        return SeriesKind.FLOW
    if about.reduction:
        return None
    if about.kind is Kind.HIGH_WATER:
        return SeriesKind.HIGH_WATER
    is_share_of_sizes = about.kind is Kind.RATIO and all(
        get_metric(key).piles_up for key in about.ingredients
    )
    is_stock = about.kind is Kind.SETTING or about.piles_up or is_share_of_sizes
    return SeriesKind.STOCK if is_stock else None


def cap_of(metric: str, values: Floats) -> float | None:
    """The most a figure can be: a share is 100 % at most, unless it was more already (memory can be promised twice)."""
    is_share = get_metric(metric).unit == "%" and not (values > 100).any()
    return 100.0 if is_share else None
