"""Figures, states, icons and form fields for the templates."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from django import template
from django.forms import BoundField, CheckboxInput, RadioSelect, Select, Textarea
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.charts import figures
from apps.charts.reader import style
from apps.charts.riskbar import riskbar_axis
from apps.web.cells import STATES, icon, state
from apps.web.profile_markup import write_rows

register = template.Library()

# ── figures ────────────────────────────────────────────────────────────────────────────────────────────────────────────

register.filter("bytes", figures.bytes_text)
register.filter("mark_figures", figures.mark_figures)


def _number(value: object) -> float | None:
    try:
        return None if value in (None, "") else float(str(value))
    except ValueError:
        return None


@register.filter
def figure(value: object) -> str:
    """A number as the pages write it; text stays as it is."""
    number = _number(value)
    return figures.figure(number) if number is not None or value in (None, "") else str(value)


@register.filter
def seconds(value: object) -> str:
    return figures.seconds_text(_number(value))


@register.filter
def notation(value: object) -> str:
    """A limit that is kept as it was typed, with the signs of print and the reader's marks."""
    return figures.threshold(str(value or ""))


@register.filter
def slack(value: object) -> str:
    """Days with their sign: `+12 d`."""
    return figures.slack(_number(value))


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


@register.filter
def short_day(value: object) -> str:
    """`14 Mar` of a day, a moment or ISO text; other text stays as it is."""
    day = _day(value)
    return figures.short_day(day) if day else str(value or "")


@register.filter
def long_day(value: object) -> str:
    day = _day(value)
    return figures.long_day(day) if day else str(value or "")


@register.filter
def moment(value: object) -> str:
    """`17 Feb 02:03`."""
    if isinstance(value, datetime):
        return figures.moment(value)
    return str(value or "")


# ── words and marks ────────────────────────────────────────────────────────────────────────────────────────────────────


register.simple_tag(icon)
register.simple_tag(state)
register.simple_tag(write_rows, name="profile_rows")


@register.simple_tag(takes_context=True)
def reader_marks(context: Mapping[str, Any]) -> SafeString:
    """What scripts must know of the reader: the marks of their numbers, and whether single letters are keys."""
    marks = style()
    parts = []
    if not marks.is_plain:
        parts.append(format_html(' data-decimal="{}" data-thousands="{}"', marks.decimal, marks.thousands))
    if marks.language != "en":
        parts.append(format_html(' data-language="{}" data-names="{}"', marks.language, _names_of_charts()))
    user = getattr(context.get("request"), "user", None)
    if user is not None and user.is_authenticated and not user.prefers.has_single_keys:
        parts.append(mark_safe(' data-keys="off"'))
    return SafeString("".join(parts))


def _names_of_charts() -> str:
    """Months and weekdays as Plotly wants them: weekdays from Sunday."""
    names = style().names
    days = {
        key: listed[-1:] + listed[:-1]
        for key, listed in (("days", names.weekdays), ("shortDays", names.short_weekdays))
    }
    return json.dumps({**days, "months": names.months, "shortMonths": names.short_months}, ensure_ascii=False)


@register.simple_tag
def printed() -> str:
    """When the page was made, with the year and the zone."""
    now = timezone.now().astimezone(style().zone or UTC)
    return f"{figures.full_day(now.date())} {now:%H:%M} {style().zone or 'UTC'}"


@register.simple_tag
def state_glyph(value: object) -> SafeString:
    """The glyph of a state, with its word for those who do not see it; a hollow place where nothing is judged."""
    key = str(value or "")
    if key not in STATES:
        return mark_safe('<svg class="icon" aria-hidden="true"></svg>')
    return format_html(
        '<span class="is-{}"><svg role="img" aria-label="{}"><use href="{}#{}"/></svg></span>',
        key, STATES[key], static("img/sprite.svg"), key,
    )  # fmt: skip


@register.inclusion_tag("components/sentence.html")
def sentence(parts: Sequence[Any] | str | None) -> dict[str, Any]:
    """The answer of a page: parts of which the fact is strong, or plain text."""
    if isinstance(parts, str) or parts is None:
        return {"parts": [{"text": parts or "", "strong": True}]}
    return {"parts": parts}


