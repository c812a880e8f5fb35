"""Days that are left out of judging: their list, and the form of one."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.charts import figures
from apps.people.models import User
from apps.thresholds.calendar_register import save_calendar, withdraw_calendar
from apps.thresholds.calendars import Calendar
from apps.thresholds.changes import CalendarChange, ChangedMeanwhile
from apps.thresholds.engine.day_notation import days_covered
from apps.thresholds.models import Threshold
from apps.web.cells import link
from apps.web.pages.calendars.forms import CalendarForm
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, FigureColumn, RowHead, Table, page_or_file
from apps.web.target_page import retired_target

BACK, AHEAD = 90, 60  # days
MOST_LISTED = 6
SUGGESTED = ("name", "kind", "days", "target", "group")  # what an address may begin the form with
NEWEST = 20  # changes of all calendars


def calendar_list(request: HttpRequest) -> HttpResponse:
    """Every calendar in force, with the days it covers around today."""
    calendars = Calendar.objects.in_force().select_related("target", "group", "set_by")
    calendars = calendars.filter(Q(target=None) | Q(target__retired_at=None))
    rows = [_row(calendar, can_change=may_change(request)) for calendar in calendars]
    asking = Threshold.objects.in_force().filter(leaves_out_peaks=True).count()
    if rows:
        verb = "leaves" if len(rows) == 1 else "leave"
        sentence = [
            Part(f"{capital(count(len(rows), 'calendar'))} {verb} days out", True),
            Part(f"; {count(asking, 'limit')} {'leaves' if asking == 1 else 'leave'} out known peaks."),
        ]
    else:
        sentence = [Part("Every day is judged", True), Part(": no calendar leaves any out.")]
    return page_or_file(
        request,
        "pages/calendars/calendars.html",
        {
            "calendars": CALENDARS.fill(rows),
            "sentence": sentence,
            "can_change": may_change(request),
            "history": CalendarChange.objects.select_related("by", "calendar")[:NEWEST],
        },
    )


def _row(calendar: Calendar, *, can_change: bool) -> dict[str, Any]:
    today = timezone.now().date()
    past = list(days_covered(calendar.rules, today - timedelta(days=BACK), today))
    coming = list(days_covered(calendar.rules, today + timedelta(days=1), today + timedelta(days=AHEAD)))
    following = ", ".join(figures.short_day(day) for day in coming[:MOST_LISTED])
    return {
        "calendar": calendar,
        "url": calendar.get_absolute_url() if can_change else "",
        "past": len(past),
        "coming": f"{following} …" if len(coming) > MOST_LISTED else following or f"none in {AHEAD} days",
    }


def _set(row: Mapping[str, Any]) -> str:
    calendar = row["calendar"]
    return f"{calendar.set_by or 'nobody named'}, {figures.long_day(calendar.set_at)}"


def _left_out_of(row: Mapping[str, Any]) -> str:
    is_maintenance = row["calendar"].kind == Calendar.Kind.MAINTENANCE
    return "every limit" if is_maintenance else "limits that leave out peaks"


CALENDARS: Table[Mapping[str, Any]] = Table(
    "calendars",
    "Calendars in force",
    (
        RowHead(
            "calendar", lambda row: row["calendar"].name, lambda row: link(row["url"], row["calendar"].name)
        ),
        Column("left out of", _left_out_of),
        Column("holds for", lambda row: row["calendar"].scope),
        Column("days", lambda row: ", ".join(rule.text for rule in row["calendar"].rules)),
        FigureColumn(f"last {BACK} days", lambda row: row["past"]),
        Column("next", lambda row: row["coming"], css="quiet-text"),
        Column("by", _set, css="quiet-text"),
    ),
    title="Calendars",
    css="folds two-facts",
)


@planner_required
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new calendar, or one that is in force; withdrawn, its days are judged again from the next review on."""
    calendar = get_object_or_404(Calendar, pk=pk) if pk else None
    if calendar is not None and calendar.is_idle:
        return _idle(request, calendar)
    by = request.user if isinstance(request.user, User) else None
    stands = calendar.set_at.isoformat() if calendar else ""
    read = stands and (request.POST.get("read") or stands)  # kept while something else is mended
    initial = {name: request.GET[name] for name in SUGGESTED if name in request.GET}
    if gone := retired_target(initial.get("target", "")):
        messages.warning(request, f"{gone.name} was retired; none of its days is judged.")
        return redirect(gone)
    form = CalendarForm(
        None if "withdraw" in request.POST else request.POST or None, instance=calendar, initial=initial
    )
    refused = ""
    try:
        if calendar is not None and "withdraw" in request.POST:
            withdraw_calendar(calendar, by=by, now=timezone.now(), read=read or None)
            sentence = f"{calendar.name} is withdrawn; its days are judged again from the next review on."
            messages.success(request, sentence)
            return redirect("calendars")
        if form.is_valid():
            save_calendar(form.save(commit=False), by=by, now=timezone.now(), read=read or None)
            messages.success(request, "Saved. It applies from the next review.")
            return redirect("calendars")
    except ChangedMeanwhile as error:
        read = stands
        refused = f"{error} What is below is not saved; save again to save it anyway."
    return render(
        request,
        "pages/calendars/calendar.html",
        {
            "form": form,
            "calendar": calendar,
            "read": read,
            "refused": refused,
            "history": _changes(calendar) if calendar else None,
        },
    )


def _idle(request: HttpRequest, calendar: Calendar) -> HttpResponse:
    """What is no longer in force: who withdrew it or that its target left, and a way to have it again."""
    if request.method == "POST":
        why = (
            "was withdrawn after you opened it"
            if calendar.withdrawn_at
            else "is of a target that was retired"
        )
        messages.warning(request, f"{calendar.name} {why}; nothing is saved.")
        return redirect(calendar)
    context = {"calendar": calendar, "history": _changes(calendar), "add_url": _add_url(calendar)}
    return render(request, "pages/calendars/withdrawn.html", context)


def _add_url(calendar: Calendar) -> str:
    """Where to add a calendar of the same days."""
    query = {
        "days": calendar.days,
        "kind": calendar.kind,
        "name": calendar.name,
        "target": calendar.target_id,
        "group": calendar.group_id,
    }
    return reverse("calendar_add", query={name: value for name, value in query.items() if value})


def _changes(calendar: Calendar) -> QuerySet[CalendarChange]:
    """Every change of a calendar, newest first."""
    return calendar.changes.select_related("by")
