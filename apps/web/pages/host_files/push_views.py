"""The door at which hosts send their records: no person, no session, a token."""

from datetime import datetime

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.collection.file_readers import UnreadableFile
from apps.collection.full_disk import refuse_when_disk_is_full
from apps.collection.push import TooOften, UnknownToken, receive
from apps.web.uploads import LARGEST, bytes_sent

NO_TOKEN = "Send the token of the host: Authorization: Bearer TOKEN. The page of the host makes one."
TOO_LARGE = f"At most {LARGEST // 1024 // 1024} MB are taken at once: send one day, packed with gzip."


@csrf_exempt
@login_not_required
@require_POST
def push_host(request: HttpRequest) -> JsonResponse:
    """Store what a host sent, and say what became of each of its days."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.casefold() != "bearer" or not token:
        return _refuse(401, NO_TOKEN)
    if bytes_sent(request) > LARGEST:
        return _refuse(413, TOO_LARGE)
    if reason := refuse_when_disk_is_full():
        return _refuse(503, reason)
    content = request.read(LARGEST + 1)
    if len(content) > LARGEST:
        return _refuse(413, TOO_LARGE)
    return _receive(token.strip(), content, timezone.now())


def _receive(token: str, content: bytes, now: datetime) -> JsonResponse:
    try:
        return JsonResponse(receive(token, content, now).as_json())
    except UnknownToken as error:
        return _refuse(401, str(error))
    except TooOften as error:
        answer = _refuse(429, str(error))
        answer["Retry-After"] = str(max(round((error.again_at - now).total_seconds()), 1))
        return answer
    except UnreadableFile as error:
        return _refuse(400, str(error))


def _refuse(status: int, sentence: str) -> JsonResponse:
    answer = JsonResponse({"error": sentence}, status=status)
    if status == 401:
        answer["WWW-Authenticate"] = "Bearer"
    return answer
