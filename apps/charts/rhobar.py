"""A correlation as a short bar from the middle: to the right together, to the left against each other."""

from apps.charts.svg import drawing, number, tag

WIDTH, HEIGHT = 84.0, 10.0


def rhobar(rho: float) -> str:
    """`rho` from −1 to 1; the figure itself stands beside it, so the drawing needs no name."""
    middle = WIDTH / 2
    length = min(abs(rho), 1.0) * (middle - 1)
    return drawing(
        [
            tag("path", d=f"M{number(middle)} 0V{number(HEIGHT)}", class_="axis-line"),
            tag(
                "rect",
                x=middle if rho >= 0 else middle - length,
                y=1.5,
                width=max(length, 0.75),
                height=HEIGHT - 3,
                class_="bar-in",
            ),
        ],
        WIDTH,
        HEIGHT,
        "",
        "rho-bar",
    )
