"""Remove the estate with everything of it."""

from django.db import connection, transaction

from apps.demo.estate import EVERYBODY, PEOPLE
from apps.demo.live_instances import GROUP
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.reports.models import WeeklyReport
from apps.thresholds.calendars import Calendar
from apps.thresholds.models import Threshold


def remove_demo() -> int:
    """Delete the fictional targets, all that was measured of them, their people and emptied groups; returns how many targets."""
    with transaction.atomic():
        targets = list(Target.objects.demo())
        with connection.cursor() as cursor:
            for table in ("snapshot", "figure"):
                cursor.execute(
                    f"DELETE FROM {table} WHERE target_id = ANY(%s)", [[target.pk for target in targets]]
                )
        Target.objects.demo().delete()
        WeeklyReport.objects.filter(sent_at=None).delete()  # they can be composed again, of what is left
        names = [person.username for person in PEOPLE]
        Threshold.objects.filter(set_by__username__in=names).delete()
        Calendar.objects.filter(set_by__username__in=names).delete()
        groups = {member.group for member in EVERYBODY} | {GROUP}
        Group.objects.filter(name__in=groups, targets=None).delete()
        User.objects.filter(username__in=names).delete()
    return len(targets)
