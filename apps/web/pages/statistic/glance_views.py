"""A statistic at a glance: what opens below a row, so that nobody has to leave the table."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.web.date_range import USUAL, resolve_statistic
from apps.web.figure_history import outlook_of, read_history
from apps.web.pages.statistic.related_statistics import statistic_url
from apps.web.rights import may_change

WIDTH, HEIGHT = 1120.0, 190.0


def glance(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Its sentence, its last 90 days with limit and forecast, and the ways on: a page of its own, or a part of one."""
    target, statistic, component, until, _span = resolve_statistic(request, pk, metric)
    history = read_history(target, statistic, component, until, USUAL)
    about = urlencode({"target": pk, "metric": metric, "component": component})
    context = {
        "target": target,
        "name": history.name,
        "sentence": history.sentence(),
        "drawing": outlook_of(history, WIDTH, HEIGHT),
        "span": USUAL,
        "unit": statistic.display_unit,
        "statistic_url": statistic_url(target, statistic.key, component, until),
        "forecast_url": f"{reverse('statistic_forecast', args=[pk, metric])}?{urlencode({'component': component})}",
        "add_url": f"{reverse('threshold_add')}?{about}" if may_change(request) else "",
    }
    return render(request, "pages/statistic/glance.html", context)
