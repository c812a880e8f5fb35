"""How a figure was computed: the two readings that bound its day, the time between them, and the arithmetic in numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.utils import timezone

from apps.catalog.experience import EXPERIENCE
from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import REDUCTIONS, find_metric, get_metric, hours_of
from apps.charts import figures
from apps.charts.reader import style
from apps.charts.words import capital
from apps.inventory.models import Target
from apps.snapshots.engine.day_readings import window_of
from apps.snapshots.engine.days import day_of
from apps.snapshots.engine.reading_window import ReadingWindow
from apps.snapshots.engine.readings import Shot, Shots
from apps.snapshots.engine.workings import Workings, workings
from apps.snapshots.roll_up import read_shots

MOST = 6  # ingredients written out
AS_IT_STANDS = "It was given for this day, as it stands; nothing was computed."
GONE = "The readings of this day are not kept any more; its figure is."
NOTHING = "This day has no figure, and no readings that would give one."


@dataclass(frozen=True)
class IngredientReading:
    """What was read of one ingredient at both ends of the day; `growth` is their difference where that says something."""

    label: str
    unit: str
    first: str
    last: str
    growth: str


@dataclass
class FigureWorkings:
    """The panel: when was read, what was read, and what was made of it."""

    first_at: str = ""
    last_at: str = ""
    readings: list[IngredientReading] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    formula: str = ""
    steps: list[str] = field(default_factory=list)
    source: str = ""
    help: str = ""


def explain_figure(
    target: Target, metric: Metric, component: str, on: date, stored: float | None = None
) -> FigureWorkings:
    """
    The workings of a day's figure, from the readings themselves.

    `stored` is the figure that the page shows, in the unit of the profile; where the readings give another one, that
    is said. Of a database whose figures are those of its instances there are no readings of its own.
    """
    base = get_metric(metric.base)
    if base.category == EXPERIENCE:
        return FigureWorkings(lines=[AS_IT_STANDS], source=base.source, help=base.help)
    how = FigureWorkings(source=f"{base.source}{f', {base.name}' if base.name else ''}", help=base.help)
    day = day_of(on, target.zone, timezone.now())
    shots = read_shots(target, day)
    bounds = window_of(shots, base, day, find_metric, slot_seconds=target.interval_minutes * 60.0)
    if bounds is None:
        how.lines = [_why_nothing(shots, target, stored)]
        return how
    window, slots = bounds
    ends = _ends(shots, slots, base)
    if ends is not None:
        how.first_at, how.last_at = (_moment(end.captured_at, target) for end in ends)
        how.lines = _elapsed(ends[0], ends[1], len(slots) - 1, target)
    how.lines += carried_over(base, window)
    how.readings = _readings(base, component, shots, slots)
    made = workings(base, component, window, window.components, find_metric, _number)
    _write_out(how, metric, base, made, len(slots) - 1, stored)
    return how


def _why_nothing(shots: Shots, target: Target, stored: float | None) -> str:
    if target.kind == Target.Kind.DATABASE and not shots:
        return "It is computed from the figures of the instances of this database; see theirs."
    if shots:
        return "Only one reading bounds this day, so nothing could be measured over it."
    return NOTHING if stored is None else GONE


def _ends(shots: Shots, slots: Sequence[datetime], metric: Metric) -> tuple[Shot, Shot] | None:
    for key in sorted(metric.ingredients):
        source = find_metric(key)
        read = shots.get(source.category, {}) if source else {}
        if slots[0] in read and slots[-1] in read:
            return read[slots[0]], read[slots[-1]]
    return None


def _readings(
    metric: Metric, component: str, shots: Shots, slots: Sequence[datetime]
) -> list[IngredientReading]:
    rows = []
    for key in sorted(metric.ingredients)[:MOST]:
        source = find_metric(key)
        if source is None or source.category not in shots:
            continue
        read = shots[source.category]
        name = component if source.component_kind else ""
        first, last = (_value(read.get(slot), source, name) for slot in (slots[0], slots[-1]))
        if first is None and last is None and key.startswith("sysstat_"):
            continue
        is_counter = source.kind is Kind.COUNTER
        growth = _number(last - first) if is_counter and first is not None and last is not None else ""
        rows.append(
            IngredientReading(
                f"{source.name or source.label}",
                source.reading_unit or ("" if is_counter else source.unit),
                "" if len(slots) == 1 else _text(first),
                _text(last),
                growth,
            )
        )
    return rows


def _value(shot: Shot | None, metric: Metric, component: str) -> float | None:
    if shot is None:
        return None
    try:
        value = float(shot.values[list(shot.keys).index((metric.key, component))])
    except ValueError:
        return None
    return None if value != value else value


def _text(value: float | None) -> str:
    return "not present" if value is None else _number(value)


def _number(value: float) -> str:
    """All digits of a whole number, nine of another."""
    if value != value:
        return "not known"
    return figures.exact(value) if value != int(value) or abs(value) >= 1e15 else figures.whole(value)


def _moment(moment: datetime | None, target: Target) -> str:
    if moment is None:
        return "not known"
    local = moment.astimezone(target.zone)
    return f"{figures.day_and_year(local.date())} {local:%H:%M:%S}"


def _elapsed(first: Shot, last: Shot, intervals: int, target: Target) -> list[str]:
    seconds = (last.captured_at - first.captured_at).total_seconds()
    if not intervals:
        return []
    many = f", in {figures.whole(intervals)} intervals" if intervals > 1 else ""
    lines = [f"Elapsed: {_number(seconds)} s, that is {figures.seconds_text(seconds)}{many}."]
    if first.identity and last.identity and first.identity != last.identity:
        lines.append("Another instance answered in between: its counters are others.")
    elif (
        first.started_at and last.started_at and abs((last.started_at - first.started_at).total_seconds()) > 2
    ):
        lines.append(f"Restarted at {_moment(last.started_at, target)}: the counters began again there.")
    elif last.started_at is not None:
        lines.append(f"Up since {_moment(last.started_at, target)}: both readings are of the same start-up.")
    return lines


def carried_over(metric: Metric, window: ReadingWindow) -> Iterator[str]:
    """Of what was read over another time than the figure is of: over which, and what was made of it."""
    named: dict[tuple[float, float], list[str]] = {}
    for key in sorted(metric.ingredients):
        source = find_metric(key)
        if source is not None and source.kind is Kind.COUNTER and (lengths := window.carried_over(key)):
            named.setdefault(lengths, []).append(source.name or source.label)
    for (own, common), names in named.items():
        were, their = ("was", "its") if len(names) == 1 else ("were", "their")
        yield (
            f"{capital(', '.join(names))} {were} read over {_number(own)} s:"
            f" {their} growth is carried over to {_number(common)} s at the same rate."
        )


def _write_out(
    how: FigureWorkings, metric: Metric, base: Metric, made: Workings, intervals: int, stored: float | None
) -> None:
    """The formula, the formula with its numbers, and the figure in the unit of the profile."""
    figure = None if made.value != made.value else base.to_display_unit(made.value)
    result = "no figure" if figure is None else f"{_rounded(figure)} {base.display_unit}"
    if made.words:
        how.formula = _in_words(base, made, intervals)
        if made.digits != result:
            how.steps.append(made.digits)
        per_second = base.kind is Kind.COUNTER
        native = f"{base.reading_unit or 'count'}/s" if per_second else base.unit
        rate = _rate(made) if per_second else made.value
        if rate == rate and native != base.display_unit:
            how.steps.append(f"= {_rounded(rate)} {native}")
    else:
        names = ", ".join(
            f"{_name(key)} {_number(value)}" for key, value in made.ingredients.items() if value == value
        )
        how.formula = f"Computed over all its components or intervals together{f', among them {names}' if names else ''}."
    how.steps.append(f"= {result}")
    if metric.reduction:
        how.steps[-1] = f"mean of the day {result}"
        value = "" if stored is None else f": {_rounded(stored)} {metric.display_unit}"
        window = hours_of(metric.key)
        if window is not None:
            what = f"mean of the intervals from {window[0]} to {window[1]} h"
        else:
            what = f"{REDUCTIONS[metric.reduction]} of its {figures.whole(intervals)} intervals"
        how.steps.append(f"{what}{value}")
    elif base.origin.is_maximum and intervals > 1:
        value = "" if stored is None else f": {_rounded(stored)} {base.display_unit}"
        how.steps.append(f"highest of its {figures.whole(intervals)} intervals{value}")
    elif (
        stored is not None
        and figure is not None
        and abs(figure - stored) > 1e-6 * max(abs(figure), abs(stored))
    ):
        how.lines.append(
            f"The figure that is kept is {_rounded(stored)} {base.display_unit}: it was computed from other readings"
            " of this day, or by an earlier formula. manage.py rebuild_figures computes it anew."
        )


def _rate(made: Workings) -> float:
    """Of a counter: growth over seconds, before it is brought into its unit."""
    [growth] = made.ingredients.values()
    return growth / made.seconds if made.seconds else float("nan")


def _in_words(base: Metric, made: Workings, intervals: int) -> str:
    if base.kind is Kind.COUNTER:
        return "growth ÷ elapsed time"
    if base.kind is Kind.RATIO:
        return made.words
    return "the value read last" if intervals <= 1 or "÷" in made.words else "mean by time of what was read"


def _name(key: str) -> str:
    source = find_metric(key)
    return (source.name or source.label) if source else key


def _rounded(value: float) -> str:
    return (
        figures.figure(value)
        if abs(value) >= 0.01 or value == 0
        else style().marked(f"{value:.3g}").replace("-", figures.MINUS)
    )
