"""The list of violations."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from apps.outlook.counts import Counts
from apps.outlook.outlooks import outlooks_of_cases
from apps.thresholds.models import Violation
from apps.web.sentences import Part, capital, count, counted
from apps.web.tables import page_or_file
from apps.web.violation_table import violation_rows, violations_table


def violation_list(request: HttpRequest) -> HttpResponse:
    """Open and predicted violations, worst first; or those that have ended."""
    shown = "closed" if request.GET.get("shown") == "closed" else "open"
    found = Violation.objects.select_related("target", "owner", "threshold")
    found = (
        found.live().filter(target__retired_at=None)
        if shown == "open"
        else found.exclude(closed_on=None).order_by("-closed_on")[:200]
    )
    cases = outlooks_of_cases(found, timezone.now())
    if shown == "closed":
        cases.sort(key=lambda outlook: outlook.case.closed_on or outlook.day, reverse=True)
    return page_or_file(
        request,
        "pages/violations/violations.html",
        {
            "sentence": _list_sentence(Counts.of(cases), len(cases), shown),
            "violations": violations_table().fill(violation_rows(cases)),
            "shown": shown,
            "open_url": reverse("violations"),
            "closed_url": f"{reverse('violations')}?shown=closed",
        },
    )


def _list_sentence(counts: Counts, number: int, shown: str) -> list[Part]:
    if shown == "closed":
        return [Part(f"{capital(count(number, 'violation'))} ended", True), Part(".")]
    return counted(counts) or [
        Part("Nothing is over its limit", True),
        Part(", and nothing is predicted to be."),
    ]
