"""
What goes on in a believable instance, as its views tell it.

- setting.py     `Setting`: rates, waits, people and parameters, which the views are made of
- counters.py    statistics, the time model and wait events
- containers.py  the same of each container, and of all as the root sees them
- sessions.py    sessions, processes and the limits they meet
- memory.py      memory and the host, parameters.py the parameters
- files.py       files, undo, segments, temporary space and disk groups
"""

from .containers import Containers
from .counters import Counters
from .files import Files
from .memory import Memory
from .parameters import Parameters
from .sessions import Sessions
from .setting import Setting, Wait, usual

__all__ = ["Setting", "Wait", "furnish", "usual"]


def furnish(setting: Setting) -> None:
    """Give the views of one instance, and those of its containers, their rows."""
    counters = Counters(setting)
    sessions, memory = Sessions(setting, counters), Memory(setting)
    for subject in (counters, sessions, memory, Parameters(setting), Files(setting)):
        for view, rows in subject.views().items():
            setting.instance.set_rows(view, rows)
    if setting.instance.number == 1:
        Containers(setting, counters).furnish()
