"""The weekly report: composed, kept, and told again as it was known then (docs/notices.md)."""

from datetime import UTC, datetime, time, timedelta, tzinfo

from apps.inventory.models import Group
from apps.reports.conclusion import write_sentences
from apps.reports.engine.week import BadWeek, Week, last_complete_week
from apps.reports.models import WeeklyReport
from apps.reports.week_facts import gather_facts

COMPOSED_AT = time(7, 0)  # on the Monday after, where nobody chose another hour


class NotOverYet(BadWeek):
    """The week still runs, or lies ahead."""


def compose_weekly_report(
    week: Week, now: datetime, group: Group | None = None, zone: tzinfo = UTC
) -> WeeklyReport:
    """
    Compose and keep the report of a week. Raises NotOverYet.

    Composing again replaces what was not sent; what was sent is kept beside it. The last week is told as it is known
    now; an earlier one as it was known on the Monday after it.
    """
    here = now.astimezone(zone)
    newest = last_complete_week(here)
    if week > newest:
        raise NotOverYet(
            f"Week {week.name} is not over yet; its report can be composed from {week.following.first_day:%-d %B %Y}."
        )
    is_later = week < newest
    known_at = composition_moment(week, zone) if is_later else now
    facts = gather_facts(week, known_at, group, is_later=is_later)
    content = {"sentences": write_sentences(facts), **facts.as_content()}
    report, _ = WeeklyReport.objects.update_or_create(
        week=week.name, group=group, sent_at=None, defaults={"composed_at": now, "content": content}
    )
    return report


def composition_moment(week: Week, zone: tzinfo) -> datetime:
    """The moment at which the report of a week would have been composed."""
    return datetime.combine(week.last_day + timedelta(days=1), COMPOSED_AT, zone).astimezone(UTC)
