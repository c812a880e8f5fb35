"""Who may change what: everybody who signs in reads, planners change, administrators look after people."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

LACKS_RIGHT = (
    "This needs the right to change targets, thresholds and plans; an administrator can give it to you."
)
NOT_ADMINISTRATOR = "This is for administrators; one of them can do it for you, or make you one."
View = Callable[..., HttpResponse]


def planner_required(view: View) -> View:
    """Refuse people who may only read, with the name of the right they lack."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        return view(request, *args, **kwargs)

    return checked


def administrator_required(view: View) -> View:
    """Refuse people who do not look after accounts."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not getattr(request.user, "is_staff", False):
            raise PermissionDenied(NOT_ADMINISTRATOR)
        return view(request, *args, **kwargs)

    return checked


def may_change(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_planner", False))
