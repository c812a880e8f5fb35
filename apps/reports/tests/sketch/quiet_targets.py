"""Which targets nobody set a limit for."""

from collections.abc import Mapping
from datetime import datetime

from apps.inventory.models import Group, Target
from apps.reports.engine.week import Week
from apps.reports.registry import report_by_template


def find_quiet_targets(week: Week, now: datetime, group: Group | None) -> Mapping[str, object]:
    targets = Target.objects.in_estate().filter(thresholds=None)
    names = list((targets.filter(group=group) if group else targets).values_list("name", flat=True))
    return {"week": week.name, "sentence": f"{len(names)} without a limit.", "names": names}


QUIET_TARGETS = report_by_template("quiet_targets", "Quiet targets", find_quiet_targets)
