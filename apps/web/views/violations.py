"""The list of violations."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.thresholds.models import Violation
from apps.web import sheets
from apps.web.sentences import Part, capital, count
from apps.web.tables import table_file
from apps.web.violated import violation_rows


def violation_list(request: HttpRequest) -> HttpResponse:
    """Open and predicted violations, worst first; or those that have ended."""
    shown = "closed" if request.GET.get("shown") == "closed" else "open"
    found = Violation.objects.select_related("target", "owner", "threshold")
    found = (
        found.live().filter(target__retired_at=None)
        if shown == "open"
        else found.exclude(closed_on=None).order_by("-closed_on")[:200]
    )
    rows = violation_rows(found)
    if file := table_file(request, "violations", sheets.VIOLATIONS, sheets.violations(rows)):
        return file
    return render(
        request,
        "pages/violations.html",
        {
            "sentence": _list_sentence(rows, shown),
            "rows": rows,
            "shown": shown,
            "open_url": reverse("violations"),
            "closed_url": f"{reverse('violations')}?shown=closed",
        },
    )


def _list_sentence(rows: list[Any], shown: str) -> list[Part]:
    if shown == "closed":
        return [Part(f"{capital(count(len(rows), 'violation'))} ended", True), Part(".")]
    predicted = sum(row.state == "at_risk" for row in rows)
    over = len(rows) - predicted
    if not rows:
        return [Part("Nothing is over its limit", True), Part(", and nothing is predicted to be.")]
    parts = [
        Part(
            f"{capital(count(over, 'figure'))} {'is' if over == 1 else 'are'} over {'its' if over == 1 else 'their'} limit",
            True,
        )
    ]
    if predicted:
        parts.append(Part(f"; {count(predicted, 'more')} will be within 90 days".replace("mores", "more")))
    return [*parts, Part(".")]
