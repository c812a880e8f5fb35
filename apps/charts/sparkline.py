"""Thirty days and their limit in the height of a row: distance to the line is the message."""

from collections.abc import Collection, Sequence
from typing import Literal

from apps.charts.beyond import Point, find_beyond
from apps.charts.svg import drawing, number, tag

EDGE = 3.0  # room for the dot at the end


def sparkline(
    values: Sequence[float | None],
    limit: float | None = None,
    beyond: Literal["above", "below"] | str = "above",
    label: str = "",
    *,
    state: str = "",
    absent: Collection[int] = (),
    width: int = 112,
    height: int = 18,
) -> str:
    """
    The line of `values`, oldest first, a gap where there is none, the part beyond the limit on top in red.

    `absent` are the positions of the days on which the target was read and the event did not occur.
    `state` colours the dot at the end; without it the dot is red when the last value is beyond the limit.
    """
    figures = [value for value in values if value is not None]
    if not figures and not absent:
        return drawing([], width, height, label, "spark")
    ground = [*figures, *([] if limit is None else [limit])] or [0.0]
    low, high = min(ground), max(ground)
    bottom, top = height - EDGE, EDGE

    def y_of(value: float) -> float:
        return (bottom + top) / 2 if high == low else bottom - (value - low) / (high - low) * (bottom - top)

    step = (width - 2 * EDGE) / max(len(values) - 1, 1)
    runs: list[list[Point]] = [[]]
    for index, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((EDGE + index * step, y_of(value)))
    runs = [run for run in runs if run]

    parts: list[str] = []
    for index in sorted(absent):
        x = EDGE + index * step
        parts.append(tag("path", d=f"M{number(x - 1)} {number(bottom)}h2", class_="spark-absent"))
    if limit is not None:
        y = number(y_of(limit))
        parts.append(tag("path", d=f"M0 {y}H{width}", class_="spark-limit"))
    if runs:
        parts.append(tag("path", d=_path(runs), class_="spark-line"))
    is_over = False
    if limit is not None:
        line = y_of(limit)
        sign = 1 if beyond == "above" else -1
        over = [part for run in runs for part in find_beyond(run, line, sign)]
        if over:
            parts.append(tag("path", d=_path(over), class_="spark-over"))
        is_over = values[-1] is not None and (values[-1] - limit) * sign > 0
    if values and values[-1] is not None:
        x, y_end = runs[-1][-1]
        colour = {"violated": " is-over", "at_risk": " is-risk"}.get(
            state, " is-over" if is_over and not state else ""
        )
        parts.append(tag("circle", cx=x, cy=y_end, r=2.2, class_=f"spark-end{colour}"))
    return drawing(parts, width, height, label, "spark")


def _path(runs: Sequence[Sequence[Point]]) -> str:
    """Each run as a line; a single point as the shortest of lines, which a round cap makes a dot."""
    words = []
    for run in runs:
        points = run if len(run) > 1 else [run[0], (run[0][0] + 0.01, run[0][1])]
        words.append("M" + "L".join(f"{number(x)} {number(y)}" for x, y in points))
    return "".join(words)
