"""
An Oracle-speaking server for tests, benchmarks and the demo: the unmodified thin driver signs in, asks and is answered.

- server.py      `OracleServer`: listens, finds the service, runs statements, keeps their log
- scenario.py    `instance()`: a believable database whose counters follow its clock
- activity/      what goes on in it, redo.py what it logs, storage.py what it keeps
- snapshot_rows.py rows that are only added to
- backups.py    `Backups`: what the control file remembers of backups; `RecoveryCatalog`: what a catalog keeps of them
- statspack.py  `Statspack`: snapshots of the views in the tables of PERFSTAT
- clock.py       `Clock`: a clock that stands still until it is moved
- database.py    `Database`: what is played: release, role, instances, containers, users, the rows of its views
- faults.py      misbehaviour on order: refuse, hang, drop, fail
- workload.py    how busy an instance is, hour by hour and day by day
- engine.py      runs statements on SQLite, which holds the views
- statement/     reads Oracle's SQL and rewrites it for SQLite
- functions/     Oracle's functions, formats.py its date and number formats, values.py its values, in SQLite
- dictionary.py  the columns of each view in each release (views.json)
- names.json     statistics, wait events and parameters with their usual rates
- session.py     the conversation with one client
- requests.py    what a client asks, responses.py what it is answered, logon.py the exchange of passwords
- wire.py        how values are written in a message, packets.py how messages are cut into packets
- errors.py      the errors by their ORA number
"""

from .activity import Wait
from .backups import Backups, RecoveryCatalog
from .clock import Clock, wall_clock
from .database import EVERYTHING, Database, DatabaseUser, Instance, Pdb
from .dictionary import OpenState
from .errors import OraError
from .faults import Fault, Faults
from .scenario import instance
from .server import OracleServer, Statement
from .statspack import Statspack
from .storage import TABLESPACES, PlayedTablespace

__all__ = [
    "EVERYTHING",
    "TABLESPACES",
    "Backups",
    "Clock",
    "Database",
    "DatabaseUser",
    "Fault",
    "Faults",
    "Instance",
    "OpenState",
    "OraError",
    "OracleServer",
    "Pdb",
    "PlayedTablespace",
    "RecoveryCatalog",
    "Statement",
    "Statspack",
    "Wait",
    "instance",
    "wall_clock",
]
