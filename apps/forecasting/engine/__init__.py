"""
The arithmetic of forecasts: series in, chances out; numpy alone, no Django, no database, no clock.

In the order of a forecast, each by one function:
series.py        read_series(): one value a day with its gaps; stock or flow; why it cannot be forecast
histories.py     prepare_histories(): a table to fit: filled, without weekly index, moved to the level after a shift
level_shifts.py  find_level_shifts(): those that stand out, and those that people name
candidates.py    find_starts(): the fifteen ways to go on, a level plus a slope, from today and from past days
backtest.py      run_backtest(): each candidate from twelve past days: its weight, the weighted mean, and its own errors
band.py          find_band(): how far off the mean may be, by days ahead
batch.py         forecast_batch(): all of the above, or the reason why not
forecasts.py     Forecasts: what a batch gives
futures.py       simulate_futures(): the mean plus each past error path, some 25 futures
edges.py         Edges: limits that stand or move; on which days paths are beyond them, and the first that lasts
chance.py        predict_crossings(): chance, day, soonest, latest, read off the futures

Beside it:
effects.py       apply_effects(): planned changes in a forecast
lines.py         comparison_lines(): three straight lines and their dates, shown beside the forecast
replay.py        replay_forecasts(): what the method would have predicted on earlier days, against what came
headroom.py      headroom(), room(), slack(): what is left, in percent, in its unit, in days to spare
true_room.py     true_room(), over_commit(): space that ceilings, disk groups and filesystems leave together

Every series gets the same method. Each candidate is run again from up to twelve days of the past, and weighs by its mean
error there (relative to the others) to the power −6. The weighted mean's own errors at those days give the band and, added
to the forecast as whole paths, the futures in which the limit is crossed or not: a noisy metric violates on its peaks while
its mean never gets there. `benchmarks/forecast.py` measures all of this against the straight lines of other tools.
"""
