"""
Where an address leads: those parts of it that decide who receives a secret.

Platforms tell for each of their collectors which parts these are, in one spelling; of a collector that nobody told
about, every part counts.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import import_string

Place = Callable[[Mapping[str, Any]], Mapping[str, Any]]

_places: dict[str, str] = {}  # dotted paths: knowing addresses may take a driver


def add_place_at(collector: str, path: str) -> None:
    """Make known, by a dotted path, which parts of an address count for a collector."""
    _places[collector] = path


def fingerprint_of(collector: str, address: Mapping[str, Any]) -> str:
    """What is kept with a secret, and compared before it is used: the same for two spellings of one place."""
    place = dict(address)
    if collector in _places:
        place_of: Place = import_string(_places[collector])
        place = dict(place_of(address))
    text = json.dumps([collector, place], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
