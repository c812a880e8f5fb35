"""
A believable database: `instance()` builds one whose views hang together and whose counters follow its clock.

    database = instance("DWPRD", release="19.22.0.0.0", clock=clock, rates={"redo size": 4_000_000})

Names, classes and usual rates of statistics, wait events and parameters are in names.json. What a test wants
otherwise it says with `rates`, `waits`, `parameters` and `tablespaces`, or by `set_rows` on what it gets.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from .activity import Setting, Wait, furnish
from .clock import wall_clock
from .database import Database, number_from
from .dictionary import OpenState
from .redo import Redo, RedoThread
from .storage import TABLESPACES, PlayedTablespace, Storage
from .workload import Workload


def instance(
    name: str = "DWPRD",
    *,
    release: str = "19.22.0.0.0",
    clock: Callable[[], datetime] = wall_clock,
    time_zone: str | tzinfo = "UTC",
    hosts: Sequence[str] = ("db01",),
    pdbs: Sequence[str] = (),
    is_standby: bool = False,
    started_at: datetime | None = None,
    seed: int | None = None,
    scale: float = 1.0,
    daily_growth: float = 0.0008,
    noise: float = 0.08,
    cpus: int = 8,
    rates: Mapping[str, float] | None = None,
    waits: Mapping[str, Wait] | None = None,
    parameters: Mapping[str, str] | None = None,
    tablespaces: Sequence[PlayedTablespace] = TABLESPACES,
    unique_name: str = "",
    edition: str = "EE",
) -> Database:
    """
    Build a database with work in progress.

    One host is a single instance, more are RAC nodes; a standby is mounted. `scale` multiplies all work, `rates` and
    `waits` replace the usual ones by name. `seed` decides the noise; left out, it follows from the name.
    """
    database = Database(
        name,
        release=release,
        clock=clock,
        time_zone=time_zone,
        hosts=hosts,
        pdbs=pdbs,
        started_at=started_at,
        unique_name=unique_name,
        edition=edition,
        role="PHYSICAL STANDBY" if is_standby else "PRIMARY",
        state=OpenState.MOUNT if is_standby else OpenState.OPEN,
    )
    anchor = clock().astimezone(database.time_zone)
    seed = number_from(name, 2**31) if seed is None else seed
    storage = Storage(database, anchor, tablespaces)
    settings = []
    for each in database.instances:
        workload = Workload(anchor, seed=seed + each.number, daily_growth=daily_growth, noise=noise)
        setting = Setting(
            database, each, workload, storage, scale, cpus, rates or {}, waits or {}, parameters or {}
        )
        furnish(setting)
        settings.append(setting)
    threads = [
        RedoThread(database, each.instance.number, each.workload, each.rates["redo size"])
        for each in settings
    ]
    area = settings[0].parameter_value("db_recovery_file_dest")
    Redo(database, threads, area, int(settings[0].parameter_value("db_recovery_file_dest_size"))).furnish()
    storage.furnish()
    for pdb in database.pdbs:
        own = [replace(each, used=each.used / 4, daily_growth=each.daily_growth / 4) for each in tablespaces]
        Storage(database, anchor, own, pdb).furnish()
    return database
