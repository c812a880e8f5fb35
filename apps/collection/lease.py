"""
At most one collection at a time for a target: a lease in its row, with an expiry.

Not an advisory lock, which would hold a database connection while the target is waited for.
"""

from datetime import datetime, timedelta

from django.db.models import Q

from apps.inventory.models import Target

LEASE = timedelta(minutes=15)  # longer than any collection may take; a killed worker's lease ends by itself


def take_lease(target: Target, holder: str, now: datetime) -> bool:
    """
    Take the lease unless somebody else has it; the same holder may take it again (a task delivered twice).

    A lease that ends later than any taken now was given by a clock that has since jumped back, and counts as expired.
    """
    free = (
        Q(leased_until=None) | Q(leased_until__lt=now) | Q(leased_until__gt=now + LEASE) | Q(leased_by=holder)
    )
    taken = Target.objects.filter(free, pk=target.pk).update(leased_until=now + LEASE, leased_by=holder)
    return taken == 1


def give_back(target: Target, holder: str) -> None:
    Target.objects.filter(pk=target.pk, leased_by=holder).update(leased_until=None, leased_by="")
