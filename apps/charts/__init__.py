"""
Figures, sparklines and charts: pure functions that turn numbers into text, SVG and Plotly figures.

figures.py     how a number, a change, a day and a chance are written
words.py       small numbers in words, capitals
reader.py      the style of whoever reads: marks, order and names of dates, zone
names.py       months and weekdays in the languages of readers
beyond.py      the parts of a line beyond a limit
sparkline.py   thirty days and their limit in the height of a row
outlook.py     a figure, its limit and what is foreseen, drawn still for reports and mail
history.py     a series with limit, forecast and events, as a Plotly figure
futures.py     its days ahead: the shades of the forecast, and when a limit is crossed
plot_parts.py  the parts of Plotly figures that these charts share
lines.py       up to five series on one axis, each named at its end
pair.py        two series over the same days, one above the other
rhythm.py      medians by weekday or hour with their spread
rhobar.py      a correlation as a short bar
bars.py        a day a bar, those beyond the limit marked
shares.py      parts of one amount beside each other, against a limit
riskbar.py     soonest, likely and latest day of a breach on a shared axis
reliability.py  chances against what came, and days off on either side
treemap.py     size and state of the targets of the estate
calendar.py    a count a day, a week a column
before_after.py  two forecasts of a figure, as it is and with a change
caseband.py    the life of a case to scale, and the breach if nothing is done
svg.py         the few words of SVG that the others share

Colours are never numbers here: SVG carries classes and Plotly figures carry names such as "var(--measure)", so one chart serves
both themes.
"""
