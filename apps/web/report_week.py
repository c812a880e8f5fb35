"""Which week and which group an address of a report asks for."""

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from apps.inventory.models import Group
from apps.reports.engine.week import BadWeek, Week, parse_week
from apps.web.address import number_in


def week_and_group(request: HttpRequest, newest: Week) -> tuple[Week, Group | None]:
    """What `week` and `group` of an address mean: without them the newest week, of all targets. Raises Http404."""
    try:
        week = parse_week(request.GET["week"]) if "week" in request.GET else newest
    except BadWeek as error:
        raise Http404(str(error)) from None
    if not request.GET.get("group"):
        return week, None
    return week, get_object_or_404(Group, pk=number_in(request.GET["group"]))
