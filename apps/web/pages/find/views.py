"""Find anything: one box, one page, no script needed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.web.pages.find.result_tables import figures_table, targets_table
from apps.web.pages.find.search import find_anything, find_exactly
from apps.web.sentences import Part
from apps.web.tables import page_or_file


def find(request: HttpRequest) -> HttpResponse:
    """What has these words in its name; the page of a target that is called find_exactly so."""
    words = request.GET.get("q", "")[:200]
    target = find_exactly(words)
    if target is not None:
        return redirect(target)
    results = find_anything(words)
    if not results.words:
        sentence = [Part("Find anything", True), Part(": a target, a statistic, a wait event, a tablespace.")]
    elif not results.total:
        sentence = [Part(f"Nothing is called “{results.words}”", True), Part(". Try a part of the name.")]
    else:
        things = "thing has" if results.total == 1 else "things have"
        sentence = [Part(f"{results.total} {things} “{results.words}” in the name", True), Part(".")]
    context = {
        "results": results,
        "words": results.words,
        "sentence": sentence,
        "targets": targets_table(results.words).fill(results.targets),
        "things": figures_table(results.words, "thing").fill(results.components),
        "statistics": figures_table(results.words, "statistic").fill(results.statistics),
    }
    return page_or_file(request, "pages/find/find.html", context)
