"""
How it behaves: today beside 7, 30 and 90 days ago.

models.py    Baseline: a steady period when users were satisfied
compare.py   compare(), top_components()   today against earlier days       (arithmetic)
pattern.py   pattern_of()                  rising, falling, flat, appeared, gone  (arithmetic)
build.py     build_profile()               the statistics and wait events worth a decision
"""
