"""The life of a violation as one band: a stretch a state, its word and day above or below."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts.figures import short_day
from apps.charts.svg import number, tag, text

WIDTH, HEIGHT = 1100.0, 46.0
STATES = {"predicted", "open", "acknowledged", "in_progress", "resolved", "averted", "accepted", "regression"}


@dataclass(frozen=True)
class StatePeriod:
    """From this day on the violation was in this state."""

    since: date
    state: str


def caseband(stretches: Sequence[StatePeriod], until: date) -> str:
    """Stretches oldest first; words that would collide with the ones before go below the band."""
    if not stretches:
        return ""
    first = stretches[0].since
    whole = max((until - first).days, 1)
    parts: list[str] = []
    ends = {"above": -1.0, "below": -1.0}
    for index, stretch in enumerate(stretches):
        after = stretches[index + 1].since if index + 1 < len(stretches) else until
        x = (stretch.since - first).days / whole * WIDTH
        width = max((after - stretch.since).days / whole * WIDTH, 2.0)
        kind = stretch.state if stretch.state in STATES else "other"
        parts.append(tag("rect", x=x, y=19, width=min(width, WIDTH - x), height=8, class_=f"band-{kind}"))
        parts.append(tag("path", d=f"M{number(min(x + 0.5, WIDTH - 0.5))} 16v14", class_="ink-line"))
        words = f"{stretch.state.replace('_', ' ')} {short_day(stretch.since)}"
        long = len(words) * 6.2
        place = min(ends, key=lambda side: max(ends[side] - x, 0.0))
        at = min(max(x, ends[place]), WIDTH - long)
        if ends[place] <= at < x + 160:
            parts.append(text(words, at, 12 if place == "above" else 42, class_="t-quiet"))
            ends[place] = at + long + 12
    label = ", ".join(
        f"{stretch.state.replace('_', ' ')} {short_day(stretch.since)}" for stretch in stretches
    )
    return tag(
        "svg",
        parts,
        class_="drawing caseband wide-only",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        role="img",
        aria_label=label,
    )
