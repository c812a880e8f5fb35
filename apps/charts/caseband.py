"""The life of a case to scale: what was and what is to come on one line, and below it the breach if nothing is done."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape

from apps.charts.figures import short_day
from apps.charts.svg import number, tag, text

WIDTH = 1100.0
BAND, BREACH = 19.0, 74.0  # where the two lines begin, from the top
LETTER = 6.1  # a letter is about so wide
STATES = {"predicted", "open", "acknowledged", "in_progress", "resolved", "averted", "accepted", "regression"}


@dataclass(frozen=True)
class StatePeriod:
    """From this day on the violation was in this state."""

    since: date
    state: str

    @property
    def word(self) -> str:
        return self.state.replace("_", " ")


@dataclass(frozen=True)
class CaseEvent:
    """A day of a case, behind it or to come: a word, and what else is to be said of it."""

    on: date
    word: str
    aside: str = ""

    @property
    def words(self) -> str:
        return f"{self.word} {short_day(self.on)}{f', {self.aside}' if self.aside else ''}"


@dataclass(frozen=True)
class CaseBreach:
    """The days on which the limit is crossed if nothing is done, and the last one to act."""

    likely: date
    soonest: date | None = None
    latest: date | None = None
    act_by: date | None = None

    @property
    def days(self) -> list[date]:
        return [day for day in (self.soonest, self.likely, self.latest, self.act_by) if day is not None]


@dataclass
class _TimeLine:
    """Days as places on the drawing, and which stretches of its lines of words are taken."""

    first: date
    last: date
    width: float
    written: dict[float, list[tuple[float, float]]] = field(default_factory=dict)

    def x(self, day: date) -> float:
        share = (day - self.first).days / max((self.last - self.first).days, 1)
        return min(max(share, 0.0), 1.0) * self.width

    def write(
        self, day: date, word: str, rests: Sequence[str], lines: Sequence[float], css: str = "t-quiet"
    ) -> str:
        """The words at their day, on the first line where they collide with none; the longest of `rests` that fits, or nothing."""
        middle = self.x(day)
        for rest in rests:
            long = len(word + rest) * LETTER
            for y in lines:
                for at in (middle, middle - long):
                    if at < -1 or at + long > self.width + 1 or not self._is_free(at, at + long, y):
                        continue
                    self.written.setdefault(y, []).append((at, at + long))
                    strong = tag("tspan", escape(word), class_="t-strong")
                    is_before = at < middle
                    return tag(
                        "text",
                        f"{strong}{escape(rest)}",
                        x=middle,
                        y=y,
                        class_=f"{css} end" if is_before else css,
                    )
        return ""

    def _is_free(self, begin: float, end: float, y: float) -> bool:
        return all(end + 8 < first or begin > last + 8 for first, last in self.written.get(y, []))


def caseband(
    stretches: Sequence[StatePeriod],
    today: date,
    *,
    events: Sequence[CaseEvent] = (),
    end: CaseEvent | None = None,
    breach: CaseBreach | None = None,
    width: float = WIDTH,
) -> str:
    """
    Stretches oldest first, drawn until `today` or the day the case closed; then dashed to its `end`, if that holds.

    Words that find no place are left to the label of the drawing and to whoever lists the events beside it.
    """
    if not stretches:
        return ""
    days = [
        today,
        *(event.on for event in events),
        *([end.on] if end else []),
        *(breach.days if breach else []),
    ]
    sheet = _TimeLine(stretches[0].since, max(*days, stretches[-1].since), width)
    parts = [*_stretches(sheet, stretches, today), *_ahead(sheet, today, end)]
    began = [CaseEvent(stretch.since, stretch.word) for stretch in stretches]
    marked = [*began, *([end] if end else []), *events]
    parts += _events(sheet, marked)
    if breach is not None:
        parts += _breach(sheet, breach)
    return tag(
        "svg",
        parts,
        class_="drawing caseband",
        viewBox=f"0 0 {number(width)} {number(BREACH + 30 if breach else 46)}",
        role="img",
        aria_label=", ".join(event.words for event in sorted(marked, key=lambda event: event.on)),
    )


def _stretches(sheet: _TimeLine, stretches: Sequence[StatePeriod], today: date) -> Iterable[str]:
    ends = [*(stretch.since for stretch in stretches[1:]), max(today, stretches[-1].since)]
    for stretch, until in zip(stretches, ends, strict=True):
        x = min(sheet.x(stretch.since), sheet.width - 2)
        width = min(max(sheet.x(until) - x, 2.0), sheet.width - x)
        kind = stretch.state if stretch.state in STATES else "other"
        yield tag("rect", x=x, y=BAND, width=width, height=8, class_=f"band-{kind}")


def _ahead(sheet: _TimeLine, today: date, end: CaseEvent | None) -> Iterable[str]:
    """What is to come, as far as anything is known of it."""
    begin, until = sheet.x(today), sheet.x(end.on if end else today)
    if until > begin:
        yield tag("rect", x=begin, y=BAND, width=until - begin, height=8, class_="band-ahead")


def _events(sheet: _TimeLine, events: Iterable[CaseEvent]) -> Iterable[str]:
    for event in events:
        x = min(max(sheet.x(event.on), 0.5), sheet.width - 0.5)
        yield tag("path", d=f"M{number(x)} {number(BAND - 3)}v14", class_="ink-line")
        rests = (event.words.removeprefix(event.word), f" {short_day(event.on)}")
        yield sheet.write(event.on, event.word, rests, (12.0, 42.0))


def _breach(sheet: _TimeLine, breach: CaseBreach) -> Iterable[str]:
    left, right = sheet.x(breach.soonest or breach.likely), sheet.x(breach.latest or sheet.last)
    y = number(BREACH)
    if breach.act_by is not None:
        act = sheet.x(breach.act_by)
        yield tag("path", d=f"M{number(act)} {number(BREACH - 7)}v14", class_="ink-line")
        yield tag("path", d=f"M{number(act)} {y}H{number(left)}", class_="risk-wait")
        yield sheet.write(
            breach.act_by, "act by", (f" {short_day(breach.act_by)}",), (BREACH - 10, BREACH + 20)
        )
    yield tag(
        "path",
        d=f"M{number(left)} {number(BREACH - 4)}v8M{number(left)} {y}H{number(right)}",
        class_="breach-line",
    )
    if breach.latest is not None:
        yield tag("path", d=f"M{number(right)} {number(BREACH - 4)}v8", class_="breach-line")
    yield tag("circle", cx=sheet.x(breach.likely), cy=BREACH, r=4.5, class_="risk-dot is-at_risk")
    for word, day in (("likely", breach.likely), ("soonest", breach.soonest), ("latest", breach.latest)):
        if day is not None:
            yield sheet.write(day, word, (f" {short_day(day)}",), (BREACH + 20, BREACH - 10), "t-risk")
    room = min(left, sheet.x(breach.act_by) if breach.act_by else left)
    words = "if nothing is done"
    if room > len(words) * LETTER + 8:
        yield text(words, room - 8, BREACH + 4, class_="t-risk end")
