"""A judged profile as the table of the page: texts, marks and links, nothing to compute in a template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from apps.catalog.units import convert
from apps.charts import figures
from apps.charts.words import count
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.profile import ProfileOutlook, RowKey
from apps.profiles.build import ProfileCell, ProfileRow
from apps.profiles.means_since_start import MeanSinceStart
from apps.snapshots.presence import Presence
from apps.thresholds.judge import FigureState, JudgedProfile, JudgedRow
from apps.thresholds.limits import limit_text
from apps.thresholds.models import Threshold
from apps.thresholds.register import no_limit_because
from apps.web.common_window import window_sentence
from apps.web.sparklines import sparks

FROM_HOST = "Host"


@dataclass(frozen=True)
class ShownCell:
    presence: Presence
    text: str
    pad: str
    exact: str
    reason: str
    delta: str = ""
    delta_is_big: bool = False
    mark: str = ""  # that the figure is not of a day as others are
    source: str = ""  # where it comes from, if not from readings
    is_mean: bool = False  # the mean since start-up, in the place of a figure


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
    threshold_note: str
    state: FigureState | None
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
    missing: Sequence[str] = ()


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


def show_profile(
    looked: ProfileOutlook, of_host: ProfileOutlook | None = None, unit_of: Mapping[str, str] | None = None
) -> ShownProfile:
    """
    The whole table: the target's own sections, then what guests show of the host they run on.

    `unit_of` replaces units for this reader: {"cs": "ms"} shows average waits in milliseconds.
    """
    judged = in_units(looked.judged, unit_of or {})
    profile = judged.profile
    table = ShownProfile(
        _horizons(profile.target, profile.anchors, profile.day), figures.short_day(profile.day)
    )
    table.sections += _sections(judged, looked.outlooks, _subtitles(judged.rows))
    compared = list(judged.rows)
    if of_host is not None:
        host = of_host.judged.profile.target
        of_host_by_day = name_days(of_host.judged, profile.anchors)
        table.sections += _sections(of_host_by_day, of_host.outlooks, {FROM_HOST: host.name}, FROM_HOST) or [
            ShownSection(FROM_HOST, host.name, (), [_why_no_host(of_host, host)])
        ]
        compared += of_host_by_day.rows
        table.footnotes.append(window_sentence(profile.target, host, [profile.day]))
    fallbacks = [horizon for horizon in table.horizons if horizon.fallback]
    if fallbacks:
        table.footnotes.append("* Not read on that very day; the nearest earlier day is used.")
    cells = [cell for section in table.sections for row in section.rows for cell in (*row.then, row.today)]
    if any(cell.presence is Presence.NOT_PRESENT for cell in cells):
        table.footnotes.append("Not present: read, and the event did not occur.")
    if any(cell.presence is Presence.NO_DATA for cell in cells):
        table.footnotes.append("No data: not read, or it cannot be said; the reason is in the cell.")
    if any(cell.presence is Presence.NOT_MEASURABLE for cell in cells):
        table.footnotes.append(
            "Not measurable: this way of reading does not have it; the cell says what would."
        )
    table.footnotes += _lengths([row.row for row in compared])
    if (means := next((cell for cell in cells if cell.is_mean), None)) is not None:
        table.footnotes.append(f"In italics: {means.reason.partition(';')[0]}; no day is compared with it.")
    sources = dict.fromkeys(cell.source for cell in cells if cell.source)
    if sources:
        table.footnotes.append(f"Underlined: not read by Headroom, but from {' and '.join(sources)}.")
    rows = [row for section in table.sections for row in section.rows]
    table.footnotes += dict.fromkeys(row.threshold_note for row in rows if row.threshold_note)
    return table


def _why_no_host(of_host: ProfileOutlook, host: Target) -> str:
    words = of_host.unread.because if of_host.unread is not None else "has no figures of this day"
    return f"No data: {host.name} {words}."


def name_days(judged: JudgedProfile, heads: Mapping[int, date | None]) -> JudgedProfile:
    """The same profile below the heads of another target's: a figure of another day than its head says so."""
    name = judged.profile.target.name
    return replace(judged, rows=[_name_days_of_row(row, name, heads) for row in judged.rows])


