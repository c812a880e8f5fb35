"""Names are words of the field: nothing is called `found` or `told`, and a class name means one thing."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# those whose names are clean; it is meant to become all of them
FOLDERS = (
    "apps/advisors", "apps/catalog", "apps/charts", "apps/collection", "apps/config", "apps/demo", "apps/forecasting",
    "apps/inventory", "apps/notices", "apps/outlook", "apps/people", "apps/platforms", "apps/profiles", "apps/reports",
    "apps/review", "apps/snapshots", "apps/thresholds", "benchmarks", "testing", "worker",
    "apps/web/pages/compare", "apps/web/pages/patterns", "apps/web/pages/weekly_report",
)  # fmt: skip
NAME_NOTHING = {
    "asked", "beside", "drawn", "found", "given", "kept", "known", "one", "said", "seen", "shown", "taken", "there",
    "told", "wanted",
}  # fmt: skip
DEFINED_BY_DJANGO = {"Command", "Migration"}  # such a class stands in each module of theirs


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts)


def names_in(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """What is assigned, taken as an argument or defined, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno


def test_nothing_has_a_name_that_names_nothing():
    places = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sources()
        for name, line in [(path.stem, 0), *names_in(ast.parse(path.read_text()))]
        if name.strip("_").lower() in NAME_NOTHING
    ]

    assert places == []


def test_a_class_name_is_used_once():
    modules = defaultdict(list)
    for path in sources():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name not in DEFINED_BY_DJANGO:
                modules[node.name].append(str(path.relative_to(ROOT)))

    assert "Target" in modules
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}
