"""The tablespaces every database has."""

from apps.demo.course import flow, stock
from apps.demo.parts import Tablespace


def usual_tablespaces(undo: float, temp: float) -> tuple[Tablespace, ...]:
    """System, users, temp and undo; the last two in GB as they are used."""
    return (
        Tablespace(name="SYSTEM", used=stock((-120, 1.7), (400, 1.9)), most=32),
        Tablespace(name="SYSAUX", used=stock((-120, 5.1), (400, 7.5)), most=32),
        Tablespace(name="USERS", used=stock((-120, 6.2), (400, 8.1)), most=32),
        Tablespace(name="TEMP", used=flow(temp, noise=0.07), most=3 * temp, contents="TEMPORARY"),
        Tablespace(name="UNDOTBS1", used=flow(undo, noise=0.07), most=3 * undo, contents="UNDO"),
    )
