"""The weekly report by mail: a row for each recipient first, then the sending."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo

from django.db import transaction

from apps.inventory.models import Group
from apps.notices.mail import join_lines
from apps.notices.models import Delivery, RecipientList, new_message_id
from apps.reports.engine.week import Week, last_complete_week
from apps.reports.models import WeeklyReport
from apps.reports.weekly_report import compose_weekly_report

LATE = timedelta(days=6)  # a list that was not served for so long waits for its next week


def send_due_reports(now: datetime) -> list[Delivery]:
    """Prepare the report for each list whose day and hour has come; each week once, also after a stop."""
    made: list[Delivery] = []
    for recipient_list in RecipientList.objects.filter(is_active=True).select_related("group"):
        moment = recipient_list.last_moment(now)
        week = last_complete_week(moment)
        if recipient_list.last_week < week.name and now - moment < LATE:
            made += send_weekly_report(recipient_list, week, now)
    return made


def send_weekly_report(recipient_list: RecipientList, week: Week, now: datetime) -> list[Delivery]:
    """
    Prepare the report of a week for everybody on a list. Raises NotOverYet.

    The rows, the report as sent and the note that the list was served are one transaction; who has a row already gets
    no second one.
    """
    with transaction.atomic():
        current = RecipientList.objects.select_for_update().get(pk=recipient_list.pk)
        report = _report(week, now, current.group, current.zone)
        made = prepare(report, current.recipients, now, current)
        current.last_week = max(current.last_week, week.name)
        current.save(update_fields=["last_week"])
    return made


def _report(week: Week, now: datetime, group: Group | None, zone: tzinfo) -> WeeklyReport:
    """The report that others were sent of this week, else one composed now."""
    sent = WeeklyReport.objects.sent().newest_of(week, group)
    return sent or compose_weekly_report(week, now, group, zone)


def prepare(
    report: WeeklyReport,
    recipients: Sequence[str],
    now: datetime,
    recipient_list: RecipientList | None = None,
) -> list[Delivery]:
    """A row for each recipient who has none of this report yet; from here on the report is kept as sent."""
    have = set(Delivery.objects.filter(report=report).values_list("recipient", flat=True))
    made = Delivery.objects.bulk_create(
        Delivery(
            listed=recipient_list,
            report=report,
            recipient=address,
            message_id=new_message_id(),
            subject=join_lines(report.sentences[0])[:300],
            made_at=now.astimezone(UTC),
        )
        for address in recipients
        if address not in have
    )
    if made and report.sent_at is None:
        report.sent_at = now
        report.save(update_fields=["sent_at"])
    return made
