"""Find anything: one box, one page, no script needed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.web.menu import pages_called
from apps.web.pages.find.quick import quick_answers
from apps.web.pages.find.result_tables import figures_table, targets_table
from apps.web.pages.find.search import find_anything, find_exactly
from apps.web.sentences import Part
from apps.web.tables import page_or_file

QUICK = "quick-answers"  # the part of every page that answers while somebody types


def find(request: HttpRequest) -> HttpResponse:
    """What has these words in its name; the page of a target that is called exactly so."""
    words = request.GET.get("q", "")[:200]
    if request.headers.get("HX-Target") == QUICK:
        return _answer_quickly(request, words)
    target = None if request.headers.get("HX-Request") else find_exactly(words)
    if target is not None:
        return redirect(target)
    results = find_anything(words, pages_called(words, request))
    if not results.words:
        sentence = [
            Part("Find anything", True),
            Part(": a target, a statistic, a wait event, a tablespace, a page."),
        ]
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


def _answer_quickly(request: HttpRequest, words: str) -> HttpResponse:
    results = find_anything(words, pages_called(words, request))
    context = {"words": results.words, "total": results.total, "answers": quick_answers(results)}
    return render(request, "pages/find/quick.html", context)
