"""The reader's own way: marks of numbers, order and names of dates, zone of moments, unit of waits. Files stay plain."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from apps.charts.reader import PLAIN, Style, use_style
from apps.people.models import Preferences

PLAIN_PAGES = {
    "weekly_report",
    "weekly_report_file",
    "target_csv",
    "statistic_csv",
    "attachment",
}  # as they were sent
THIN = "\u202f"  # a narrow space that does not break
MARKS = {
    "en-GB": (".", ",", "day"),
    "en-US": (".", ",", "month"),
    "de-DE": (",", ".", "day"),
    "fr-FR": (",", THIN, "day"),
    "de-CH": (".", "’", "day"),
    "sv-SE": (",", THIN, "year"),
}


def in_the_readers_way(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: whatever this request writes is written in the style of whoever signed in."""

    def answer(request: HttpRequest) -> HttpResponse:
        with use_style(_style_of(request)):
            return get_response(request)

    return answer


def _style_of(request: HttpRequest) -> Style:
    if _is_plain(request) or not request.user.is_authenticated:
        return PLAIN
    return style_of(request.user.prefers)


def style_of(preferences: Preferences) -> Style:
    """The marks, names and zone that a person chose."""
    locale = preferences.locale if preferences.locale in MARKS else "en-GB"
    decimal, thousands, order = MARKS[locale]
    zone = ZoneInfo(preferences.time_zone) if preferences.time_zone else None
    return Style(decimal, thousands, order, zone, language=locale.partition("-")[0])


def _is_plain(request: HttpRequest) -> bool:
    if request.GET.get("format"):
        return True
    try:
        return resolve(request.path_info).url_name in PLAIN_PAGES
    except Resolver404:
        return False


def preferences_of(request: HttpRequest) -> Preferences:
    """What the person who asks chose; the usual where nobody has signed in."""
    return request.user.prefers if request.user.is_authenticated else Preferences()


def units_of(request: HttpRequest) -> dict[str, str]:
    """The units that this person reads in another than the catalogue's: waits in milliseconds."""
    return {"cs": "ms"} if preferences_of(request).waits_in == Preferences.WaitUnit.MILLISECONDS else {}
