"""How past forecasts of a statistic fared."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.collection.today import last_closed_day
from apps.forecasting.figure_forecast import BadQuestion, forecast_figure
from apps.outlook.track_record import read_track_record
from apps.web.date_range import file_name, resolve_statistic
from apps.web.pages.statistic.related_statistics import statistic_url
from apps.web.sentences import Part
from apps.web.tables import page_or_file
from apps.web.track_record_table import TRACK_RECORD


def track_record(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """What was predicted, what came, and the error: a page of its own, or a section of the statistic's page."""
    target, statistic, component, until, _span = resolve_statistic(request, pk, metric)
    closed = last_closed_day(target, timezone.now())
    try:
        forecast = forecast_figure(target, statistic, component, min(until, closed))
        sentence, rows = read_track_record(forecast)
    except BadQuestion as error:
        sentence, rows = str(error), []
    context = {
        "target": target,
        "name": statistic.called(component),
        "sentence": [Part(sentence, True)],
        "record": TRACK_RECORD.fill(rows, file_name=f"{file_name(statistic.key)}-track-record-{until}"),
        "statistic_url": statistic_url(target, statistic.key, component, until),
    }
    return page_or_file(request, "pages/statistic/track_record.html", context)
