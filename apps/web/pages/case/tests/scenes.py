"""What people do in a case file, and what they see of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from apps.advisors.models import Action
from apps.thresholds.models import Violation

NASTY = "<script>alert('x')</script>"
SOON = (datetime.now(UTC) + timedelta(days=20)).date()


def page(client: Client, violation: Violation) -> str:
    return client.get(violation.get_absolute_url()).content.decode()


def post(client: Client, violation: Violation, to: str, what: dict[str, Any]) -> str:
    return client.post(f"{violation.get_absolute_url()}/{to}", what, follow=True).content.decode()


def steps() -> list[str]:
    return [action.text for action in Action.objects.order_by("position")]
