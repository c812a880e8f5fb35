"""How long it is kept what became of each reading."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.collection.models import CollectionRun

DAILY = 1440  # minutes


def clear_runs(now: datetime, *, run_days: int, figure_days: int) -> int:
    """
    Forget complete runs after `run_days`, all others after `figure_days`; returns how many went.

    A target read daily has so few that its complete ones stay as long as the others, by which weeks of long ago are told.
    The newest run of a target stays, and the newest that read something: what is said of the target today rests on them.
    """
    is_frequent = Q(state=CollectionRun.State.COMPLETE, target__interval_minutes__lt=DAILY)
    is_read = Q(state__in=CollectionRun.WITH_SNAPSHOT)
    old = CollectionRun.objects.filter(
        Q(is_frequent, slot__lt=now - timedelta(days=run_days))
        | Q(slot__lt=now - timedelta(days=figure_days)),
        _newer(CollectionRun.objects.all()),
        ~is_read | Q(_newer(CollectionRun.objects.filter(is_read))),
    )
    count, _ = old.delete()
    return count


def _newer(runs: QuerySet[CollectionRun]) -> Exists:
    """Whether a target has a later run among these."""
    return Exists(runs.filter(target=OuterRef("target"), slot__gt=OuterRef("slot")))
