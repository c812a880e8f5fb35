"""
When comfort will end: how likely a limit is crossed, on which day, soonest and latest, and how far that was off before.

Arithmetic, without Django; in the order of work:
clean.py         daily values with gaps → a table to fit: filled, without weekly index, moved to the level after a jump
kinds.py         stock or flow, where nobody said
candidates.py    the fifteen ways to go on: a level plus a slope
backtest.py      each candidate from twelve past days: its weight, and the errors of the weighted mean
band.py          how far off the mean may be, by days ahead
signs.py         reasons for less trust: wanders like a price, went another way last year
methods.py       forecast_batch(): all of the above, or the reason why not
paths.py         the mean plus each past error path: some 25 futures
crossing.py      on which days futures are beyond a limit, and the first that lasts
breach.py        breach(), tell(): chance, day, soonest, latest, read off the futures; earlier() for a range
headroom.py      headroom(), room(), slack(): what is left, in percent, in its unit, in days to spare
room.py          true_room(), over_commit(): space that ceilings, disk groups and filesystems leave together
lines.py         comparison_lines(): three straight lines and their dates, shown beside the forecast
models.py        Forecast: the ledger of what was foreseen; TrendChange, Scenario, PlannedChange
figures.py       daily_figures(): what forecasts are made from, without partial days and those of calendars
wanted.py        Wanted: one figure under one limit; the edges of a limit
moving.py        limits on a change as limits that move with what the figure was so many days before
limits.py        breaches(): thresholds asked of a forecast, also those of two conditions
ahead.py         look_ahead(): all limited figures of a target in one batch, with the days that calendars leave out
words.py         why this method, what is missing, what is foreseen: in words
foresee.py       foresee(): one figure on demand, by the same functions
trend.py         level shifts proposed as trend changes, and what people decide
replay.py        what the method would have said on earlier days, against what came
changes.py       read_change(), with_changes(): planned changes as typed, and in a forecast
planned.py       planned_for(): which changes touch which figures of a target, also through formulas
scenarios.py     compare(): the figures that scenarios move, side by side; courses(): one figure in each scenario
predict.py       predict_violations()
track_record.py  what was said against what happened

How it works. Every series gets the same method. Each candidate is run again from up to twelve days of the past, and weighs
by its mean error there (relative to the others) to the power −6. The weighted mean's own errors at those days give the band
and, added to the forecast as whole paths, the futures in which the limit is crossed or not: a noisy metric violates on its
peaks while its mean never gets there. `benchmarks/forecast.py` measures all of this against the straight lines of other tools.
"""
