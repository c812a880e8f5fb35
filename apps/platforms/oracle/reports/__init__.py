"""
Reports that people bring: what Statspack's spreport writes, and AWR reports as text or HTML.

Nothing is asked of a database for them: bringing one is their own act, and no licensed view is read.

report_tables.py  PrintedTable, text_tables(), html_tables()   the tables of a report, whatever its form
report_header.py  ReportHeader                                of which database and instance it is, and of which interval
report_figures.py readings_of()                               its tables as readings at both ends of the interval
read_report.py    read_report()                               a report of a target, as apps/collection/host_files.py takes it
"""
