"""What Headroom reads: every view, how often, and the grants that it takes."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.platforms.oracle.grants import scripts, sources_read
from apps.web.sentences import Part


def reads(request: HttpRequest) -> HttpResponse:
    """The views by source, the four grants scripts, the statements themselves."""
    context = {
        "sentence": [
            Part("Headroom only reads", True),
            Part(", and nothing that needs the Diagnostics or the Tuning Pack."),
        ],
        "sources": sources_read(),
        "scripts": scripts(),
    }
    return render(request, "pages/reads.html", context)