def _name_days_of_row(judged: JudgedRow, name: str, heads: Mapping[int, date | None]) -> JudgedRow:
    then = {horizon: _name_day(cell, name, heads[horizon]) for horizon, cell in judged.row.then.items()}
    return replace(judged, row=replace(judged.row, then=then))


def _name_day(cell: ProfileCell, name: str, head: date | None) -> ProfileCell:
    if cell.day is None or cell.day == head:
        return cell
    words = f"figures of {name} are of {figures.short_day(cell.day)}"
    if head is not None:
        words += f", not {figures.short_day(head)}"
    length, reason = ("; ".join(filter(None, (note, words))) for note in (cell.length, cell.reason))
    return replace(cell, length=length, reason=reason)


def _lengths(rows: Sequence[ProfileRow]) -> list[str]:
    """What the mark of figures means that were not measured over a day, a note for each day."""
    notes = [
        f"† {figures.short_day(cell.day)}: {cell.length}."
        for row in rows
        for cell in (*row.then.values(), row.today)
        if cell.length and cell.day is not None
    ]
    return list(dict.fromkeys(notes))[:8]


def _subtitles(rows: Sequence[JudgedRow]) -> dict[str, str]:
    """What is measured in the sections whose rows say only of what: "used", "average wait, cs"."""
    metrics = [judged.row.metric for judged in rows]
    declared = {metric.section.title: metric.section.subtitle for metric in metrics}
    named = [metric for metric in metrics if metric.display.noun]
    return declared | {metric.section.title: f"{metric.label}, {metric.display_unit}" for metric in named}


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

    def convert_cell(cell: ProfileCell) -> ProfileCell:
        if cell.mean is not None:
            return replace(cell, mean=replace(cell.mean, value=cell.mean.value * factor))
        return cell if cell.value is None else replace(cell, value=cell.value * factor)

    metric = replace(row.metric, display=replace(row.metric.display, unit=unit))
    converted = replace(
        row,
        metric=metric,
        today=convert_cell(row.today),
        then={days: convert_cell(cell) for days, cell in row.then.items()},
    )
    limit = judged.limit
    if (
        limit is not None
        and judged.threshold is not None
        and judged.threshold.figure == Threshold.FigureOf.VALUE
    ):
        low, high = (None if edge is None else edge * factor for edge in (limit.low, limit.high))
        limit = replace(limit, low=low, high=high)
    return replace(judged, row=converted, limit=limit)


def _horizons(target: Target, anchors: Mapping[int, date | None], day: date) -> list[Horizon]:
    horizons = []
    for days in (90, 30, 7):
        used = anchors[days]
        label = f"−{days}"
        is_fallback = used is not None and (day - used).days != days
        url = ""
        if used is not None:
            days_asked = {"then_first": used, "then_last": used, "first": day, "last": day}
            url = f"{reverse('target_compare', args=[target.pk])}?{urlencode(days_asked)}"
        text = figures.short_day(used) if used else "not read"
        horizons.append(Horizon(f"-{days}", label, text, is_fallback, url))
    return horizons


def _sections(
    judged: JudgedProfile,
    outlooks: Mapping[RowKey, Outlook],
    subtitles: Mapping[str, str],
    together: str = "",
) -> list[ShownSection]:
    """The sections of a profile, or all its rows `together` under one title."""
    target, day = judged.profile.target, judged.profile.day
    sections: dict[str, list[JudgedRow]] = {}
    for row in judged.rows:
        sections.setdefault(together or row.row.metric.section.title, []).append(row)
    sparklines = sparks(target, day, judged.rows)
    missing: dict[str, list[str]] = {}
    for section in judged.profile.sections:
        missing.setdefault(together or section.title, []).extend(section.missing)
        if section.missing:
            sections.setdefault(together or section.title, [])
    table_sections = []
    for title, rows in sections.items():
        pads = _pads(rows)
        of = [
            _row(row, target, day, sparklines[row.row.key], pads, outlooks.get(row.row.key)) for row in rows
        ]
        table_sections.append(
            ShownSection(title, subtitles.get(title, ""), of, list(dict.fromkeys(missing.get(title, []))))
        )
    return table_sections


class Pads(NamedTuple):
    """What each text of a section lacks behind its point, so that decimal points stand under each other."""

    figures: Mapping[str, str]
    limits: Mapping[str, str]


