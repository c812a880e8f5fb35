"""What every page shows."""

from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest

from apps.collection.models import CollectionRun
from apps.demo.load import demo_progress
from apps.inventory.models import Target
from apps.thresholds.models import Violation
from apps.web.collected import last_runs_of
from apps.web.help_lines import HELP
from apps.web.present import states
from apps.web.reading import preferences_of


def pinned_of(request: HttpRequest) -> list[dict[str, Any]]:
    """The targets that this person keeps at hand, with their states."""
    mine = preferences_of(request)
    if mine.pk is None:
        return []
    targets = mine.pinned.filter(retired_at=None)
    found = states(targets, last_runs_of(targets)) if targets else {}
    return [
        {"name": one.name, "url": one.get_absolute_url(), "pk": one.pk, "state": found.get(one.pk)}
        for one in targets
    ]


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """The counts of the navigation and the mark of the demo; nothing for people who have not signed in."""
    if not getattr(request, "user", None) or not request.user.is_authenticated:
        return {}
    name = (request.resolver_match.url_name or "") if request.resolver_match else ""
    counts = Target.objects.in_estate().aggregate(all=Count("pk"), demo=Count("pk", filter=Q(is_demo=True)))
    progress = demo_progress() if counts["demo"] else None
    return {
        "nav": {
            "active": name,
            "violations": Violation.objects.open().filter(target__retired_at=None).count(),
            "targets": counts["all"],
            "failed": CollectionRun.objects.count_last(
                Target.objects.watched(), (CollectionRun.State.FAILED, CollectionRun.State.MISSED)
            ),
        },
        "help_line": HELP.get(name, "") if preferences_of(request).has_help else "",
        "pinned": pinned_of(request),
        "demo": counts["demo"] > 0,
        "demo_loading": (
            {"done": progress.done, "total": progress.total}
            if progress and not progress.is_complete
            else None
        ),
    }
