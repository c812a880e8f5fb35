"""What rules began to notice during a week."""

from django.db.models import QuerySet

from apps.advisors.standing_findings import read_standing_findings
from apps.inventory.models import Target
from apps.reports.engine.week import Week
from apps.reports.facts import WeekFinding

MOST = 12


def find_week_findings(targets: QuerySet[Target], week: Week) -> list[WeekFinding]:
    """Findings that opened in the week and stand still, worst first; what was dismissed is left out."""
    standing = [
        row
        for row in read_standing_findings(targets)
        if row.dismissal is None and week.first_day <= row.finding.opened_on <= week.last_day
    ]
    return [
        WeekFinding(row.finding.target.name, row.rule.title, row.finding.weight, row.rule.key)
        for row in standing[:MOST]
    ]
