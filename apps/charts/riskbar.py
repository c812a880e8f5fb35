"""When a limit is reached, on an axis that all rows of the list share: soonest to latest, likely, and the day to act by."""

from datetime import date, timedelta

from apps.charts.figures import month, short_day
from apps.charts.svg import number, tag, text

WIDTH = 250.0
HEIGHT = 25.0
HORIZON = 90


def _x(day: date, today: date, horizon: int) -> float:
    return min(max((day - today).days, 0), horizon) / horizon * (WIDTH - 8)


def riskbar(
    today: date,
    *,
    state: str,
    soonest: date | None = None,
    likely: date | None = None,
    latest: date | None = None,
    act_by: date | None = None,
    note: str = "",
    horizon: int = HORIZON,
) -> str:
    """Without a day, the note takes the place of the bar. A bar that goes on beyond the axis ends in an arrow head."""
    middle = HEIGHT / 2
    parts = _months(today, horizon, 0, HEIGHT)
    parts.append(tag("path", d=f"M.5 0V{number(HEIGHT)}", class_="risk-now"))
    first = soonest or likely
    if first is None or (first - today).days > horizon:
        if state == "violated":
            parts.append(tag("rect", x=0, y=middle - 4, width=4, height=8, class_="risk-over"))
        parts.append(text(note, 10, middle + 4, class_="t-over" if state == "violated" else None))
        return _draw(parts, note)
    end = latest if latest is not None and (latest - today).days <= horizon else None
    left = _x(first, today, horizon)
    right = _x(end, today, horizon) if end else WIDTH - 8
    parts.append(
        tag(
            "rect",
            x=left,
            y=middle - 4,
            width=max(right - left, 2),
            height=8,
            class_=f"risk-range is-{state}",
        )
    )
    if end is None:
        parts.append(
            tag("path", d=f"M{number(right)} {middle - 4}l6 4l-6 4z", class_=f"risk-range is-{state}")
        )
    if likely is not None and (likely - today).days <= horizon:
        at = _x(likely, today, horizon)
        if act_by is not None:
            begin = _x(act_by, today, horizon)
            parts.append(tag("path", d=f"M{number(begin)} {middle}H{number(at)}", class_="risk-wait"))
            parts.append(tag("path", d=f"M{number(begin)} {middle - 6}v12", class_="risk-act"))
        parts.append(tag("circle", cx=at, cy=middle, r=4.5, class_=f"risk-dot is-{state}"))
    return _draw(parts, _words(soonest, likely, latest, act_by))


def riskbar_axis(today: date, horizon: int = HORIZON) -> str:
    """The head of the column: now, and the months."""
    parts = [text("now", 2, 10)]
    for day in _firsts(today, horizon):
        x = _x(day, today, horizon)
        if 26 < x < WIDTH - 30:
            parts.append(text(month(day), x, 10))
    return _svg(parts, 12, aria_hidden="true")


def _firsts(today: date, horizon: int) -> list[date]:
    days = (today + timedelta(days=offset) for offset in range(1, horizon + 1))
    return [day for day in days if day.day == 1]


def _months(today: date, horizon: int, top: float, bottom: float) -> list[str]:
    return [
        tag(
            "path", d=f"M{number(_x(day, today, horizon))} {number(top)}V{number(bottom)}", class_="grid-line"
        )
        for day in _firsts(today, horizon)
    ]


def _words(soonest: date | None, likely: date | None, latest: date | None, act_by: date | None) -> str:
    pairs = [("soonest", soonest), ("likely", likely), ("latest", latest), ("act by", act_by)]
    return ", ".join(f"{name} {short_day(day)}" for name, day in pairs if day is not None)


def _draw(parts: list[str], label: str) -> str:
    if not label:
        return _svg(parts, HEIGHT, aria_hidden="true")
    return _svg(parts, HEIGHT, role="img", aria_label=label)


def _svg(parts: list[str], height: float, **attributes: str) -> str:
    """A drawing that shrinks where there is less room."""
    box = f"0 0 {number(WIDTH)} {number(height)}"
    return tag("svg", parts, class_="risk-bar", width=WIDTH, height=height, viewBox=box, **attributes)
