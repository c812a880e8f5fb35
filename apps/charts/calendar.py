"""A count a day, a week a column, Monday on top; the count is printed in its cell."""

from collections.abc import Mapping
from datetime import date, timedelta

from apps.charts.figures import short_day
from apps.charts.reader import style
from apps.charts.svg import drawing, number, tag, text, title

WIDTH = 430.0
LEFT, TOP = 36.0, 18.0
CELL_HEIGHT = 30.25
GAP = 1.5


def calendar(
    counts: Mapping[date, int | None],
    today: date,
    label: str = "Violations open, by day; the table has the same figures",
) -> str:
    """Days without a count (None) are hatched: nothing was read. Deeper red is more, by quarters of the most."""
    if not counts:
        return drawing([], WIDTH, TOP, label, "drawing calendar")
    first = min(counts) - timedelta(days=min(counts).weekday())
    weeks = (max(counts) - first).days // 7 + 1
    step = (WIDTH - LEFT) / max(weeks, 8)
    most = max((count for count in counts.values() if count), default=0)
    line = tag("path", d="M0 5L5 0", class_="hatch-line")
    pattern = tag("pattern", line, id="hatch-days", width=5, height=5, patternUnits="userSpaceOnUse")
    parts = [tag("defs", pattern)]
    names = style().names
    for row, name in enumerate(names.short_weekdays):
        parts.append(text(name, 0, TOP + row * CELL_HEIGHT + CELL_HEIGHT / 2 + 3, class_="t-quiet"))
    previous = 0
    for week in range(weeks):
        monday = first + timedelta(days=7 * week)
        if monday.month != previous and (week == 0 or monday.day <= 7):
            parts.append(text(names.short_months[monday.month - 1], LEFT + week * step, 11, class_="t-quiet"))
            previous = monday.month
    for day, count in sorted(counts.items()):
        week, row = divmod((day - first).days, 7)
        parts.append(_day(day, count, most, LEFT + week * step, TOP + row * CELL_HEIGHT, step, day == today))
    height = TOP + 7 * CELL_HEIGHT
    return tag(
        "svg",
        parts,
        class_="drawing calendar",
        viewBox=f"0 0 {number(WIDTH)} {number(height)}",
        role="img",
        aria_label=label,
    )


def _level(count: int, most: int) -> int:
    """0 for none, else the quarter of the most that the count is in."""
    return 0 if not count or not most else min(4, -(-4 * count // most))


def _day(day: date, count: int | None, most: int, x: float, y: float, step: float, is_today: bool) -> str:
    width, height = step - GAP, CELL_HEIGHT - GAP

    def box(class_: str | None = None, fill: str | None = None) -> str:
        return tag("rect", x=x, y=y, width=width, height=height, class_=class_, fill=fill)

    if count is None:
        parts = [title(f"{short_day(day)}: not read"), box("day-0"), box(fill="url(#hatch-days)")]
    else:
        parts = [title(f"{short_day(day)}: {count} open"), box(f"day-{_level(count, most)}")]
        parts.append(text(str(count), x + width / 2, y + CELL_HEIGHT / 2 + 3, class_="mid"))
    if is_today:
        parts.append(box("day-today"))
    return tag("g", parts)
