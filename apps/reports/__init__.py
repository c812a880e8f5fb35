"""
What managers read: one module of kinds/ per report, and its template in templates/reports/.

registry.py     ReportKind, find_report(): which reports there are, by what the modules of kinds/ declare
report_command.py  ReportCommand: what the commands share that write one
kinds/          the reports, a module each
models.py       WeeklyReport: each report as it was composed, with its facts; what was sent is never changed
engine/       the arithmetic, pure: week
weekly_report.py  compose_weekly_report()
week_facts.py   gather_facts(): the facts of a week, from
  week_violations.py      violations as they were known at a moment, by their steps
  week_forecasts.py       the week's forecasts, and what got closer
  movers.py               the statistics that moved most
  decisions.py            what goes no further until a person decides
  oversized_resources.py  resources larger than what was used of them
  week_findings.py        what rules began to notice
  week_verdicts.py        what users said of its days
  missed_nights.py        nights without a reading
  daily_figures.py        daily figures in the unit people meet
processor_trends.py  find_trends(): three months of what tells whether hosts run short of processors
facts.py        Facts: what a report says, as it is kept
conclusion.py   write_sentences(): up to three, written from the facts
study_paper.py  study_as_pdf(): a study on paper; study_text.py  what its page and its paper say of it
lines.py        the rows in words: the same in every form
formats.py      FORMATS of the weekly report: html.py, pdf.py, xlsx.py, text.py and JSON by name
sheets.py       tables as CSV and workbooks: figures are numbers, no name becomes a formula
drawings.py     drawings outside the pages: light colours, the report's font
glyphs.py       make_legible(): what the fonts in fonts/ can draw
"""
