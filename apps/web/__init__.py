"""
The door for people: pages. A view translates in, calls once, translates out.

urls.py        where the pages are
styles.py      the style sheets of every page, joined where they are collected
context.py     what every page shows: navigation, the mark of the demo, a disk that fills up
failures.py    what people see where a page failed
sentences.py   the answers that pages open with
show.py        a judged profile as the table of the page
threshold_form.py  a limit as people type it, checked; target_forms.py targets, schedule_form.py jobs, people_forms.py accounts
offers.py      which rows a field offers
address_forms.py  where targets are, checked; voice.py says what is wrong in our words
bulk_form.py   what may be changed of many limits at once, checked
make_up.py     make_up()                past days of peak hours, rolled up behind the pages
read_now.py    read_now()               readings asked for at once, and what is said where the queue is away
pack_form.py   which pack, and what it is applied to
calendar_form.py  days that are left out, checked
notice_forms.py  who is told what, checked
sign_in_form.py  what is said to somebody who cannot sign in
session_ends.py  sessions end, and signing in leads back to the page
first_password.py  who was given a password chooses their own first
headers.py     what every answer says to browsers
reading.py     how one reader wants things written
rights.py      who may change what
page.py        what all pages of one target share
details.py     the figures of a detail report: days in a row, by one query
space.py       true headroom as the Space tab shows it
detail_shown.py  a detail report as sentence, drawing, tables and files
beside.py      the host beside the instance
outlooks.py    the forecasts of a target
courses.py     scenarios beside the forecast of a statistic
spans.py       which statistic, day and stretch an address asks for
related.py     what moves with a statistic, in words and rows
rhythm.py      patterns of the week and of the day
drawn.py       everything that is drawn of one statistic, also as a file
occasions.py   what happened on the days of a chart, lettered
notes.py       notes on days: their form and their lists
together.py    many targets changed at once, and taken back
help_lines.py  one line of help for each page
find.py        find anything: targets, statistics, things
present.py     lists of targets and figures
what_if.py      scenarios as pages show them; what_is_there.py what a planned change may begin with
limit_moves.py  move_of()               a limit where none is taken any more, and where to move it
preview.py     what the limit that is being typed would have done
applies.py     which limit applies and why
violated.py    lists of violations
collected.py   how the collection went
estate.py      what runs out first
size_map.py    the instances by size
open_days.py   how many violations were open by day
compared.py    two periods side by side
patterns.py    successive months and quarters
tables.py      table_file(): a table of a page as CSV or workbook, with exact figures
shown_tables.py  the tables that no view writes itself, as they are shown
sheets.py      the rows of those files
sparks.py      the last 30 days of many rows, by one query
views/         one module per kind of page
management/    first_start: this machine as a host, the timetable, the demo where one is installed
"""
