"""How large the parts of the house are: `make house`. What has a limit is held by `make check`; this prints where it stands."""

import ast
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = ("apps", "worker")
LEFT_OUT = ("tests", "migrations", "demo")  # folders that are counted apart, or not at all
DEFINED_BY_DJANGO = {"Command", "Migration"}


@dataclass(frozen=True)
class Module:
    """A file of code and what is counted of it."""

    path: Path
    lines: int
    functions: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]
    classes: Sequence[str]

    @classmethod
    def read(cls, path: Path) -> "Module":
        text = path.read_text()
        tree = ast.parse(text)
        functions = [
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        return cls(path.relative_to(ROOT), len(text.splitlines()), functions, classes)


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def is_typed(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether its result and every argument but `self` or `cls` are annotated."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    named = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    return function.returns is not None and all(argument.annotation is not None for argument in named)


def spread(sizes: Iterable[int]) -> str:
    """ "81 / 219 / 399": the median, what 90 % stay below, the longest."""
    ordered = sorted(sizes)
    ninth = ordered[int(len(ordered) * 0.9)]
    return f"{statistics.median(ordered):.0f} / {ninth} / {ordered[-1]}"


def modules() -> list[Module]:
    """The files of the product, without tests, migrations and the demo; empty ones are not counted."""
    paths = (path for folder in CODE for path in (ROOT / folder).rglob("*.py"))
    chosen = (path for path in paths if not set(LEFT_OUT) & set(path.relative_to(ROOT).parts))
    return [module for module in map(Module.read, sorted(chosen)) if module.lines]


def main() -> None:
    house = modules()
    functions = [function for module in house for function in module.functions]
    names = Counter(name for module in house for name in module.classes)
    twice = sorted(name for name, count in names.items() if count > 1 and name not in DEFINED_BY_DJANGO)
    templates = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    longest = max(len(line) for path in templates for line in path.read_text().splitlines())
    typed = sum(map(is_typed, functions)) / len(functions)
    print(f"files                {len(house):>6}   lines {sum(module.lines for module in house):,}")
    print(f"lines of a file      {spread(module.lines for module in house)}   (median / 90 % / longest)")
    print(f"lines of a function  {spread(map(length_of, functions))}")
    print(f"annotated            {typed:.1%} of {len(functions):,} functions")
    print(f"class names used more than once: {', '.join(twice) or 'none'}")
    print(f"templates            {len(templates):>6}   longest line {longest}")
    for part in sorted({module.path.parts[:2] for module in house if len(module.path.parts) > 2}):
        mine = [module for module in house if module.path.parts[:2] == part]
        print(f"  {'/'.join(part):<20} {len(mine):>4} files {sum(module.lines for module in mine):>7,} lines")


if __name__ == "__main__":
    main()
