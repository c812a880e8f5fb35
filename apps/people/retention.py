"""What is not kept of sign-ins."""

from datetime import datetime, timedelta

from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session

from apps.people.sign_in_limits import PERIOD

LOG_KEPT = timedelta(days=90)


def clear_sign_ins(now: datetime) -> None:
    """Remove sessions that have ended, failures that count no more, and sign-ins of more than 90 days ago."""
    Session.objects.filter(expire_date__lt=now).delete()
    AccessAttempt.objects.filter(attempt_time__lt=now - PERIOD).delete()
    AccessLog.objects.filter(attempt_time__lt=now - LOG_KEPT).delete()
