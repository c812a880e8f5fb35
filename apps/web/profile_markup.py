"""The rows of the profile's table as markup: hundreds of cells a page, written by functions and not by a template."""

from collections.abc import Iterator
from html import escape

from django.utils.safestring import SafeString, mark_safe

from apps.charts.figures import MISSING
from apps.snapshots.presence import Presence
from apps.web.cells import state
from apps.web.profile_table import ShownCell, ShownRow, ShownSection

DAYS_LEFT_CSS = {"risk": "c-risk strong", "over": "c-over", "closing": "c-closing"}


def write_rows(section: ShownSection) -> SafeString:
    """The rows of a section; the first holds the name of the section."""
    lines = []
    for number, row in enumerate(section.rows):
        cells = "".join(_cells(row))
        css = ' class="is-greyed"' if row.greyed else ""
        lines.append(f"<tr{css}>{'' if number else _section_name(section)}{cells}</tr>")
    return mark_safe("\n".join(lines))


def _section_name(section: ShownSection) -> str:
    aside = f"<span>{escape(section.subtitle)}</span>" if section.subtitle else ""
    return f'<th scope="rowgroup" class="section-name" rowspan="{len(section.rows)}">{escape(section.title)}{aside}</th>'


def _cells(row: ShownRow) -> Iterator[str]:
    yield _name(row)
    other_unit = f", {row.unit}" if row.unit and row.unit != row.klass else ""
    yield f'<td class="klass c-class" title="{escape(row.klass + other_unit)}">{escape(row.klass)}</td>'
    for number, cell in enumerate(row.then):
        big = " is-big" if cell.delta_is_big else ""
        yield f'<td class="num then h-{number}">{write_cell(cell)}</td>'
        yield f'<td class="num d delta h-{number}{big}">{escape(cell.delta or MISSING)}</td>'
    state_css = f" is-{row.state}" if row.state else ""
    yield f'<td class="num today{state_css}">{write_cell(row.today)}</td>'
    yield f'<td class="spark-cell c-spark">{row.spark}</td>'
    yield f'<td class="num limit c-limit">{_limit(row)}</td>'
    yield f'<td class="state-cell">{state(row.state, row.state_reason)}{_days_left_on_a_phone(row)}</td>'
    order = "" if row.days_left_order is None else row.days_left_order
    css = DAYS_LEFT_CSS.get(row.days_left_kind, "c-far")
    yield f'<td data-v="{order}" class="num left c-left {css}">{escape(row.days_left or MISSING)}</td>'


def _name(row: ShownRow) -> str:
    name = escape(row.statistic)
    unit = f' data-unit="{escape(row.unit)}"' if row.unit == row.klass else ""
    link = f'<a class="name" href="{escape(row.url)}" title="{name}"{unit}><span>{name}</span></a>'
    return f'<th scope="row" class="statistic">{link}</th>'


def write_cell(cell: ShownCell) -> str:
    """One figure with its exact value as the tooltip, or in words why there is none."""
    if cell.presence is Presence.NOT_PRESENT:
        return '<span class="absent">Not present</span>'
    if cell.presence.is_unknown:
        return f'<span class="unread" title="{escape(cell.reason)}"><span>{cell.presence.words}</span></span>'
    source = f"from {cell.source}" if cell.source else ""
    tooltip = "; ".join(filter(None, (cell.exact, cell.reason, source))) if cell.exact else ""
    title = f' title="{escape(tooltip)}"' if tooltip else ""
    pad = f' data-p="{escape(cell.pad)}"' if cell.pad else ""
    mark = f'<sup class="length-mark">{escape(cell.mark)}</sup>' if cell.mark else ""
    css = ' class="is-imported"' if cell.source else ' class="is-mean"' if cell.is_mean else ""
    return f"<span{css}{title}{pad}>{escape(cell.text)}{mark}</span>"


def _limit(row: ShownRow) -> str:
    if not row.threshold:
        return '<span class="muted">none</span>'
    title = f' title="{escape(row.severity)}"' if row.severity else ""
    pad = f' data-p="{escape(row.threshold_pad)}"' if row.threshold_pad else ""
    note = '<span class="sub">move it</span>' if row.threshold_note else ""
    return f'<a href="{escape(row.threshold_url)}"{title}{pad}>{escape(row.threshold)}</a>{note}'


def _days_left_on_a_phone(row: ShownRow) -> str:
    return (
        f' <span class="left-phone" aria-hidden="true">{escape(row.days_left)}</span>'
        if row.days_left
        else ""
    )
