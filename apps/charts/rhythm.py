"""The pattern of a week or a day: a bar for each median, a line from the lower to the upper quarter."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.charts.bars import ticks
from apps.charts.figures import figure
from apps.charts.svg import number, tag, text, title

HEIGHT = 170.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 6.0, 18.0, 22.0


@dataclass(frozen=True)
class Slot:
    """One bar: its name below, its median and quarters; None where too few figures are known."""

    name: str
    median: float | None
    low: float | None
    high: float | None
    text: str = ""  # what hovering says


def rhythm(slots: Sequence[Slot], label: str, *, width: float = 520.0, named_every: int = 1) -> str:
    """The drawing; medians stand above their bars where there is room for all of them."""
    bounds = [value for slot in slots for value in (slot.median, slot.low, slot.high) if value is not None]
    if not bounds:
        return ""
    low, high = min(0.0, *bounds), max(0.0, *bounds)
    room = (high - low) * 0.08 or 1.0
    low, high = (low - room if low < 0 else 0.0), high + room
    step = (width - LEFT - RIGHT) / len(slots)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for tick in ticks(low, high, 3):
        parts.append(
            tag("path", d=f"M{number(LEFT)} {number(y_of(tick))}H{number(width - RIGHT)}", class_="grid-line")
        )
        parts.append(text(figure(tick), LEFT - 6, y_of(tick) + 4, class_="t-quiet end"))
    zero = y_of(0.0)
    for at, slot in enumerate(slots):
        x = LEFT + at * step
        if at % named_every == 0:
            parts.append(text(slot.name, x + step / 2, HEIGHT - 6, class_="t-quiet mid"))
        if slot.median is None or slot.low is None or slot.high is None:
            continue
        y = y_of(slot.median)
        parts.append(
            tag(
                "rect",
                title(slot.text),
                x=x + step * 0.16,
                y=min(y, zero),
                width=step * 0.68,
                height=max(abs(zero - y), 0.75),
                class_="bar-in",
            )
        )
        middle = number(x + step / 2)
        parts.append(
            tag(
                "path",
                d=f"M{middle} {number(y_of(slot.low))}V{number(y_of(slot.high))}",
                class_="spread-line",
            )
        )
        if step >= 34:
            top = min(y_of(slot.high), y, zero)
            parts.append(text(figure(slot.median), x + step / 2, top - 5, class_="mid"))
    parts.append(tag("path", d=f"M{number(LEFT)} {number(zero)}H{number(width - RIGHT)}", class_="axis-line"))
    return tag(
        "svg",
        parts,
        class_="drawing rhythm",
        viewBox=f"0 0 {number(width)} {number(HEIGHT)}",
        role="img",
        aria_label=label,
    )
