"""
The door for people: pages. A view translates in, calls once, translates out.

pages/         a folder for each subject: views, forms and what they show, with their tests; templates in templates/pages/<subject>/.
               A folder never imports another: what two of them share is a module here.
urls.py        where the pages are
management/    first_start: this machine as a host, the timetable, the demo where one is installed

Of every request
address.py, uploads.py, headers.py, rights.py   what arrives, what browsers are told, who may change what
session_ends.py, first_password.py   sessions end; who was given a password chooses their own first
reader_style.py  how one reader wants things written
context.py, menu.py, help_lines.py   what every page shows: navigation, the mark of the demo, a disk that fills up, its line of help
failures.py    what people see where a page failed
styles.py      the style sheets of every page, joined where they are collected

Of several subjects
sentences.py   the answers that pages open with
statistic_field.py   the field of a form in which people name a statistic
statistic_names.py   statistics by the names people know, and what a field offers while one is typed
field_choices.py   which rows a field offers
target_page.py, target_facts.py, report_tabs.py, target_proposals.py   what all pages of one target share: day, facts, tabs, what is to be confirmed
common_window.py   an instance beside its host: how much of the same window each was measured over, and whether the host is silent
machine_tables.py, guest_tables.py, storage_path_table.py   what runs on a host with its sums; files, volumes and devices side by side
not_measurable.py   what the tools of a host that is read from files, or its collector, cannot give
target_states.py, target_filters.py   lists of targets: the state of each, and which are shown
target_changes.py, day_notes.py, chart_events.py   what changed of a target, what people wrote of days, and both on charts
date_range.py, figure_history.py   which statistic and days an address asks for, and its figures with limit and forecast
profile_table.py, profile_sentence.py, sparklines.py   a judged profile as a table, and its verdict
risk_rows.py, violation_table.py, scenario_moves.py   limited figures as rows: at risk, violated, moved by scenarios
finding_rows.py   findings as rows: evidence, meaning, what to do
track_record_table.py   how past forecasts fared
threshold_precedence.py   which threshold applies and why
peak_hour_backfill.py   past days of peak hours, rolled up behind the pages
collection_runs.py, read_now.py   how targets were read, and readings asked for at once
tables.py, cells.py, sheet_cells.py   tables declared once for page, CSV and workbook, and what their cells hold
"""
