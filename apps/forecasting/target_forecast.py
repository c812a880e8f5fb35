"""The forecast of a target's limited figures: histories and forecasts in one batch, and the days that count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from apps.forecasting.change_limits import EarlierFigures, read_earlier_figures
from apps.forecasting.daily_figures import HISTORY, Key, SeriesKey, read_daily_figures
from apps.forecasting.driven_forecast import UNDRIVEN, DrivenFigures, TargetDrivers, add_drivers
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.effects import Effect, apply_effects
from apps.forecasting.engine.forecasts import HORIZON, Forecasts
from apps.forecasting.engine.series import RECENT, Flags, Floats
from apps.forecasting.figure_kinds import KindRecords
from apps.forecasting.limited_figures import LimitedFigure
from apps.forecasting.models import KindRecord
from apps.forecasting.planned_effects import decided_effects
from apps.inventory.models import Target
from apps.thresholds.calendars import ExcludedDays
from apps.thresholds.limit_reader import LimitReader

Effects = Mapping[Key, Sequence[tuple[int, Effect]]]  # days ahead, with the effect


@dataclass(frozen=True)
class TargetForecast:
    """
    Figures of a target up to a day and their forecasts; `values` and `forecasts` are in the stored unit.

    `rows` are the places of the series in the batch. `plain` knows nothing of planned changes but has the drivers that help in it, `forecasts` takes in the
    `effects` of those that are decided; `out` are the days of calendars, behind and ahead.
    """

    target: Target
    on: date
    rows: Mapping[SeriesKey, int]
    values: Sequence[Floats]
    shift_days: Sequence[Sequence[int]]  # young trend changes of each series, in days before `on`
    plain: Forecasts
    forecasts: Forecasts
    effects: Effects
    out: ExcludedDays
    records: Sequence[KindRecord | None]  # of each series, what promises of its kind came to
    driven: DrivenFigures
    earlier: Mapping[LimitedFigure, EarlierFigures]  # of the limits on a change

    def with_effects(self, effects: Effects) -> Forecasts:
        """The forecasts with other effects than those of the decided changes."""
        return _with_effects(self.plain, self.rows, effects)

    def row(self, figure: LimitedFigure, key: Key | None = None) -> int:
        """The place of a limited figure in the batch, or of another one that its limit goes by."""
        return self.rows[key or figure.key, figure.threshold.leaves_out_peaks and bool(self.out.peaks)]

    def to_limit_unit(self, figure: LimitedFigure, value: float, ahead: int = 0) -> float:
        """A stored value of a figure some days ahead as its limit tells it: in the unit of the profile, or as a change."""
        if figure.is_change:
            return self.earlier[figure].change(value, ahead)
        return figure.threshold.about.to_display_unit(value)

    def judged(self, figure: LimitedFigure) -> Flags:
        """Which days ahead count for a limit."""
        out = self.out.days(with_peaks=figure.threshold.leaves_out_peaks)
        days = (self.on + timedelta(days=ahead + 1) for ahead in range(self.plain.horizon))
        return np.array([day not in out for day in days], dtype=np.bool_)


def forecast_target(
    target: Target, figures: Sequence[LimitedFigure], on: date, *, horizon: int = HORIZON,
    window: int = HISTORY, also: Sequence[SeriesKey] = (), reader: LimitReader | None = None,
    accepted_until: datetime | None = None,
) -> TargetForecast:  # fmt: skip
    """
    Forecast figures under limits, and `also` others, as one batch, from their last `window` days up to `on`, that a `reader` gives.

    Trend changes accepted after `accepted_until` are not heeded where it is given.
    """
    reader = reader or LimitReader(target, on, window, horizon)
    out = reader.excluded_days
    pairs = [*also, *((key, figure.threshold.leaves_out_peaks) for figure in figures for key in figure.keys)]
    series = list(dict.fromkeys((key, leaves_out and bool(out.peaks)) for key, leaves_out in pairs))
    daily = read_daily_figures(series, window, reader, accepted_until)
    records = KindRecords(is_demo=target.is_demo)
    record_of = [records[key[1]] for key, _ in series]
    options: dict[str, Any] = {
        "shift_days": daily.shift_days,
        "last_on": [on] * len(series),
        "width_factors": [record.width_on(on) if record else 1.0 for record in record_of],
    }
    plain = forecast_batch(daily.values, kinds=daily.kinds, caps=daily.caps, horizon=horizon, **options)
    drivers, driven = TargetDrivers(target).drivers, UNDRIVEN
    if drivers:
        keys = [key for key, _ in series]
        plain, driven = add_drivers(plain, daily, keys, drivers, on, **options)
    reasons = [never or reason for never, reason in zip(daily.never, plain.reasons, strict=True)]
    plain = replace(plain, reasons=_with_left_out(reasons, series, on, out))
    rows = {key: row for row, key in enumerate(series)}
    effects = decided_effects(target, list(dict.fromkeys(key for key, _ in series)), on, driven)
    forecasts = _with_effects(plain, rows, effects) if effects else plain
    made = TargetForecast(
        target,
        on,
        rows,
        daily.values,
        daily.shift_days,
        plain,
        forecasts,
        effects,
        out,
        record_of,
        driven,
        earlier={},
    )
    changes = [figure for figure in figures if figure.is_change]
    measured_on = {figure: on - timedelta(days=int(plain.age[made.row(figure)])) for figure in changes}
    return replace(made, earlier=read_earlier_figures(target, measured_on, on, horizon)) if changes else made


def _with_effects(plain: Forecasts, rows: Mapping[SeriesKey, int], effects: Effects) -> Forecasts:
    return apply_effects(plain, {row: effects[key] for (key, _), row in rows.items() if key in effects})


def _with_left_out(
    reasons: Sequence[str | None], series: Sequence[SeriesKey], on: date, out: ExcludedDays
) -> tuple[str | None, ...]:
    """Why there is no forecast, with the share that calendars have in it."""
    first = on - timedelta(days=RECENT - 1)
    texts = []
    for (_, leaves_out_peaks), reason in zip(series, reasons, strict=True):
        count = sum(first <= day <= on for day in out.days(with_peaks=leaves_out_peaks))
        by_calendars = f"; calendars leave out {count} of the last {RECENT}" if count else ""
        texts.append(f"{reason}{by_calendars}" if reason is not None else None)
    return tuple(texts)