@register.simple_tag
def risk_axis(day: object = None) -> SafeString:
    """The months above the bars of the risk list; they begin today."""
    return mark_safe(riskbar_axis(_day(day) or timezone.now().date()))


@register.simple_tag
def current(active: str, item: str) -> SafeString:
    """Marks the item of the side bar that the page belongs to."""
    return mark_safe('aria-current="page"' if active == item else "")


@register.filter
def option_value(option: object) -> str:
    return str(option[0]) if isinstance(option, (tuple, list)) else str(option)


@register.filter
def option_label(option: object) -> str:
    return str(option[1]) if isinstance(option, (tuple, list)) else str(option)


@register.filter
def get(mapping: object, key: str) -> Any:
    """`mapping|get:"key"`, empty where there is none."""
    return mapping.get(key, "") if isinstance(mapping, Mapping) else ""


@register.filter
def pairs(mapping: object) -> list[tuple[Any, Any]]:
    """The items of a mapping, newest first; a list of pairs stays as it is."""
    return list(reversed(mapping.items())) if isinstance(mapping, dict) else list(mapping)  # type: ignore[call-overload]


@register.filter
def holds(items: Sequence[Mapping[str, Any]], pk: object) -> bool:
    """Whether one of the items has this key."""
    return any(item["pk"] == pk for item in items or ())


@register.filter
def last_of(items: Sequence[Any]) -> Any:
    return items[-1] if items else ""


@register.filter
def split_words(words: str) -> list[str]:
    return words.split()


@register.filter
def in_plain_words(name: str) -> str:
    """The name of a field as people read it: "group_name" is "group name"."""
    return name.replace("_", " ").replace("-", " ")


@register.simple_tag(takes_context=True)
def without(context: Mapping[str, Any], name: str) -> str:
    """The address of this page without one of its filters."""
    query = context["request"].GET.copy()
    query.pop(name, None)
    return f"?{query.urlencode()}" if query else context["request"].path


# ── forms ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@register.filter
def width(bound: BoundField) -> str:
    """Long texts take the whole row of a form."""
    return (
        "is-wide"
        if isinstance(bound.field.widget, Textarea) or bound.name in ("key", "notes", "is_compared")
        else ""
    )


@register.inclusion_tag("components/field.html")
def field(
    bound: BoundField, css: str = "", unit: str = "", label: str = "", id_suffix: object = ""
) -> dict[str, Any]:
    """Label, control, and below it the help, or what is wrong in its place; the suffix keeps ids of repeated forms apart."""
    widget = bound.field.widget
    own_id = f"{bound.auto_id}{f'-{id_suffix}' if id_suffix else ''}"
    is_check = isinstance(widget, CheckboxInput)
    is_group = isinstance(widget, RadioSelect)
    kind = (
        "form-check-input"
        if is_check or is_group
        else "form-select"
        if isinstance(widget, Select)
        else "form-control"
    )
    errors = list(bound.errors)
    attrs: dict[str, Any] = {
        "id": own_id,
        "class": f"{widget.attrs.get('class', '')} {kind}{' is-invalid' if errors else ''}".strip(),
    }
    described = []
    if errors:
        attrs["aria-invalid"] = "true"
        described.append(f"{own_id}-wrong")
    elif bound.help_text:
        described.append(f"{own_id}-help")
    if described:
        attrs["aria-describedby"] = " ".join(described)
    if isinstance(widget, Textarea) and "rows" not in widget.attrs:
        attrs["rows"] = 3
    name = label or str(bound.label or "")
    return {
        "bound": bound,
        "control": mark_safe(bound.as_widget(attrs=attrs).replace(">---------<", ">none<")),
        "errors": errors,
        "help": bound.help_text,
        "is_check": is_check,
        "is_group": is_group,
        "css": css,
        "unit": unit,
        "label": name[:1].upper() + name[1:],
        "is_optional": not (bound.field.required or is_check or unit)
        and bound.initial in (None, "")
        and bound.name not in getattr(bound.form, "expected", ()),
        "id": own_id,
    }
