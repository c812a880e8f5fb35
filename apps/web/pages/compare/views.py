"""Two periods of a target side by side."""

from collections import Counter
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from apps.profiles.differences import Comparison, compare_periods
from apps.profiles.engine.periods import NOTEWORTHY
from apps.web.pages.compare import comparison
from apps.web.pages.compare.comparison_table import comparison_table
from apps.web.pages.compare.things import ORDER, list_statistics, list_things
from apps.web.sentences import Part
from apps.web.target_page import page_of, target_of, target_page


def choose(request: HttpRequest) -> HttpResponse:
    """Which target to compare, with what; once that is said, the comparison."""
    form = comparison.PairForm(request.GET if "target" in request.GET else None)
    if form.is_valid():
        return redirect(form.address(timezone.now()))
    sentence = [Part("What changed, and what is only noise?", True), Part(" Choose what to compare.")]
    return render(request, "pages/compare/choice.html", {"form": form, "sentence": sentence})


def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Any two days or periods, of this target or of this and another; without any, this week and the one before."""
    page = page_of(request, target_of(pk))
    context = target_page(page, "compare")
    if page.day is None or page.today is None:
        context |= {"sentence": context["sentence"], "compared": None}
        return render(request, "pages/compare/compare.html", context)
    week = comparison.week_until(page.day)
    parameters = request.GET.copy()
    for name, text in comparison.build_query(week.earlier(7), week).items():
        parameters.setdefault(name, text)
    form = comparison.PeriodsForm(parameters, target=page.target)
    is_valid = form.is_valid()
    other = form.cleaned_data.get("other")
    periods = form.periods if is_valid else None
    context |= {
        "form": form,
        "other": other,
        "choices": comparison.offer_choices(page.target, page.today.day, periods, other),
        "compared": None,
    }
    if periods is None:
        context["sentence"] = [Part("These periods cannot be compared", True), Part(": see below.")]
        return render(request, "pages/compare/compare.html", context)
    answer = compare_periods((other or page.target, periods[0]), (page.target, periods[1]))
    verdict, section = request.GET.get("verdict", comparison.CHANGED), request.GET.get("section", "")
    rows = comparison.filter_rows(answer.rows, verdict, section)
    is_whole = request.GET.get("rows") == comparison.STATISTICS
    things = list_statistics(rows) if is_whole else list_things(rows)
    query = comparison.build_query(*periods, other)
    rows_wanted = {} if is_whole else {"rows": "statistics"}
    name = f"{page.target.name}-{periods[0].first}-{periods[1].last}"
    compared = comparison_table(page.target, periods[1].last).fill(
        things[: comparison.MOST], all_rows=lambda: list_statistics(rows), file_name=name
    )
    if file := compared.file(request):
        return file
    context |= {
        "sentence": comparison.write_sentence(answer),
        "compared": compared,
        "all": len(things),
        "statistics": len(rows),
        "is_whole": is_whole,
        "before": comparison.describe_days(answer.before),
        "after": comparison.describe_days(answer.after),
        "verdict": verdict,
        "verdicts": _verdicts(answer, section),
        "section": section,
        "sections": list(
            dict.fromkeys(row.metric.section.title for row in answer.rows if row.metric.section.title)
        ),
        "query": query,
        "other_rows": f"?{urlencode(query | {'verdict': verdict, 'section': section} | rows_wanted)}",
    }
    return render(request, "pages/compare/compare.html", context)


def _verdicts(answer: Comparison, section: str) -> list[tuple[str, int]]:
    """What can be filtered by, with how many rows each has."""
    rows = [row for row in answer.rows if section in ("", row.metric.section.title)]
    counted = Counter(row.judged.verdict for row in rows)
    changed = sum(counted[verdict] for verdict in NOTEWORTHY)
    singly = [(str(verdict), counted[verdict]) for verdict in ORDER if counted[verdict]]
    return [(comparison.CHANGED, changed), *singly, (comparison.ALL, len(rows))]
