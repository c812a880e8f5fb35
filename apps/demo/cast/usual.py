"""The tablespaces every database has."""

from apps.demo.parts import DemoTablespace
from apps.demo.trajectory import flow, stock


def usual_tablespaces(undo: float, temp: float) -> tuple[DemoTablespace, ...]:
    """System, users, temp and undo; the last two in GB as they are used."""
    return (
        DemoTablespace(name="SYSTEM", used=stock((-120, 1.7), (400, 1.9)), most=32),
        DemoTablespace(name="SYSAUX", used=stock((-120, 5.1), (400, 7.5)), most=32),
        DemoTablespace(name="USERS", used=stock((-120, 6.2), (400, 8.1)), most=32),
        DemoTablespace(name="TEMP", used=flow(temp, noise=0.07), most=3 * temp, contents="TEMPORARY"),
        DemoTablespace(name="UNDOTBS1", used=flow(undo, noise=0.07), most=3 * undo, contents="UNDO"),
    )
