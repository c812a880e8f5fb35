"""The door at which programs send runs of a benchmark."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.advisors.benchmarks import receive_runs
from apps.advisors.engine.benchmark import BadRuns
from apps.web.sending import take_sending

NO_TOKEN = (
    "Send the token of the benchmark: Authorization: Bearer TOKEN. The page of the benchmark makes one."
)


@csrf_exempt
@login_not_required
@require_POST
def push_run(request: HttpRequest) -> JsonResponse:
    """Store the runs that were sent, all or none, and say how many."""
    return take_sending(request, _receive, BadRuns, NO_TOKEN)


def _receive(token: str, content: bytes, now: datetime) -> dict[str, Any]:
    sent = receive_runs(token, content, now)
    return {"runs": len(sent.runs), "repetitions": sum(map(len, sent.repetitions.values()))}
