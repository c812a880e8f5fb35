"""
When comfort will end: how likely a limit is crossed, on which day, soonest and latest, and how far that was off before.

engine/               the arithmetic, pure: from daily values to a chance; its own map says how it works

What asks it, in the order of one forecast:
predict.py            predict_violations(): the nightly review: forecasts kept, violations predicted
limited_figures.py    limited_figures(): every figure under a limit, with the edges of that limit
target_forecast.py    forecast_target(): all limited figures of a target in one batch, and the days that count
daily_figures.py      read_daily_figures(): what forecasts are made from, without partial days and those of calendars; of what kind they are
planned_effects.py    decided_effects(): which planned changes touch which figures, also through formulas
change_limits.py      limits on a change as limits that move with what the figure was so many days before
driven_forecast.py    add_drivers(): what people count, in the forecasts of the figures that follow it; driver_text.py says so
limit_predictions.py  predict_limits(): chance and days of each limit, also of those with two conditions

What people ask for:
figure_forecast.py    forecast_figure(): one figure on demand, by the same functions
scenarios.py          compare_scenarios(), forecast_scenarios(): figures in scenarios, side by side
limit_trial.py        try_limit(): what the forecast makes of a limit that nobody has set yet
change_trial.py       try_change(): the same of a change that nobody has planned yet
expected_days.py      list_expected(): what is expected day by day, with its bounds
change_notation.py    read_change(): planned changes as typed
trend_changes.py      level shifts proposed as trend changes, and what people decide
forecast_change.py    explain_change(): what moved a forecast between two nights, part by part
text.py               why this method, what is missing, what is predicted: in words
driver.py             Driver: what people count day by day, and plan; its days and its token
driver_followers.py   find_followers(): the figures with a limit that go by a driver
driver_register.py    save_driver(), receive_days(): days stored whole or not at all; describe_days()
models.py             Forecast: what each night predicted; TrendChange, Scenario, PlannedChange

How it fared:
promise.py            Promise: what one night said of a figure and its limit, and what became of it
ledger.py             keep_promises(), note_crossings(), settle_due_promises(): by the nightly review
account.py            read_accounts(): how promises fared, of all and of each kind of figure; engine/account.py has the arithmetic
figure_kinds.py       KindRecords: what promises of each kind came to, which its forecasts heed
kind_records.py       renew_kind_records(): summed up each day, with how much wider bands must be
"""
