"""The parameters an instance was started with."""

from datetime import datetime

from ..database import Row, Rows
from ..storage import GB, MB
from .setting import Setting, Views, usual


class Parameters:
    """The usual parameters, with what this instance has otherwise."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def views(self) -> Views:
        return {"v$parameter": self.parameter, "v$system_parameter": self.parameter}

    def parameter(self, now: datetime) -> Rows:
        later = {"pga_aggregate_limit": (12, 1), "inmemory_size": (12, 1), "max_string_size": (12, 1)}
        rows: list[Row] = []
        names = {name: (kind, value, words) for name, kind, value, words in usual()["parameters"]}
        for name in self.setting.parameters:
            names.setdefault(name, (2, "", ""))
        for number, (name, (kind, default, words)) in enumerate(sorted(names.items()), start=1):
            if later.get(name, (0,)) > self.setting.database.release:
                continue
            value = self.setting.parameter_value(name)
            rows.append(
                {
                    "num": number,
                    "name": name,
                    "type": kind,
                    "value": value,
                    "display_value": display(value) if kind == 6 else value,
                    "default_value": default,
                    "isdefault": "FALSE" if value != default or name == "sga_target" else "TRUE",
                    "isses_modifiable": "FALSE",
                    "issys_modifiable": "IMMEDIATE",
                    "ispdb_modifiable": "FALSE",
                    "ismodified": "FALSE",
                    "isadjusted": "FALSE",
                    "description": words,
                    "con_id": 0,
                }
            )
        return rows


def display(value: str) -> str:
    """Return a size as v$parameter displays it."""
    size = int(value or 0)
    for unit, letter in ((GB, "G"), (MB, "M"), (1024, "K")):
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return value