def _pads(rows: Sequence[JudgedRow]) -> Pads:
    cells = [cell for row in rows for cell in (*row.row.then.values(), row.row.today)]
    texts = [figures.figure(cell.value) for cell in cells if cell.value is not None]
    texts += [figures.figure(cell.mean.value) for cell in cells if cell.mean is not None]
    limits = [limit_text(row.threshold, row.row.unit) for row in rows if row.threshold is not None]
    return Pads(
        dict(zip(texts, figures.pads(texts), strict=True)),
        dict(zip(limits, figures.pads(limits), strict=True)),
    )


def _row(
    judged: JudgedRow, target: Target, day: date, spark: str, pads: Pads, outlook: Outlook | None
) -> ShownRow:
    row = judged.row
    query = {"component": row.component, "on": day.isoformat()} if row.component else {"on": day.isoformat()}
    left, kind, order = _days_left(outlook)
    limit = judged.threshold
    text = limit_text(limit, row.unit) if limit else ""
    return ShownRow(
        statistic=row.metric.called(row.component),
        url=f"{address('statistic', target.pk, row.metric.key)}?{urlencode(query)}",
        klass=row.component_class or row.unit,
        unit=row.unit,
        then=[
            _cell(row.then[days], row.unit, pads.figures, is_percent=row.metric.is_percent)
            for days in (90, 30, 7)
        ],
        today=_cell(row.today, row.unit, pads.figures),
        spark=spark,
        threshold=text,
        threshold_pad=pads.limits.get(text, ""),
        threshold_url=limit.get_absolute_url() if limit else "",
        threshold_note=no_limit_because(row.metric) if limit else "",
        state=judged.state,
        state_reason=judged.reason,
        severity=judged.severity,
        days_left=left,
        days_left_kind=kind,
        days_left_order=order,
        greyed=row.is_thin or row.is_partial,
    )


def _days_left(outlook: Outlook | None) -> tuple[str, str, int | None]:
    """Text, kind, and what the column is sorted by: the longer over, the less is left."""
    if outlook is None:
        return "", "", None
    over = outlook.days_over
    return *outlook.days_left_words, outlook.days_left if over is None else -over


def change_text(cell: ProfileCell, *, is_percent: bool) -> str:
    """How the figure of an earlier day changed until today: percent, points of what is in percent, "new" or "gone"."""
    if cell.presence.is_unknown:
        return figures.MISSING
    if cell.change or cell.delta is None or cell.presence is Presence.NOT_PRESENT:
        return cell.change
    return f"{figures.delta(cell.delta)}{figures.SPACE}pt" if is_percent else figures.delta(cell.delta)


def _mean_cell(mean: MeanSinceStart, reason: str, unit: str, pads: Mapping[str, str]) -> ShownCell:
    """A mean since start-up in the place of a figure; nothing is compared with it."""
    text, words = figures.figure(mean.value), f"mean since start-up, {count(mean.days, 'day')}; {reason}"
    exact = figures.exact(mean.value, unit)
    return ShownCell(Presence.PRESENT, text, pads.get(text, ""), exact, words, figures.MISSING, is_mean=True)


def _cell(cell: ProfileCell, unit: str, pads: Mapping[str, str], *, is_percent: bool = False) -> ShownCell:
    delta = change_text(cell, is_percent=is_percent)
    if cell.presence is Presence.NOT_PRESENT:
        return ShownCell(cell.presence, cell.presence.words, "", "", "", delta)
    if cell.mean is not None:
        return _mean_cell(cell.mean, cell.reason, unit, pads)
    if cell.value is None:
        return ShownCell(cell.presence, cell.presence.words, "", "", cell.reason, delta)
    text = figures.figure(cell.value)
    bound, of_bound = ("≤", "≥") if cell.is_at_most else ("", "")
    return ShownCell(
        cell.presence,
        f"{bound}{text}",
        pads.get(text, ""),
        figures.exact(cell.value, unit),
        cell.length or cell.reason,
        f"{of_bound}{delta}" if cell.delta is not None else delta,
        cell.delta is not None and abs(cell.delta) >= 10,
        "†" if cell.length else "",
        cell.source,
    )
