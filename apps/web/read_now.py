"""Readings that a page asks for at once, and what it says where the queue does not answer."""

from collections.abc import Sequence
from contextlib import suppress

from django.contrib import messages
from django.http import HttpRequest
from kombu.exceptions import OperationalError

from apps.collection.history.sources import has_history
from apps.inventory.models import Target
from apps.web.sentences import count
from worker.tasks import collect_at_once, read_all_past


def read_now(request: HttpRequest, targets: Sequence[Target], sentence: str, *, readings: int = 1) -> None:
    """
    Have targets read out of turn, and tell the person so.

    What the page saved stays where the broker is away: the person is told when the targets are read instead.
    """
    try:
        for target in targets:
            collect_at_once(target.pk, readings=readings)
    except OperationalError:
        messages.warning(request, _without_queue(targets))
    else:
        messages.success(request, sentence)


def read_past_of(target: Target) -> None:
    """
    Have all be read that a machine keeps of the days before its registration; it is its own, so nobody is asked first.

    Where the broker is away its page offers it.
    """
    if target.kind == Target.Kind.HOST and has_history(target):
        with suppress(OperationalError):
            read_all_past.delay(target.pk)


def _without_queue(targets: Sequence[Target]) -> str:
    several = len(targets) != 1
    return (
        f"{count(len(targets), 'target') if several else targets[0].name} {'are' if several else 'is'} not read at once,"
        f" because Headroom's queue does not answer. Nothing is lost: {'each' if several else 'it'} is read at its next"
        " turn, and “Read now” on its page asks again."
    )
