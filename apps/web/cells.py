"""What cells of tables hold besides text: links, marks of states, icons, and words in the place of figures."""

from functools import lru_cache
from html import escape

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.snapshots.not_measurable import NotMeasurableReason
from apps.snapshots.presence import Presence
from apps.thresholds.judge import FigureState
from apps.thresholds.limits import limit_text
from apps.thresholds.models import Threshold

STATES = {str(state): str(state).replace("_", " ") for state in FigureState}
NO_DATA = mark_safe('<span class="unread"><span>No data</span></span>')


def link(url: str, text: object, css: str = "name") -> SafeString:
    """Where a row leads; the text alone where it leads nowhere."""
    if not url:
        return _markup(text)
    shape = f' class="{css}"' if css else ""
    return SafeString(f'<a{shape} href="{escape(url)}">{_markup(text)}</a>')


def limit_cell(threshold: Threshold | None, unit: str, reduction: str = "") -> SafeString:
    """A limit in the unit of its row, as the way to it; `reduction` says of which part of the day it is."""
    if threshold is None:
        return marked("muted", "none")
    text = limit_text(threshold, unit)
    return link(threshold.get_absolute_url(), f"{text} ({reduction})" if reduction else text, "")


def marked(css: str, text: object) -> SafeString:
    """A text of a class; nothing where there is no text."""
    return SafeString(f'<span class="{css}">{_markup(text)}</span>' if text not in ("", None) else "")


def after(first: object, css: str, aside: object) -> SafeString:
    """A text with an aside behind it."""
    return SafeString(f"{_markup(first)} {marked(css, aside)}") if aside else _markup(first)


def below(first: object, aside: object) -> SafeString:
    """A text with an aside in the line below it."""
    return SafeString(f"{_markup(first)}<br>{marked('sub', aside)}") if aside else _markup(first)


def hover(title: str, text: object, css: str = "") -> SafeString:
    """A text that says more to whoever points at it."""
    shape = f' class="{css}"' if css else ""
    return SafeString(f'<span title="{escape(title)}"{shape}>{_markup(text)}</span>')


def no_figure(why: str) -> SafeString:
    """The word for what is missing, which says why to whoever points at it."""
    missing = Presence.NOT_MEASURABLE if isinstance(why, NotMeasurableReason) else Presence.NO_DATA
    return SafeString(f'<span class="unread" title="{escape(why)}"><span>{missing.words}</span></span>')


def _markup(text: object) -> SafeString:
    """A text as markup, escaped unless it is markup already; Django's own way is for lazy texts too, and takes longer."""
    return text if isinstance(text, SafeString) else SafeString(escape(str(text)))


@lru_cache(maxsize=100)
def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite; without a label assistive technology skips it."""
    href = f"{static('img/sprite.svg')}#{name}"
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"/></svg>', label, href)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"/></svg>', href)


def state(value: object, reason: str = "", word: str = "") -> SafeString:
    """A state as glyph and word; nothing is judged without one."""
    key = str(value or "")
    return _state(key if key in STATES else "", word or STATES.get(key, ""), reason or "")


@lru_cache(maxsize=1000)
def _state(key: str, word: str, reason: str) -> SafeString:
    """Long tables say the same few states over and over."""
    return render_to_string("components/state.html", {"key": key, "word": word, "reason": reason})


def slack_css(state: object) -> str:
    """How days of slack stand out: over the limit, near it, or far."""
    return {"violated": "strong c-over", "at_risk": "strong c-risk", "no_data": ""}.get(str(state), "c-far")


def drawing(svg: str) -> SafeString:
    """A drawing of `apps/charts`, which escapes what it writes."""
    return mark_safe(svg)
