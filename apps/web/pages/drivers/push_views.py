"""The door at which programs send the days of a driver."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.forecasting.driver_register import receive_days
from apps.forecasting.engine.driver_file import BadDriverDays
from apps.web.sending import take_sending

NO_TOKEN = "Send the token of the driver: Authorization: Bearer TOKEN. The page of the driver makes one."


@csrf_exempt
@login_not_required
@require_POST
def push_driver(request: HttpRequest) -> JsonResponse:
    """Store the days that were sent, all or none, and say how many."""
    return take_sending(request, _receive, BadDriverDays, NO_TOKEN)


def _receive(token: str, content: bytes, now: datetime) -> dict[str, Any]:
    new_days = receive_days(token, content, now)
    return {"days": len(new_days.measured), "planned": len(new_days.planned)}
