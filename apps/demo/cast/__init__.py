"""
The cast of the estate, one module for each part of the business, as data.

people.py     who owns what
warehouse.py  a data warehouse whose waits are over their limits and whose space runs out
mart.py       the mart beside it, too young to foresee, and the host of both
customers.py  a recovery area that is nearly full
payments.py   commits that were cured, and reads that became slower and were accepted
finance.py    a filesystem that fills, and memory that no longer swaps
shared.py     billing, personnel, maps, logs: redo that grows, sessions at their limit, an expired password
usual.py      the tablespaces every database has
"""
