"""What is known of each day, as one line: measured, brought from elsewhere, known at most, or a gap."""

from collections.abc import Collection, Sequence
from itertools import groupby

from apps.charts.svg import drawing, number, tag

WIDTH, HEIGHT = 320, 14
THICK = 6


def timeline(
    kinds: Sequence[str], label: str, *, marked: Collection[int] = (), horizons: Collection[int] = ()
) -> str:
    """
    A line of one step a day, oldest first: `kinds` name the class of each, empty leaves a gap.

    `marked` are the days of a full upright line, such as restarts, `horizons` those of a dotted one.
    """
    step = WIDTH / max(len(kinds), 1)
    middle = HEIGHT / 2
    parts = [_upright(place * step, "timeline-horizon") for place in sorted(horizons)]
    first = 0
    for kind, days in groupby(kinds):
        count = len(list(days))
        if kind:
            begin, end = number(first * step), number((first + count) * step)
            path = f"M{begin} {number(middle)}H{end}"
            parts.append(tag("path", d=path, class_=f"timeline-{kind}", stroke_width=THICK))
        first += count
    parts += [_upright((place + 0.5) * step, "timeline-mark") for place in sorted(marked)]
    return drawing(parts, WIDTH, HEIGHT, label, "timeline")


def _upright(x: float, css: str) -> str:
    return tag("path", d=f"M{number(x)} 0V{HEIGHT}", class_=css)
