"""What cannot be measured on a host that is read from files, with what would give it."""

from collections.abc import Mapping
from datetime import date

from apps.collection.file_readers import file_source_of
from apps.inventory.models import Target
from apps.snapshots.models import Coverage, Fact

SYSTEM = "operating_system"  # the fact that names it


def not_measurable_of(target: Target, day: date | None) -> Mapping[str, str]:
    """What the tools of a host's system cannot give; empty of a day whose figures come from readings."""
    source = file_source_of(target)
    if source is None or day is None:
        return {}
    if not Coverage.objects.filter(target=target, day=day).exclude(origin="").exists():
        return {}
    systems = Fact.objects.filter(target=target, name=SYSTEM, component="").order_by("-since")
    return source.not_measurable.get(systems.values_list("value", flat=True).first() or "", {})
