"""How the collection went."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.web.collection_runs import failures, latest_runs
from apps.web.pages.collection import sheets
from apps.web.pages.collection.costs import costs, sizes
from apps.web.pages.collection.nights import missed_of_late, nights
from apps.web.pages.collection.problems import noted, problems
from apps.web.rights import may_change
from apps.web.tables import table_file


def collection(request: HttpRequest) -> HttpResponse:
    runs = latest_runs()
    found, spent = problems(runs), costs(runs)
    if file := table_file(request, "not-read", sheets.PROBLEMS, sheets.problems(found)):
        return file
    if file := table_file(request, "cost-of-reading", sheets.COSTS, sheets.costs(spent)):
        return file
    return render(
        request,
        "pages/collection/collection.html",
        {
            "sentence": failures(runs),
            "problems": found,
            "noted": noted(runs),
            "missed": missed_of_late(timezone.now()),
            "nights": nights(timezone.now()),
            "costs": spent,
            "sizes": sizes(),
            "can_change": may_change(request),
        },
    )
