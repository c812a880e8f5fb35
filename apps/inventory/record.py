"""The record of what was done: who, when, what, to which target. It is only ever added to."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils import timezone

from apps.inventory.models import Deed, Target

Actor = AbstractBaseUser | AnonymousUser | None  # none: Headroom itself, or a command


def record_deed(kind: Deed.Kind, by: Actor, target: Target | None, subject: str = "", **details: Any) -> Deed:
    """Add what was done; `details` are kept as JSON and never have a secret in them."""
    return Deed.objects.create(
        kind=kind,
        moment=timezone.now(),
        actor_id=None if by is None else by.pk,
        actor_name="" if by is None else str(by)[:200],
        target=target,
        subject=(subject or (target.name if target else ""))[:200],
        details=details,
    )
