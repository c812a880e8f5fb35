"""The door at which programs send what users experience."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.collection.engine.user_days import BadUserDays
from apps.thresholds.experience import receive_values
from apps.web.sending import take_sending

NO_TOKEN = "Send the token of the target: Authorization: Bearer TOKEN. Its page of what users were promised makes one."


@csrf_exempt
@login_not_required
@require_POST
def push_experience(request: HttpRequest) -> JsonResponse:
    """Store the values that were sent, all or none, and say how many."""
    return take_sending(request, _receive, BadUserDays, NO_TOKEN)


def _receive(token: str, content: bytes, now: datetime) -> dict[str, Any]:
    values = receive_values(token, content, now)
    return {"values": len(values), "days": len(values.days)}
