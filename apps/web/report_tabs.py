"""Which detail reports of a target have something to show."""

from datetime import date, timedelta

from apps.catalog.details import Detail
from apps.inventory.models import Target
from apps.snapshots.models import Coverage


def categories_read(target: Target, until: date, days: int = 35) -> set[int]:
    """The categories that were read of a target lately: which of its tabs have something to show."""
    covers = Coverage.objects.filter(target=target, day__gt=until - timedelta(days=days), day__lte=until)
    return {
        int(category)
        for entries in covers.values_list("categories", flat=True)
        for category, entry in entries.items()
        if "missing" not in entry
    }


def has_something(detail: Detail, target: Target, read: set[int]) -> bool:
    """Whether a tab has anything of this target; that of the host wants one below it."""
    if detail.beside_host:
        return target.runs_on_id is not None
    return bool(detail.categories(target.platform) & read)
