"""Due days, of a violation or of a person, as calendar files."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from apps.advisors.attachments import safe_name
from apps.advisors.calendar_entries import entries_of_person, entries_of_violation
from apps.advisors.engine.ics import CalendarEntry, calendar_file
from apps.people.models import User
from apps.thresholds.models import Violation
from apps.web.pages.case.case_page import find_case


@require_safe
def violation_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """The due days of a violation as a calendar file."""
    violation = find_case(pk)
    name = f"{violation.what} on {violation.target.name}"
    return _calendar(name, f"violation-{pk}.ics", entries_of_violation(violation, _address))


@require_safe
def person_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """The due days of a person as a calendar file."""
    person = get_object_or_404(User, pk=pk, is_active=True)
    name = f"Headroom: what {person} has to do"
    return _calendar(name, f"{person.username}.ics", entries_of_person(person, _address))


def _address(violation: Violation) -> str:
    return f"{settings.HEADROOM_URL.rstrip('/')}{violation.get_absolute_url()}"


def _calendar(name: str, file: str, entries: Any) -> HttpResponse:
    listed: list[CalendarEntry] = list(entries)
    answer = HttpResponse(
        calendar_file(name, listed, timezone.now()), content_type="text/calendar; charset=utf-8"
    )
    answer["Content-Disposition"] = content_disposition_header(True, safe_name(file)) or "attachment"
    answer["Cache-Control"] = "private, no-store"
    return answer
