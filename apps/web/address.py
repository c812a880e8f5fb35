"""What arrives in an address, before anything reads it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def without_nul(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Drop NUL from the questions of addresses: no name has one, and PostgreSQL refuses it."""

    def cleaned(request: HttpRequest) -> HttpResponse:
        request.META["QUERY_STRING"] = (
            request.META.get("QUERY_STRING", "").replace("%00", "").replace("\0", "")
        )
        return answer(request)

    return cleaned
