"""What a field for a statistic offers while somebody types its name."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.web.statistic_names import find_target, search_statistics


def statistic_options(request: HttpRequest) -> HttpResponse:
    """The statistics, and things of them, that go by the words; of a target its own."""
    words = request.GET.get("q", "")[:100]
    target = find_target(request.GET.get("target"))
    return render(
        request,
        "pages/thresholds/statistic_options.html",
        {"options": search_statistics(words, target), "words": words, "of_target": target},
    )
