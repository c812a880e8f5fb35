"""Parts of one amount beside each other, against a limit."""

from collections.abc import Sequence

from apps.charts.figures import figure
from apps.charts.svg import drawing, number, tag, text, title

WIDTH, HEIGHT = 350.0, 74.0
TOP, BAR = 22.0, 26.0


def shares(
    parts: Sequence[tuple[str, float, bool]], limit: float | None, limit_label: str, unit: str, label: str
) -> str:
    """One bar of all parts (label, amount, whether it serves nobody), and the limit as a line with its words."""
    total = sum(amount for _, amount, _ in parts)
    scale = (WIDTH - 4) / (max(total, limit or 0.0) or 1.0)
    marks, x = [], 2.0
    for name, amount, is_idle in parts:
        width = max(amount * scale, 0.0)
        words = f"{name}: {figure(amount)} {unit}".rstrip()
        kind = "bar-part" if is_idle else "bar-in"
        marks.append(tag("rect", title(words), x=x, y=TOP, width=width, height=BAR, class_=kind))
        if width > 7.0 * len(words):
            marks.append(text(words, x + 6, TOP + 17))
        x += width
    if limit is not None:
        at = 2 + limit * scale
        marks.append(
            tag("path", d=f"M{number(at)} {number(TOP - 6)}v{number(BAR + 12)}", class_="limit-line")
        )
        side = "end" if at > WIDTH / 2 else None
        marks.append(text(f"{limit_label} {figure(limit)} {unit}".rstrip(), at, 12, class_=side))
    marks.append(text("0", 2, HEIGHT - 8, class_="t-quiet"))
    marks.append(
        text(
            f"{figure(max(total, limit or 0.0))} {unit}".rstrip(), WIDTH - 2, HEIGHT - 8, class_="t-quiet end"
        )
    )
    return drawing(marks, WIDTH, HEIGHT, label, "drawing shares")
