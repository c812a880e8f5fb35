"""
The arithmetic of forecasts: series in, chances out; numpy alone, no Django, no database, no clock.

In the order of a forecast, each by one function:
series.py        read_series(): one value a day with its gaps; stock, flow or high-water; why it cannot be forecast
histories.py     prepare_histories(): a table to fit: filled, without weeks and months, moved to the level after a shift
months.py        find_month_effects(): what the first and last days of months and quarters add
level_shifts.py  find_level_shifts(): those that stand out, the youngest of flows, and those that people name
candidates.py    find_starts(): how every candidate goes on, from today and from past days: a level plus a slope, or a shape
shapes.py        Shapes: growth that compounds, the last period and last year come again
backtest.py      run_backtest(): each candidate from twelve past days: its weight, the weighted mean, and its own errors
batch.py         forecast_batch(): all of the above, or the reason why not
forecasts.py     Forecasts: what a batch gives
medians.py       median(), median_of_known(): of many short rows at once
futures.py       simulate_futures(): the mean plus each past error path, some 25 futures
band.py          draw_band(): the quantiles of the futures day by day
edges.py         Edges: limits that stand or move; find_crossings(): when paths open a violation by the rule of a limit
chance.py        predict_crossings(): chance, day, soonest, latest, read off the futures

Beside it:
drivers.py       adopt_drivers(): what a driver explains is taken out, the rest forecast, and the driver put back
driver_outlook.py  prepare_drivers(): a driver without gaps, its days ahead, and what was to be expected on past days
driver_trials.py try_drivers(): how much less past forecasts would have erred with each driver
driver_plan.py   lay_out(): the days ahead of a driver, as planned or as it goes on; driver_file.py reads days of CSV and JSON
effects.py       apply_effects(): planned changes in a forecast
lines.py         comparison_lines(): three straight lines and their dates, shown beside the forecast
replay.py        replay_forecasts(): what the method would have predicted on earlier days, against what came
account.py       make_account(): promises against what came, and against a straight line's; find_width()
headroom.py      headroom(), room(), slack(): what is left, in percent, in its unit, in days to spare
true_room.py     true_room(), over_commit(): space that ceilings, disk groups and filesystems leave together

Every series gets the same method. Each candidate is run again from up to twelve days of the past, and weighs by its mean
error there (relative to the others) to the power −6. The weighted mean's own errors at those days, added to the forecast as
whole paths, are the futures in which the limit is broken or not: a noisy metric violates on its peaks while its mean never
gets there. Band and chance are read off the same futures. `benchmarks/forecast.py` measures all of this against the straight
lines of other tools; `docs/forecasts.md` has the reasons and the figures.
"""
