"""The doors at which programs send: no person, no session, a token; answers in JSON, each refusal with a sentence."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from apps.collection.full_disk import refuse_when_disk_is_full
from apps.collection.sender_tokens import TooOften, UnknownToken
from apps.web.uploads import LARGEST, bytes_sent

Receive = Callable[[str, bytes, datetime], dict[str, Any]]
TOO_LARGE = f"At most {LARGEST // 1024 // 1024} MB are taken at once: send fewer days, those of a host packed with gzip."


def take_sending(
    request: HttpRequest, receive: Receive, unreadable: type[Exception], no_token: str
) -> JsonResponse:
    """
    Hand what was sent with its token to `receive`, and answer with what that returns.

    What is `unreadable` is refused with its message, a request without a token with `no_token`.
    """
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.casefold() != "bearer" or not token:
        return _refuse(401, no_token)
    if bytes_sent(request) > LARGEST:
        return _refuse(413, TOO_LARGE)
    if reason := refuse_when_disk_is_full():
        return _refuse(503, reason)
    content = request.read(LARGEST + 1)
    if len(content) > LARGEST:
        return _refuse(413, TOO_LARGE)
    try:
        return JsonResponse(receive(token.strip(), content, timezone.now()))
    except UnknownToken as error:
        return _refuse(401, str(error))
    except TooOften as error:
        answer = _refuse(429, str(error))
        answer["Retry-After"] = str(max(round((error.again_at - timezone.now()).total_seconds()), 1))
        return answer
    except unreadable as error:
        return _refuse(400, str(error))


def _refuse(status: int, sentence: str) -> JsonResponse:
    answer = JsonResponse({"error": sentence}, status=status)
    if status == 401:
        answer["WWW-Authenticate"] = "Bearer"
    return answer
