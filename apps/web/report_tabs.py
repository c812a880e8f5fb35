"""Which detail reports of a target have something to show."""

from collections.abc import Set as AbstractSet

from apps.catalog.details import Detail
from apps.inventory.models import Target


def has_something(detail: Detail, target: Target, read: AbstractSet[int]) -> bool:
    """Whether a tab has anything of this target, of which these categories were read; that of the host wants one below it."""
    if detail.beside_host:
        return target.runs_on_id is not None
    return any(category in read for category in detail.categories(target.platform))
