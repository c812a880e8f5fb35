"""What users said of the days of a week."""

from django.db.models import QuerySet

from apps.inventory.models import Target
from apps.profiles.models import Note
from apps.reports.engine.week import Week
from apps.reports.facts import WeekVerdict

MOST = 12


def find_week_verdicts(targets: QuerySet[Target], week: Week) -> list[WeekVerdict]:
    """The verdicts on days of the week about these targets, their groups or all; what was slow stands first."""
    about_these = Note.objects.standing().verdicts().between(week.first_day, week.last_day)
    scopes = set(targets.values_list("pk", "group"))
    pks, groups = {pk for pk, _ in scopes}, {group for _, group in scopes}
    verdicts = [
        WeekVerdict(
            note.scope, max(note.first_day, week.first_day).isoformat(), note.verdict, note.text, note.said_by
        )
        for note in about_these
        if (note.target_id in pks if note.target_id else note.group_id is None or note.group_id in groups)
    ]
    return sorted(verdicts, key=lambda verdict: (verdict.verdict != Note.Verdict.SLOW, verdict.on))[:MOST]
