"""The door at which hosts send their records."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.collection.file_readers import UnreadableFile
from apps.collection.push import receive
from apps.web.sending import take_sending

NO_TOKEN = "Send the token of the host: Authorization: Bearer TOKEN. The page of the host makes one."


@csrf_exempt
@login_not_required
@require_POST
def push_host(request: HttpRequest) -> JsonResponse:
    """Store what a host sent, and say what became of each of its days."""
    return take_sending(request, _receive, UnreadableFile, NO_TOKEN)


def _receive(token: str, content: bytes, now: datetime) -> dict[str, Any]:
    return receive(token, content, now).as_json()
