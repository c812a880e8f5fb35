"""Whoever was given a password chooses their own before anything else: two people know the first one."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.web.session_ends import redirect_to


def with_own_password_first(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: with a password that somebody else made, only the page that changes it opens."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.has_first_password:
            account = reverse("account")
            if request.path not in (account, reverse("sign_out")):
                return redirect_to(request, account)
        return get_response(request)

    return answer
