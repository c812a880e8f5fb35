"""What every page shows."""

from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest

from apps.collection.models import CollectionRun
from apps.demo.load import demo_progress
from apps.inventory.models import Target
from apps.thresholds.models import Violation


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """The counts of the navigation and the mark of the demo; nothing for people who have not signed in."""
    if not getattr(request, "user", None) or not request.user.is_authenticated:
        return {}
    counts = Target.objects.in_estate().aggregate(all=Count("pk"), demo=Count("pk", filter=Q(is_demo=True)))
    progress = demo_progress() if counts["demo"] else None
    return {
        "nav": {
            "active": request.resolver_match.url_name if request.resolver_match else "",
            "violations": Violation.objects.open().filter(target__retired_at=None).count(),
            "targets": counts["all"],
            "failed": CollectionRun.objects.latest_per_target(Target.objects.watched())
            .filter(state__in=(CollectionRun.State.FAILED, CollectionRun.State.MISSED))
            .count(),
        },
        "demo": counts["demo"] > 0,
        "demo_loading": (
            {"done": progress.done, "total": progress.total}
            if progress and not progress.is_complete
            else None
        ),
    }
