"""
Reads the whole product and asks one thing: is one fact the same wherever it is said?

ledger.py     Ledger         who says what of which fact, and where two say different things
html.py       tables_in()    the tables of a page, cell by cell, with their links and exact values
product.py    Product        the pages, files and commands of an estate, opened
fresh.py      what people did since the last review: limits set and changed, a steady period
addresses.py  which addresses show figures, and why others show none: none is left unread unseen
figures.py    figures of days: profiles, everything, detail reports, statistics
periods.py    stretches of days: comparisons, wholes and their parts, sizes, the weekly report
behaviour.py  patterns of months and weeks, what moves together, how often limits would have fired
space.py      true headroom
outlooks.py   how limited figures stand: estate, risk board, violations, reports
ahead.py      what is foreseen: pages and files of forecasts, the command, scenarios
counts.py     how many figures stand how: sentences, navigation, rows; when targets were read
messages.py   what leaves the house: mails and webhooks
files.py      every table as CSV and as workbook
"""
