"""A judged profile as the table of the page: texts, marks and links, nothing to compute in a template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from apps.catalog.units import convert
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.build import Cell, Presence
from apps.thresholds.judge import JudgedProfile, JudgedRow, State, profile_of
from apps.thresholds.limits import limit_text
from apps.thresholds.models import Threshold, Violation
from apps.web.sparks import sparks

FROM_HOST = "Host"
SUBTITLES = {"Waits": "average wait, cs", "Space": "used"}


@dataclass(frozen=True)
class ShownCell:
    presence: Presence
    text: str
    pad: str
    exact: str
    reason: str
    delta: str = ""
    delta_is_big: bool = False


@dataclass(frozen=True)
class ShownRow:
    statistic: str
    url: str
    klass: str
    unit: str
    then: Sequence[ShownCell]
    today: ShownCell
    spark: str
    threshold: str
    threshold_pad: str
    threshold_url: str
    state: State | None
    state_reason: str
    severity: str
    days_left: str
    days_left_kind: str
    days_left_order: int | None
    greyed: bool


@dataclass(frozen=True)
class ShownSection:
    title: str
    subtitle: str
    rows: Sequence[ShownRow]


@dataclass(frozen=True)
class Horizon:
    key: str
    label: str
    day: str
    fallback: bool
    compare_url: str = ""


@dataclass
class ShownProfile:
    horizons: Sequence[Horizon]
    today_label: str
    sections: list[ShownSection] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)


def show_profile(judged: JudgedProfile, unit_of: Mapping[str, str] | None = None) -> ShownProfile:
    """
    The whole table: the target's own sections, then four rows of the host it runs on.

    `unit_of` replaces units for this reader: {"cs": "ms"} shows average waits in milliseconds.
    """
    judged = in_units(judged, unit_of or {})
    profile = judged.profile
    shown = ShownProfile(
        _horizons(profile.target, profile.anchors, profile.day), figures.short_day(profile.day)
    )
    waits = (unit_of or {}).get("cs", "cs")
    shown.sections += _sections(judged, SUBTITLES | {"Waits": f"average wait, {waits}"})
    host = profile.target.runs_on
    if host is not None:
        beside = profile_of(host, profile.day, only=lambda metric: metric.is_shown_with_guests)
        shown.sections += _sections(beside, {FROM_HOST: host.name}, together=FROM_HOST)
    fallbacks = [horizon for horizon in shown.horizons if horizon.fallback]
    if fallbacks:
        shown.footnotes.append("* Not read on that very day; the nearest earlier day is used.")
    cells = [cell for section in shown.sections for row in section.rows for cell in (*row.then, row.today)]
    if any(cell.presence is Presence.NOT_PRESENT for cell in cells):
        shown.footnotes.append("Not present: read, and the event did not occur.")
    if any(cell.presence is Presence.NO_DATA for cell in cells):
        shown.footnotes.append("No data: not read, or not to be told; the reason is in the cell.")
    return shown


def in_units(judged: JudgedProfile, unit_of: Mapping[str, str]) -> JudgedProfile:
    """The same profile with its rows in other units of the same dimension; changes in percent stay what they are."""
    if not unit_of:
        return judged
    return replace(judged, rows=[_in_unit(row, unit_of.get(row.row.unit, "")) for row in judged.rows])


def _in_unit(judged: JudgedRow, unit: str) -> JudgedRow:
    if not unit:
        return judged
    row = judged.row
    factor = convert(1.0, row.unit, unit)

    def cell(one: Cell) -> Cell:
        return one if one.value is None else replace(one, value=one.value * factor)

    metric = replace(row.metric, shown_in=unit)
    shown = replace(
        row, metric=metric, today=cell(row.today), then={days: cell(one) for days, one in row.then.items()}
    )
    limit = judged.limit
    if (
        limit is not None
        and judged.threshold is not None
        and judged.threshold.figure == Threshold.FigureOf.VALUE
    ):
        low, high = (None if edge is None else edge * factor for edge in (limit.low, limit.high))
        limit = replace(limit, low=low, high=high)
    return replace(judged, row=shown, limit=limit)


def _horizons(target: Target, anchors: Mapping[int, date | None], day: date) -> list[Horizon]:
    found = []
    for days in (90, 30, 7):
        used = anchors[days]
        label = f"−{days}"
        is_fallback = used is not None and (day - used).days != days
        url = ""
        if used is not None:
            days_asked = {"then_first": used, "then_last": used, "first": day, "last": day}
            url = f"{reverse('target_compare', args=[target.pk])}?{urlencode(days_asked)}"
        text = figures.short_day(used) if used else "not read"
        found.append(Horizon(f"-{days}", label, text, is_fallback, url))
    return found


def _sections(judged: JudgedProfile, subtitles: Mapping[str, str], together: str = "") -> list[ShownSection]:
    """The sections of a profile, or all its rows `together` under one title."""
    target, day = judged.profile.target, judged.profile.day
    sections: dict[str, list[JudgedRow]] = {}
    for row in judged.rows:
        sections.setdefault(together or row.row.metric.section, []).append(row)
    drawn = sparks(target, day, judged.rows)
    since = {
        (metric, component): opened_on
        for metric, component, opened_on in Violation.objects.open()
        .filter(target=target, figure=Threshold.FigureOf.VALUE)
        .values_list("metric", "component", "opened_on")
    }
    shown = []
    for title, rows in sections.items():
        pads = _pads(rows)
        of = [_row(row, target, day, drawn[row.row.key], pads, since.get(row.row.key)) for row in rows]
        shown.append(ShownSection(title, subtitles.get(title, ""), of))
    return shown


class Pads(NamedTuple):
    """What each text of a section lacks behind its point, so that decimal points stand under each other."""

    figures: Mapping[str, str]
    limits: Mapping[str, str]


def _pads(rows: Sequence[JudgedRow]) -> Pads:
    texts = [
        figures.figure(cell.value)
        for row in rows
        for cell in (*row.row.then.values(), row.row.today)
        if cell.value is not None
    ]
    limits = [limit_text(row.threshold, row.row.unit) for row in rows if row.threshold is not None]
    return Pads(
        dict(zip(texts, figures.pads(texts), strict=True)),
        dict(zip(limits, figures.pads(limits), strict=True)),
    )


def _row(
    judged: JudgedRow, target: Target, day: date, spark: str, pads: Pads, open_since: date | None
) -> ShownRow:
    row = judged.row
    query = {"component": row.component, "on": day.isoformat()} if row.component else {"on": day.isoformat()}
    left, kind, order = _days_left(judged, day, open_since)
    limit = judged.threshold
    text = limit_text(limit, row.unit) if limit else ""
    return ShownRow(
        statistic=row.component or row.metric.label,
        url=f"{reverse('statistic', args=[target.pk, row.metric.key])}?{urlencode(query)}",
        klass=row.component_class or row.unit,
        unit=row.unit,
        then=[_cell(row.then[days], row.unit, pads.figures) for days in (90, 30, 7)],
        today=_cell(row.today, row.unit, pads.figures),
        spark=spark,
        threshold=text,
        threshold_pad=pads.limits.get(text, ""),
        threshold_url=limit.get_absolute_url() if limit else "",
        state=judged.state,
        state_reason=judged.reason,
        severity=judged.severity,
        days_left=left,
        days_left_kind=kind,
        days_left_order=order,
        greyed=row.is_thin or row.is_partial,
    )


def _days_left(judged: JudgedRow, day: date, open_since: date | None) -> tuple[str, str, int | None]:
    """Text, kind, and what the column is sorted by: the longer over, the less is left."""
    if judged.state is State.VIOLATED and open_since is not None:
        over = (day - open_since).days + 1
        return f"over {over} d", "over", -over
    if judged.outlook is not None:
        return judged.outlook.text, judged.outlook.kind, judged.outlook.days
    return "", "", None


def _cell(cell: Cell, unit: str, pads: Mapping[str, str]) -> ShownCell:
    if cell.presence is Presence.NOT_PRESENT:
        return ShownCell(cell.presence, "Not present", "", "", "", cell.change or "", False)
    if cell.presence is Presence.NO_DATA or cell.value is None:
        return ShownCell(Presence.NO_DATA, "No data", "", "", cell.reason, "–")
    text = figures.figure(cell.value)
    delta = cell.change or ("" if cell.delta is None else figures.delta(cell.delta))
    return ShownCell(
        cell.presence,
        text,
        pads.get(text, ""),
        figures.exact(cell.value, unit),
        cell.reason,
        delta,
        cell.delta is not None and abs(cell.delta) >= 10,
    )
