"""
Keep of bootstrap.min.css what our pages can meet: rules without a class, those of the classes named here, and the
variables that these rules or our own style sheets read.

    python only_used.py <bootstrap.min.css> <where it goes>
"""

import re
import sys
from pathlib import Path

OUR_SHEETS = Path(__file__).parents[2] / "css"
DECLARED = re.compile(r"(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=\}))")
CLASSES = {"btn", "btn-primary", "form-control", "form-select", "form-check-input", "is-invalid"}


def rules(css: str) -> list[str]:
    """The rules and at-rules of one level, each with its braces."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(css):
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        if (letter == "}" and not depth) or (letter == ";" and not depth):
            found.append(css[start : place + 1])
            start = place + 1
    return found


def kept(rule: str) -> str:
    """The rule with the selectors that can match, or nothing."""
    head, brace, rest = rule.partition("{")
    if not brace:
        return rule
    if head.startswith(("@media", "@supports")):
        inside = "".join(kept(one) for one in rules(rest[:-1]))
        return f"{head}{{{inside}}}" if inside else ""
    if head.startswith("@"):
        return ""
    matching = [one for one in selectors(head) if classes_of(one) <= CLASSES]
    return f"{','.join(matching)}{{{rest}" if matching else ""


def classes_of(selector: str) -> set[str]:
    """The classes that a selector asks for; not those it asks to be absent."""
    return set(re.findall(r"\.(-?[A-Za-z_][\w-]*)", re.sub(r":not\([^()]*\)", "", selector)))


def selectors(head: str) -> list[str]:
    """A list of selectors, parted at the commas outside brackets."""
    return re.findall(r"(?:\([^()]*\)|\[[^\]]*\]|[^,(\[])+", head)


def without_unread_variables(css: str, others: str) -> str:
    """The rules without the variables that neither they nor other sheets read, nor those that only such ones read."""
    read = set(re.findall(r"var\((--[\w-]+)", css + others))
    shorter = DECLARED.sub(lambda declared: declared[0] if declared[1] in read else "", css)
    return css if shorter == css else without_unread_variables(shorter, others)


def main() -> None:
    css = Path(sys.argv[1]).read_text()
    licence = css[: css.index("*/") + 2] if css.startswith(("/*", "@charset")) else ""
    body = re.sub(r"/\*.*?\*/", "", css.replace('@charset "UTF-8";', ""), flags=re.DOTALL).strip()
    used = "".join(kept(one) for one in rules(body))
    ours = "".join(sheet.read_text() for sheet in OUR_SHEETS.glob("*.css"))
    Path(sys.argv[2]).write_text(f"{licence}\n{without_unread_variables(used, ours)}\n")


if __name__ == "__main__":
    main()
