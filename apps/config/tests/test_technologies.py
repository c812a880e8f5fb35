"""A technology is known by name in its folder alone: what stands outside asks registries."""

import re
from pathlib import Path

from apps.platforms.apps import PLATFORMS

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("apps", "worker", "templates", "static/css", "static/js")
SUFFIXES = {".py", ".html", ".txt", ".js", ".css"}
NAMES = re.compile(
    rf"(?<![a-z])(?:{'|'.join(PLATFORMS)}|oracledb|asyncssh|sysstat|g?v\$\w*|ora-\d+|\"waits\" ?==|== ?\"waits\")(?![a-z])",
    re.IGNORECASE,
)

# where else a name may stand, and why
ALLOWED = {
    "apps/platforms/apps.py": "the list of the folders that are plugged in",
    "apps/platforms/__init__.py": "the map names the folders",
    "apps/platforms/management/commands/add_host.py": "Django finds commands in an app; it names the folder that has this one",
    "apps/platforms/management/commands/add_instance.py": "the same",
    "apps/config/settings.py": "the name of a variable that people set",
    "apps/snapshots/engine/database_figures.py": "the name of a document",
    "apps/web/pages/statistic/figure_workings.py": "what a host lacks of two sources is left out, by how its key begins",
    "apps/config/embedded/broker.py": "the name of an operating system in the path of a program",
    "apps/config/embedded/child.py": "a call that the kernel of this operating system has",
}


def places_with_names() -> dict[str, list[str]]:
    """The names of technologies by file, of all that is neither a platform's, the demo's nor a test's."""
    paths = {
        str(path.relative_to(ROOT)): path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SUFFIXES
    }
    names = {
        place: NAMES.findall(path.read_text())
        for place, path in paths.items()
        if not is_of_a_technology(place)
    }
    return {place: list_of_names for place, list_of_names in names.items() if list_of_names}


def is_of_a_technology(place: str) -> bool:
    parts = place.split("/")
    return (
        "tests" in parts
        or "migrations" in parts  # which say what was true when they were released
        or parts[-1] == "conftest.py"
        or place.startswith(("apps/demo/", *(f"apps/platforms/{name}/" for name in PLATFORMS)))
    )


def test_technologies_are_named_in_their_folders_alone():
    places = places_with_names()

    assert {place: names for place, names in places.items() if place not in ALLOWED} == {}
    assert ALLOWED.keys() - places.keys() == set()  # what is allowed is needed
