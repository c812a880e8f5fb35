"""How the collection went."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.web.collection_runs import failures, latest_runs
from apps.web.pages.collection.costs import COSTS, costs, sizes
from apps.web.pages.collection.nights import MISSED, missed_of_late, nights
from apps.web.pages.collection.problems import NOTED, PROBLEMS, noted, problems
from apps.web.rights import may_change
from apps.web.tables import page_or_file


def collection(request: HttpRequest) -> HttpResponse:
    runs = latest_runs()
    return page_or_file(
        request,
        "pages/collection/collection.html",
        {
            "sentence": failures(runs),
            "problems": PROBLEMS.fill(problems(runs)),
            "noted": NOTED.fill(noted(runs)),
            "missed": MISSED.fill(missed_of_late(timezone.now())),
            "nights": nights(timezone.now()),
            "costs": COSTS.fill(costs(runs)),
            "sizes": sizes(),
            "can_change": may_change(request),
        },
    )
