"""How the collection went."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.web.collection_runs import failures, latest_runs
from apps.web.pages.collection.costs import COSTS, costs, sizes
from apps.web.pages.collection.nights import MISSED, last_days, missed_of_late
from apps.web.pages.collection.readings import COMPLETE, PAUSED, reading_rows, readings_table
from apps.web.rights import may_change
from apps.web.tables import page_or_file

ROWS = 40  # targets that were read in full are left out beyond these


def collection(request: HttpRequest) -> HttpResponse:
    """A line a target, problems first; then what reading costs, and Headroom's own room."""
    now = timezone.now()
    runs = latest_runs()
    rows = reading_rows(runs, now)
    problems = sum(row.result not in (COMPLETE, PAUSED) for row in rows)
    most = len(rows) if request.GET.get("all") else max(ROWS, problems)
    return page_or_file(
        request,
        "pages/collection/collection.html",
        {
            "sentence": failures(runs),
            "readings": readings_table(last_days(now)).fill(rows[:most], all_rows=lambda: rows),
            "left_out": len(rows[most:]),
            "targets": len(rows),
            "missed": MISSED.fill(missed_of_late(now)),
            "costs": COSTS.fill(costs(runs)),
            "sizes": sizes(),
            "can_change": may_change(request),
        },
    )
