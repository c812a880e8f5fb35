"""Whether forecasts keep their promises: chances against what came, and how far days were off on either side."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.charts.figures import whole
from apps.charts.svg import drawing, number, tag, text, title

WIDTH, HEIGHT = 376.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 42.0, 24.0, 10.0, 34.0
TRUE_WITHIN = 0.12  # of a share: what counts as kept
NEAR_ORIGIN = 0.07
FEW = 20  # below so many a dot is hollow
STEP, FURTHEST = 5, 30  # days of a bar, and of the last ones
BARS = 2 * (FURTHEST // STEP + 1)
BAR_HEIGHT, GAP = 46.0, 18.0


@dataclass(frozen=True)
class ChancePoint:
    """Promises of like chances: their mean chance, how many came of how many, and where the true share lies."""

    chance: float
    came: int
    count: int
    low: float
    high: float


def reliability(points: Sequence[ChancePoint]) -> str:
    """A dot for each group of chances, with its bar; on the diagonal chances are true."""
    parts = [_band()]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(
            tag("path", d=f"M{number(_x(0))} {number(_y(share))}H{number(_x(1))}", class_="grid-line")
        )
        parts.append(text(_percent(share), LEFT - 6, _y(share) + 4, class_="t-quiet end"))
        parts.append(text(_percent(share), _x(share), HEIGHT - BOTTOM + 14, class_="t-quiet mid"))
    parts.append(
        tag(
            "path", d=f"M{number(_x(0))} {number(_y(0))}L{number(_x(1))} {number(_y(1))}", class_="limit-line"
        )
    )
    parts.append(text("came", _x(0) + 5, _y(1) + 12, class_="t-quiet"))
    parts.append(text("chance forecast", _x(1), HEIGHT - 4, class_="t-quiet end"))
    for point in points:
        parts += _dot(point)
    words = "; ".join(f"at {_percent(point.chance)} {_of(point)} came" for point in points)
    return drawing(
        parts, WIDTH, HEIGHT, f"Chances against what came: {words or 'nothing yet'}", "drawing reliability"
    )


def _dot(point: ChancePoint) -> list[str]:
    x, y = _x(point.chance), _y(point.came / point.count)
    is_right = point.chance > 0.8
    lower = (
        -7 if point.chance < NEAR_ORIGIN else 14 if y < HEIGHT / 2 else 4
    )  # labels near the origin stand apart
    return [
        tag(
            "path", d=f"M{number(x)} {number(_y(point.low))}V{number(_y(point.high))}", class_="measure-line"
        ),
        tag(
            "circle",
            title(f"{_of(point)} came, {_percent(point.chance)} in the mean were forecast"),
            cx=x,
            cy=y,
            r=3.5,
            class_="kept-few" if point.count < FEW else "kept-dot",
        ),
        text(
            _of(point),
            x - 8 if is_right else x + 8,
            y + lower,
            class_="end" if is_right else None,
        ),
    ]


def _band() -> str:
    """What counts as true: so many points about the diagonal."""
    low = [(TRUE_WITHIN, 0.0), (1.0, 1 - TRUE_WITHIN)]
    high = [(1.0, 1.0), (1 - TRUE_WITHIN, 1.0), (0.0, TRUE_WITHIN), (0.0, 0.0)]
    corners = "L".join(f"{number(_x(x))} {number(_y(y))}" for x, y in (*low, *high))
    return tag("path", d=f"M{corners}Z", class_="bar-shade")


def days_off(offs: Sequence[tuple[int, int]], line_offs: Sequence[tuple[int, int]]) -> str:
    """How many came so many days early or late, ours above the line of days and those of the straight line below it."""
    own, line = _bins(offs), _bins(line_offs)
    highest = max([*own, *line, 1])
    step, middle = (WIDTH - 4) / BARS, GAP / 2 + BAR_HEIGHT
    height = 2 * BAR_HEIGHT + GAP + 4
    parts = []
    for place, (above, below) in enumerate(zip(own, line, strict=True)):
        x, words = 2 + place * step, _bin_words(place)
        for count, kind in ((above, "bar-in"), (below, "bar-line")):
            size = count / highest * BAR_HEIGHT
            y = middle - GAP / 2 - size if kind == "bar-in" else middle + GAP / 2
            if count:
                hint = title(f"{words}: {whole(count)}{'' if kind == 'bar-in' else ' by the line'}")
                parts.append(
                    tag("rect", hint, x=x + 0.5, y=y, width=step - 1, height=max(size, 1), class_=kind)
                )
    for words, share, css in (
        ("30 d early", 0.0, ""),
        ("on the day", 0.5, " mid"),
        ("30 d late", 1.0, " end"),
    ):
        parts.append(text(words, 2 + share * (WIDTH - 4), middle + 4, class_=f"t-quiet{css}"))
    label = f"Days off of {whole(sum(own))} crossings, and of {whole(sum(line))} by a straight line"
    return drawing(parts, WIDTH, height, label, "drawing days-off")


def _bins(offs: Sequence[tuple[int, int]]) -> list[int]:
    counts = [0] * BARS
    for off, count in offs:
        counts[min(max(off // STEP + BARS // 2, 0), BARS - 1)] += count
    return counts


def _bin_words(place: int) -> str:
    first = (place - BARS // 2) * STEP
    if place in (0, BARS - 1):
        return f"over {FURTHEST} days {'late' if place else 'early'}"
    last = first + STEP - 1
    return f"{first} to {last} days late" if first >= 0 else f"{-last} to {-first} days early"


def _of(point: ChancePoint) -> str:
    return f"{whole(point.came)} of {whole(point.count)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
