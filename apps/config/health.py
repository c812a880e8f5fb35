"""
Is everything answering? /healthz for load balancers and monitoring, which needs no sign-in, and
`python -m apps.config.health [database] [broker] [beat]` for containers.
"""

import os
import sys
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import partial

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from apps.config.embedded.broker import connect

LONGEST_SILENCE = timedelta(minutes=10)
_began_at = datetime.now(UTC)


@login_not_required
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """
    200 when all is well, else 503; the body says which part is not. ?part=database asks for that part alone, and
    ?part=web for none: whoever answers is the web server.
    """
    states = health(request.GET.getlist("part"), not_before=_began_at)
    is_healthy = all(state == "ok" for state in states.values())
    return JsonResponse({"healthy": is_healthy, **states}, status=200 if is_healthy else 503)


def health(parts: Collection[str], not_before: datetime | None = None) -> dict[str, str]:
    """The state of the parts asked for, or of all."""
    checks: dict[str, Callable[[], str]] = {
        "database": database_health,
        "broker": broker_health,
        "beat": partial(beat_health, timezone.now(), not_before),
    }
    return {part: check() for part, check in checks.items() if not parts or part in parts}


def database_health() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return "ok"


def broker_health() -> str:
    if settings.CELERY_BROKER_URL.startswith("memory:"):
        return "ok"
    try:
        with connect(settings.CELERY_BROKER_URL) as client:
            client.ping()
    except (redis.exceptions.RedisError, OSError):
        return "does not answer"
    return "ok"


def beat_health(now: datetime, not_before: datetime | None = None) -> str:
    """Beat puts something into the queue each minute. Its silence is counted from `not_before` at the earliest."""
    from django_celery_beat.models import (
        PeriodicTask,  # the command imports this module before Django is ready
    )

    try:
        ran = (
            PeriodicTask.objects.filter(enabled=True, last_run_at__isnull=False)
            .order_by("-last_run_at")
            .first()
        )
    except DatabaseError:
        return "unknown"
    moments = [moment for moment in (ran and ran.last_run_at, not_before) if moment]
    if not moments:
        return "has not begun"
    silence = now - max(moments)
    return "ok" if silence < LONGEST_SILENCE else f"silent for {silence.total_seconds() / 60:.0f} minutes"


def main(parts: list[str]) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    django.setup()
    states = health(parts)
    print(*(f"{part}: {state}" for part, state in states.items()), sep="\n")
    sys.exit(any(state != "ok" for state in states.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
