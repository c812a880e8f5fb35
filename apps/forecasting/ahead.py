"""What lies ahead of a target's limited figures: histories and forecasts in one batch, and the days that count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np

from apps.forecasting.breach import Breach
from apps.forecasting.changes import Change, with_changes
from apps.forecasting.clean import RECENT, Flags, Floats
from apps.forecasting.figures import HISTORY, Key, Series, cap_of, daily_figures
from apps.forecasting.limits import breaches
from apps.forecasting.methods import HORIZON, Forecasts, forecast_batch
from apps.forecasting.moving import Then, read_thens
from apps.forecasting.planned import decided_changes, planned_for
from apps.forecasting.wanted import Wanted
from apps.inventory.models import Target
from apps.thresholds.calendars import LeftOut, left_out

Planned = Mapping[Key, Sequence[tuple[int, Change]]]


@dataclass(frozen=True)
class Ahead:
    """
    Figures of a target up to a day and what is foreseen of them; `values` and `forecasts` are in the stored unit.

    `rows` are the places of the series in the batch. `plain` knows nothing of planned changes, `forecasts` takes in
    those that are `decided`; `out` are the days of calendars, behind and ahead; `thens` what changes are told against.
    """

    target: Target
    on: date
    rows: Mapping[Series, int]
    values: Sequence[Floats]
    moved: Sequence[Sequence[int]]  # young trend changes of each series, in days before `on`
    plain: Forecasts
    forecasts: Forecasts
    decided: Planned
    out: LeftOut
    thens: Mapping[Wanted, Then]  # of the limits on a change

    def with_planned(self, planned: Planned) -> Forecasts:
        """The forecasts with other changes than the decided ones."""
        return with_changes(
            self.plain, {row: planned[key] for (key, _), row in self.rows.items() if key in planned}
        )

    def series(self, one: Wanted, key: Key) -> Series:
        """The series that a limit goes by: without known peaks where it leaves them out and there are any."""
        return key, one.threshold.leaves_out_peaks and bool(self.out.peaks)

    def row(self, one: Wanted) -> int:
        """The place of a limited figure in the batch."""
        return self.rows[self.series(one, one.key)]

    def shown(self, one: Wanted, value: float, ahead: int = 0) -> float:
        """A stored value of a figure some days ahead as its limit tells it: in the unit of the profile, or as a change."""
        return self.thens[one].change(value, ahead) if one.is_change else one.threshold.about.shown(value)

    def judged(self, one: Wanted) -> Flags:
        """Which days ahead count for a limit."""
        out = self.out.days(with_peaks=one.threshold.leaves_out_peaks)
        days = (self.on + timedelta(days=ahead + 1) for ahead in range(self.plain.horizon))
        return np.array([day not in out for day in days], dtype=np.bool_)

    def breaches(self, wanted: Sequence[Wanted], forecasts: Forecasts | None = None) -> list[Breach]:
        """Tell of each limit when it will be crossed, by the forecasts with what is decided or by others."""
        places = {(one, key): self.rows[self.series(one, key)] for one in wanted for key in one.keys}
        has_days = self.out.maintenance or self.out.peaks
        judged = {one: self.judged(one) for one in wanted} if has_days else None
        return breaches(forecasts or self.forecasts, wanted, places, judged, self.thens)


def look_ahead(
    target: Target, wanted: Sequence[Wanted], on: date, *, horizon: int = HORIZON, window: int = HISTORY,
    also: Sequence[Series] = (),
) -> Ahead:  # fmt: skip
    """Forecast the figures under some limits, and `also` others, as one batch, from their last `window` days up to `on`."""
    out = left_out(target, on - timedelta(days=window - 1), on + timedelta(days=horizon))
    has_peaks = bool(out.peaks)
    series = dict.fromkeys((key, leaves_out and has_peaks) for key, leaves_out in also)
    series |= dict.fromkeys(
        (key, one.threshold.leaves_out_peaks and has_peaks) for one in wanted for key in one.keys
    )
    keys = list(series)
    daily = daily_figures(target, keys, on, window, out)
    values = list(daily.values.T)
    caps = [cap_of(key[1], each) for (key, _), each in zip(keys, values, strict=True)]
    plain = forecast_batch(values, caps=caps, horizon=horizon, told=daily.moved)
    plain = replace(plain, reasons=_reasons(plain, keys, on, out))
    decided = planned_for(target, list(dict.fromkeys(key for key, _ in keys)), on, decided_changes([target]))
    rows = {each: row for row, each in enumerate(keys)}
    ahead = Ahead(target, on, rows, values, daily.moved, plain, plain, decided, out, {})
    measured = {one: on - timedelta(days=int(plain.age[ahead.row(one)])) for one in wanted}
    thens = read_thens(target, wanted, on, measured, horizon)
    return replace(ahead, forecasts=ahead.with_planned(decided), thens=thens)


def _reasons(
    forecasts: Forecasts, series: Sequence[Series], on: date, out: LeftOut
) -> tuple[str | None, ...]:
    """Why there is no forecast, with the share that calendars have in it."""
    first = on - timedelta(days=RECENT - 1)
    found = []
    for (_, leaves_out_peaks), reason in zip(series, forecasts.reasons, strict=True):
        count = sum(first <= day <= on for day in out.days(with_peaks=leaves_out_peaks))
        is_told = reason is not None and count > 0
        found.append(f"{reason}; calendars leave out {count} of the last {RECENT}" if is_told else reason)
    return tuple(found)
