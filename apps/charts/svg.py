"""The few words of SVG that the charts share."""

from collections.abc import Iterable
from html import escape

Attribute = str | float | None


def number(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def tag(name: str, content: Iterable[str] | str = "", **attributes: Attribute) -> str:
    """An element; `_` in the name of an attribute stands for `-`, `class_` for `class`, and None leaves it out."""
    words = []
    for key, value in attributes.items():
        if value is None:
            continue
        text = escape(value) if isinstance(value, str) else number(value)
        words.append(f' {key.rstrip("_").replace("_", "-")}="{text}"')
    inside = content if isinstance(content, str) else "".join(content)
    return f"<{name}{''.join(words)}>{inside}</{name}>" if inside else f"<{name}{''.join(words)}/>"


def text(content: str, x: float, y: float, **attributes: Attribute) -> str:
    return tag("text", escape(content), x=x, y=y, **attributes)


def title(content: str) -> str:
    """What hovering says; names come from people, so it is escaped as every text is."""
    return tag("title", escape(content))


def drawing(content: Iterable[str], width: float, height: float, label: str, class_: str) -> str:
    """A drawing that assistive technology reads as one image named by `label`, or skips when there is no label."""
    return tag(
        "svg",
        content,
        class_=class_,
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img" if label else None,
        aria_label=label or None,
        aria_hidden=None if label else "true",
        focusable="false",
    )
