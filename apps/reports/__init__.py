"""
What managers read: one module per report.

models.py       WeeklyReport: each report as it was composed, with its facts; what was sent is never changed
week.py         Week: an ISO week                                                        (arithmetic)
weekly.py       compose_weekly_report()
gather.py       gather(): the facts of a week, from
  known.py        violations as they were known at a moment, told from their steps
  foreseen.py     the week's forecasts, and what got closer
  movers.py       the statistics that moved most
  decisions.py    what goes no further until a person decides
  oversized.py    resources larger than what was used of them
  unread.py       nights without a reading
  drawn.py        daily figures in the unit people meet
facts.py        Facts: what a report says, as it is kept
conclusion.py   sentences(): up to three, written from the facts
lines.py        the rows in words: the same in every form
forms.py        FORMS: html.py, pdf.py, xlsx.py, text.py and JSON by name
sheets.py       tables as CSV and workbooks: figures are numbers, no name becomes a formula
paint.py        drawings outside the pages: light colours, the report's font
glyphs.py       legible(): what the fonts in fonts/ can draw
"""
