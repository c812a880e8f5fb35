"""What every page shows."""

from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone

from apps.collection.full_disk import warn_of_disk
from apps.collection.last_states import count_left_in
from apps.collection.unread_targets import UNREAD, unread_targets
from apps.inventory.example import get_example
from apps.inventory.models import Target
from apps.outlook.counts import over_by_target
from apps.web.help_lines import HELP
from apps.web.menu import MenuCount, item_of, person_menu, side_bar
from apps.web.reader_style import preferences_of
from apps.web.rights import may_change
from apps.web.target_states import states

# what somebody registered: neither of the demo nor the machine Headroom runs on, which needs no address
OWN = Q(is_demo=False) & ~Q(address={})


def pinned_of(request: HttpRequest) -> list[dict[str, Any]]:
    """The targets that this person keeps at hand, with their states."""
    mine = preferences_of(request)
    if mine.pk is None:
        return []
    targets = mine.pinned.filter(retired_at=None)
    state_of = (
        states(targets, unread_targets([target.pk for target in targets], timezone.now())) if targets else {}
    )
    return [
        {
            "name": target.name,
            "url": target.get_absolute_url(),
            "pk": target.pk,
            "state": state_of.get(target.pk),
        }
        for target in targets
    ]


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """The counts of the navigation, the mark of the demo and a disk that fills up; nothing for people who have not signed in."""
    if not getattr(request, "user", None) or not request.user.is_authenticated:
        return {}
    name = (request.resolver_match.url_name or "") if request.resolver_match else ""
    counts = Target.objects.in_estate().aggregate(
        all=Count("pk"), demo=Count("pk", filter=Q(is_demo=True)), own=Count("pk", filter=OWN)
    )
    return {
        "nav": {
            "item": item_of(name),
            "side_bar": side_bar(_menu_counts(counts["all"])),
            "of_person": person_menu(request),
            "targets": counts["all"],
        },
        "help_line": HELP.get(name, "") if preferences_of(request).has_help else "",
        "pinned": pinned_of(request),
        "disk_warning": warn_of_disk(),
        **demo_marks(request, name, has_demo=counts["demo"] > 0, has_own=counts["own"] > 0),
    }


def _menu_counts(targets: int) -> dict[str, MenuCount]:
    now = timezone.now()
    over = over_by_target(Target.objects.in_estate(), now).total()
    failed = count_left_in(UNREAD, now)
    return {
        "violations": MenuCount(over, spoken=" over their limit"),
        "targets": MenuCount(targets),
        "collection": MenuCount(failed, " failed"),
    }


def demo_marks(request: HttpRequest, name: str, *, has_demo: bool, has_own: bool) -> dict[str, Any]:
    """Whether there is a demo and how far it is loaded; on the first page also whether to offer it or its removal."""
    example = get_example()
    progress = example.progress() if example and has_demo else None
    can_decide = example is not None and name == "estate" and may_change(request)
    return {
        "demo": has_demo,
        "demo_loading": progress if progress and not progress.is_complete else None,
        "demo_may_go": can_decide and has_demo and has_own,
        "demo_offered": can_decide and not has_demo and not has_own and not Target.objects.demo().exists(),
    }
