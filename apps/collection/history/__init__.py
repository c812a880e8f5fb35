"""
History from before the first reading: looked for, shown, then read behind the pages, day by day.

reach.py     HistoryReach                    what a source has
sources.py   HistorySession, open_history()  what a platform brings
models.py    HistoryImport                   what was found, and how far it is read
imports.py   look_for_history(), read_history(), take_back_history()
"""
