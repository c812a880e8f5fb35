"""What arrives in an address, before anything reads it."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme

MOST_DIGITS = 18  # no key of the database has more


def number_in(text: str | None) -> int | None:
    """The whole number that a page gave along, such as a key; None where it was tampered with."""
    is_number = text is not None and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if text is not None and is_number else None


def way_back(request: HttpRequest, address: str) -> str:
    """The address of a page of this site that another page gave along; empty where it is none."""
    is_ours = address.startswith("/") and url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else ""


def without_nul(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Drop NUL from the questions of addresses: no name has one, and PostgreSQL refuses it."""

    def cleaned(request: HttpRequest) -> HttpResponse:
        request.META["QUERY_STRING"] = (
            request.META.get("QUERY_STRING", "").replace("%00", "").replace("\0", "")
        )
        return answer(request)

    return cleaned


def refused_in_our_layout(
    answer: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """An address that is used in a way it does not know is answered by a page of ours, not by an empty one."""

    def with_page(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
            response.content = render_to_string("405.html").encode()
        return response

    return with_page
