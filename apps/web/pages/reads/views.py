"""What Headroom reads: every view, how often, and the grants that it takes."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.platforms.oracle.grants import scripts, sources_read
from apps.web.pages.reads import sheets
from apps.web.sentences import Part
from apps.web.tables import table_file


def reads(request: HttpRequest) -> HttpResponse:
    """The views by source, the four grants scripts, the statements themselves."""
    sources = sources_read()
    if file := table_file(request, "statements", sheets.READS, sheets.reads(sources)):
        return file
    context = {
        "sentence": [
            Part("Headroom only reads", True),
            Part(", and nothing that needs the Diagnostics or the Tuning Pack."),
        ],
        "sources": sources,
        "scripts": scripts(),
    }
    return render(request, "pages/reads/reads.html", context)
