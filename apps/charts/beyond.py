"""The parts of a line that lie beyond a limit."""

from collections.abc import Sequence

Point = tuple[float, float]


def find_beyond(run: Sequence[Point], line: float, sign: int) -> list[list[Point]]:
    """The stretches of a run on the far side of the limit, cut where they cross it; y grows downwards."""
    stretches: list[list[Point]] = []
    current: list[Point] = []
    for index, point in enumerate(run):
        is_far = (line - point[1]) * sign > 0
        if index:
            before = run[index - 1]
            was_far = (line - before[1]) * sign > 0
            if is_far != was_far and point[1] != before[1]:
                share = (line - before[1]) / (point[1] - before[1])
                cut = (before[0] + share * (point[0] - before[0]), line)
                current.append(cut)
                if was_far:
                    stretches.append(current)
                    current = []
        if is_far:
            current.append(point)
    if current:
        stretches.append(current)
    return stretches
