"""What is noticed, and what people did since the last review, so that the estate is read as it stands between two reviews."""

from datetime import datetime, timedelta

from apps.advisors.findings import try_rules
from apps.inventory.models import Target
from apps.profiles.models import Baseline
from apps.thresholds.models import Severity, Threshold
from apps.thresholds.register import add_threshold, change_threshold, limit_fields, read_limits

STEADY = "DWPRD"  # its days are known for longest


def change_limits(now: datetime) -> None:
    """Two limits are set, one beyond which its figure is already; one more beside another; one is changed."""
    target = Target.objects.get(name="PAYPRD")
    add_threshold("db_size_gb", "<=1", now=now, target=target)
    add_threshold("db_filled_gb", "<=90000", now=now, target=target)
    steady = Target.objects.get(name=STEADY)
    add_threshold("tm_db_time", "<500", now=now, target=steady, severity=Severity.CRITICAL)
    changed = Threshold.objects.in_force().get(target=steady, metric="pga_allocated")
    (limit,) = read_limits(changed.metric, "<1 GB")
    change_threshold(changed, {"notation": "<1 GB", **limit_fields(limit)}, by=None, now=now)


def try_all_rules() -> None:
    """Rules are tried on the last reviewed day of each target, as its review does; the estate is loaded without."""
    for target in Target.objects.in_estate().exclude(reviewed_through=None):
        assert target.reviewed_through is not None
        try_rules(target, target.reviewed_through)


def mark_steady(now: datetime) -> None:
    """A month of a target becomes its steady period."""
    last = now.date() - timedelta(days=7)
    Baseline.objects.create(
        target=Target.objects.get(name=STEADY),
        first_day=last - timedelta(days=29),
        last_day=last,
        marked_at=now,
    )
