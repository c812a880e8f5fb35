"""How the collection went."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.web.collected import costs, failures, latest_runs, nights, problems, sizes
from apps.web.rights import may_change


def collection(request: HttpRequest) -> HttpResponse:
    runs = latest_runs()
    return render(
        request,
        "pages/collection.html",
        {
            "sentence": failures(runs),
            "problems": problems(runs),
            "nights": nights(timezone.now()),
            "costs": costs(runs),
            "sizes": sizes(),
            "can_change": may_change(request),
        },
    )
