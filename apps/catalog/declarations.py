"""What the modules of a package declare: a new one is found by standing there."""

import pkgutil
from importlib import import_module
from typing import TypeVar

Declared = TypeVar("Declared")


def find_declarations(package: str, kind: type[Declared]) -> list[Declared]:
    """Everything of a kind that the modules of a package declare, module by module in the order of their names."""
    folder = import_module(package)
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__, f"{package}."))
    values = (value for name in names for value in vars(import_module(name)).values())
    return [value for value in values if isinstance(value, kind)]
