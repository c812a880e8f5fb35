"""
Reads the whole product and asks one thing: is one fact the same wherever it is said?

ledger.py   Ledger         who says what of which fact, and where two say different things
html.py     tables_in()    the tables of a page, cell by cell, with their links and exact values
product.py  Product        the pages, files and commands of an estate, opened
figures.py  figures of days: profiles, everything, detail reports, statistics, comparisons
periods.py  stretches of days: comparisons, wholes and their parts, sizes, the weekly report
outlooks.py how limited figures stand: estate, risk board, violations, forecasts, reports
"""
