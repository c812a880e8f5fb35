"""How a figure was computed: the two readings that bound its day, the time between them, and the arithmetic."""

from datetime import UTC, date, datetime
from typing import Any

from django.utils import timezone

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import get_metric
from apps.charts import figures
from apps.inventory.models import Target
from apps.snapshots.days import bounds, day_of
from apps.snapshots.figures import Shot, ingredients
from apps.snapshots.roll_up import known_metric, read_shots

MOST = 6  # ingredients written out


def how_computed(target: Target, metric: Metric, component: str, on: date) -> dict[str, Any]:
    """Lines of explanation and the readings themselves, each with its moment; empty readings once they were dropped."""
    base = get_metric(metric.key.partition(":")[0])
    keys, is_over_time = ingredients(base)
    day = day_of(on, target.zone, timezone.now())
    shots = read_shots(target, day)
    readings: list[dict[str, str]] = []
    lines: list[str] = []
    for key in sorted(keys)[:MOST]:
        source = known_metric(key)
        if source is None or source.category not in shots:
            continue
        read = sorted(shots[source.category].items())
        limits = bounds([shot.captured_at for _, shot in read], day)
        if limits is None:
            continue
        ends = (
            [read[limits.last][1]] if limits.first is None else [read[limits.first][1], read[limits.last][1]]
        )
        name = component if source.component_kind else ""
        readings += [_reading(source, name, shot) for shot in ends]
        if not lines and len(ends) == 2:
            lines = _elapsed(ends[0], ends[1], len(read) - 1 if len(read) > 2 else 1)
    if not readings:
        lines = ["The readings of this day are not kept any more; its figure is."]
    return {
        "lines": lines,
        "readings": readings,
        "arithmetic": _arithmetic(metric, is_over_time),
        "source": f"{base.source}{f', {base.name}' if base.name else ''}",
        "help": base.help,
    }


def _reading(metric: Metric, component: str, shot: Shot) -> dict[str, str]:
    try:
        value = float(shot.values[list(shot.keys).index((metric.key, component))])
        text = figures.exact(value, metric.reading_unit or metric.unit)
    except ValueError:
        text = "not present"
    label = f"{metric.name or metric.label}{f' of {component}' if component else ''}"
    return {"label": label, "value": text, "moment": _moment(shot.captured_at)}


def _moment(moment: datetime | None) -> str:
    return f"{moment.astimezone(UTC):%-d %b %Y %H:%M:%S} UTC" if moment else "not known"


def _elapsed(first: Shot, last: Shot, intervals: int) -> list[str]:
    seconds = (last.captured_at - first.captured_at).total_seconds()
    lines = [
        f"Elapsed: {figures.whole(seconds)} s = {figures.figure(seconds / 3600)} hours, in {figures.whole(intervals)} interval{'s' if intervals > 1 else ''}."
    ]
    if first.started_at != last.started_at:
        lines.append(f"Restarted at {_moment(last.started_at)}: the counters count from there.")
    elif last.started_at is not None:
        lines.append(f"Up since {_moment(last.started_at)}: both readings are of the same start-up.")
    return lines


def _arithmetic(metric: Metric, is_over_time: bool) -> str:
    if metric.kind is Kind.COUNTER:
        return f"(later − earlier) ÷ elapsed, in {metric.display_unit}"
    if metric.kind is Kind.RATIO:
        return "a ratio of the differences of the day" if is_over_time else "a ratio of the values read last"
    return f"the value read last, in {metric.display_unit}"
