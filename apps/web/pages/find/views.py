"""Find anything: one box, one page, no script needed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.web.pages.find.result_tables import figures_table, targets_table
from apps.web.pages.find.search import exactly, find_anything
from apps.web.sentences import Part
from apps.web.tables import page_or_file


def find(request: HttpRequest) -> HttpResponse:
    """What has these words in its name; the page of a target that is called exactly so."""
    words = request.GET.get("q", "")[:200]
    target = exactly(words)
    if target is not None:
        return redirect(target)
    found = find_anything(words)
    if not found.words:
        sentence = [Part("Find anything", True), Part(": a target, a statistic, a wait event, a tablespace.")]
    elif not found.total:
        sentence = [Part(f"Nothing is called “{found.words}”", True), Part(". Try a part of the name.")]
    else:
        things = "thing has" if found.total == 1 else "things have"
        sentence = [Part(f"{found.total} {things} “{found.words}” in the name", True), Part(".")]
    context = {
        "found": found,
        "words": found.words,
        "sentence": sentence,
        "targets": targets_table(found.words).fill(found.targets),
        "things": figures_table(found.words, "thing").fill(found.components),
        "statistics": figures_table(found.words, "statistic").fill(found.statistics),
    }
    return page_or_file(request, "pages/find/find.html", context)
