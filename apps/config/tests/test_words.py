"""Names and sentences are words of the field: nothing is called `found` or `told`, and a class name means one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("apps", "benchmarks", "testing", "worker")
NAME_NOTHING = {
    "asked", "beside", "drawn", "found", "given", "kept", "known", "one", "said", "seen", "shown", "taken", "there",
    "told", "wanted",
}  # fmt: skip
# where sentences for people stand, and what none of them says; what it says instead stands behind it
SENTENCES = ("apps", "worker", "templates", "static/js", "docs", "README.md")
UNIDIOMATIC = {
    r"as on the slide": "the thing itself",
    r"below it stands at once": "the chart shows",
    r"Must not occur would have": "A limit of 0 would have",
    r"it is the stricter": "≤40 is stricter",
    r"judged days inside it closes": "5 of 7 good days: closes on 23 November if that holds",
    r"ways? of going on": "method",
    r"came − expected": "error",
    r"[\"“>]said on\b": "made on",
    r"crossing said": "predicted crossing",
    r"How people call it": "Name",
    r"Who reads it": "Account",
    r"Where the connection is encrypted": "Encryption",
    r"Moves alike": "Also changes",
    r"Many at once": "Import a list",
    r"Plan it\b": "Add change",
    r"[\">]Is told\b": "Active",
    r"Told by\b": "Send by",
    r"Of whom\b": "Report for",
    r"limits that leave out known peaks": "Thresholds marked “ignore known peaks”",
    r"what must not occur has no day": "the limit is zero",
    r"of them since this week": "of them new",
    r"would have been off least": "erred least",
}
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


def sentences() -> Iterator[Path]:
    for place in SENTENCES:
        path = ROOT / place
        yield from (
            [path]
            if path.is_file()
            else (
                file
                for file in path.rglob("*")
                if file.suffix in {".py", ".html", ".txt", ".js", ".md", ".yaml", ".typ"}
                and not {"tests", "migrations"} & set(file.parts)
            )
        )


def test_no_sentence_is_said_in_words_that_nobody_uses():
    texts = {path: path.read_text() for path in sentences()}

    places = [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1} {match[0]}: say {better}"
        for path, text in texts.items()
        for phrase, better in UNIDIOMATIC.items()
        for match in re.finditer(phrase, text)
    ]

    assert places == []
