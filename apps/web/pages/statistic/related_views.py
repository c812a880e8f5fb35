"""What moves with a statistic, and two statistics drawn together."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.catalog.metric import Kind
from apps.catalog.registry import find_metric
from apps.charts.pair import Panel, pair
from apps.inventory.models import Target
from apps.profiles.related_statistics import DAYS, relation_of
from apps.web.address import number_in
from apps.web.common_window import window_sentence
from apps.web.date_range import file_name, resolve_statistic, spans_of
from apps.web.figure_history import SPANS, History, read_history
from apps.web.pages.statistic.related_statistics import (
    show_related,
    statistic_url,
)
from apps.web.pages.statistic.related_tables import (
    LAGS,
    lag_in_words,
    lags_of,
    rows_one_by_one,
    signed,
    together_rows,
    together_table,
)
from apps.web.sentences import Part
from apps.web.tables import page_or_file

MOST_ON_STATISTIC = 8


def related(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """What moves with a statistic: a page of its own, or the section of the statistic's page."""
    target, statistic, component, until, _span = resolve_statistic(request, pk, metric)
    most = MOST_ON_STATISTIC if getattr(request, "htmx", False) else None
    section = show_related(target, statistic, component, until, most)
    return page_or_file(
        request,
        "pages/statistic/related.html",
        {
            "target": target,
            "name": statistic.called(component),
            "sentence": section.sentence,
            "related": section,
            "tables": (section.movers, section.neighbours),
            "statistic_url": statistic_url(target, statistic.key, component, until),
        },
    )


def _read_pair(request: HttpRequest, pk: int, metric: str) -> tuple[History, History | None]:
    """The two histories; None for the other where the address names none that exists."""
    target, statistic, component, until, span = resolve_statistic(request, pk, metric)
    history = read_history(target, statistic, component, until, span)
    other = find_metric(request.GET.get("with", ""))
    if other is None:
        return history, None
    named = number_in(request.GET.get("target"))
    owner = target if named is None else Target.objects.filter(pk=named).first()
    if owner is None:
        raise Http404("There is no such target.")
    return history, read_history(owner, other, request.GET.get("of", ""), until, span)


def together(request: HttpRequest, pk: int, metric: str) -> HttpResponse:
    """Two statistics drawn together, with how one follows the other."""
    history, other = _read_pair(request, pk, metric)
    context: dict[str, Any] = {
        "target": history.target,
        "name": history.name,
        "here": f"with {other.name}" if other else "together",
        "history": history,
        "other": other,
        "statistic_url": statistic_url(history.target, history.metric.key, history.component, history.until),
        "related_url": f"{reverse('statistic_related', args=[pk, metric])}?{request.GET.urlencode()}",
    }
    if other is None:
        context["sentence"] = [
            Part(f"Nothing is named to draw beside {history.name}", True),
            Part(": choose a statistic that moves with it."),
        ]
        return render(request, "pages/statistic/pair.html", context)
    relation = relation_of(
        (history.target, history.metric, history.component),
        (other.target, other.metric, other.component),
        history.until,
    )
    best = int(relation.best()[0])
    rho = float(relation.rho[0, best])
    context |= {
        "sentence": _sentence(history, other, rho, best),
        "chart": pair([day.day for day in history.values], _panel(history), _panel(other)),
        "figures": together_table(history, other).fill(
            together_rows(history, other),
            all_rows=lambda: rows_one_by_one(history, other),
            file_name=f"{file_name(history.metric.key)}-together-{history.until}",
        ),
        "lags": LAGS.fill(lags_of(relation)),
        "days_compared": DAYS,
        "window": _window(history, other),
        "spans": spans_of(request, history.span, SPANS),
        "other_url": statistic_url(other.target, other.metric.key, other.component, history.until),
    }
    return page_or_file(request, "pages/statistic/pair.html", context)


def _window(history: History, other: History) -> str:
    """How much of the days two targets were measured over; empty where both statistics are of one."""
    if history.target == other.target:
        return ""
    return window_sentence(history.target, other.target, [day.day for day in history.values])


def _panel(history: History) -> Panel:
    return Panel(
        history.full_name,
        history.metric.display_unit,
        [day.measured for day in history.values],
        history.metric.kind is Kind.COUNTER,
    )


def _sentence(history: History, other: History, rho: float, lag: int) -> list[Part]:
    if rho != rho:
        return [
            Part(f"{history.full_name} and {other.full_name} share too few days", True),
            Part(" to say whether they move together; 20 are needed."),
        ]
    when = "on the same day" if lag == 0 else lag_in_words(lag)
    way = "goes with" if rho > 0 else "goes against"
    return [
        Part(f"{history.full_name} {way} {other.full_name} {when}", True),
        Part(f": ρ {signed(rho)}. That does not say that one causes the other."),
    ]
