"""What cannot be measured on a host by its files, or by the way it is read, with what would give it."""

from collections.abc import Mapping
from datetime import date

from apps.collection.file_readers import file_source_of
from apps.inventory.models import Target
from apps.snapshots.models import Coverage, Fact

SYSTEM = "operating_system"  # the fact that names it


def not_measurable_of(target: Target, day: date | None) -> Mapping[str, str]:
    """What the tools of a host's system cannot give of a day of files, and what its collector cannot of other days."""
    source = file_source_of(target)
    if source is None or day is None:
        return {}
    if not Coverage.objects.filter(target=target, day=day).exclude(origin="").exists():
        return source.not_measurable.get(target.collector, {})
    systems = Fact.objects.filter(target=target, name=SYSTEM, component="").order_by("-since")
    return source.not_measurable.get(systems.values_list("value", flat=True).first() or "", {})
