"""
History from before the first reading: looked for or given, shown, then read behind the pages, day by day.

reach.py     HistoryReach                    what a source has
sources.py   HistorySession, open_history()  what a platform brings
models.py    HistoryImport, FigureFile       what was found or given, and how far it is read
imports.py   look_for_history(), read_history(), take_back_history()
pieces.py    keep_piece(), put_together()    stretches of a day that files gave one by one
figure_files.py    give_file(), map_file(), store_figures(), take_back_file(): a CSV of daily figures
figure_reading.py  FigureReader                its lines as figures of our targets, and why lines are left out
"""
