"""Days that are left out of judging: their list, and the form of one."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from apps.charts import figures
from apps.people.models import User
from apps.thresholds.calendars import Calendar
from apps.thresholds.day_notation import days_covered
from apps.thresholds.models import Threshold
from apps.web.calendar_form import CalendarForm
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, count

BACK, AHEAD = 90, 60  # days
SHOWN = 6


def calendar_list(request: HttpRequest) -> HttpResponse:
    """Every calendar in force, with the days it covers around today."""
    calendars = Calendar.objects.in_force().select_related("target", "group", "set_by")
    rows = [_row(one) for one in calendars]
    asking = Threshold.objects.in_force().filter(leaves_out_peaks=True).count()
    if rows:
        verb = "leaves" if len(rows) == 1 else "leave"
        sentence = [
            Part(f"{capital(count(len(rows), 'calendar'))} {verb} days out", True),
            Part(f"; {count(asking, 'limit')} {'leaves' if asking == 1 else 'leave'} out known peaks."),
        ]
    else:
        sentence = [Part("Every day is judged", True), Part(": no calendar leaves any out.")]
    return render(
        request,
        "pages/calendars.html",
        {"rows": rows, "sentence": sentence, "can_change": may_change(request), "back": BACK},
    )


def _row(calendar: Calendar) -> dict[str, Any]:
    today = timezone.now().date()
    past = list(days_covered(calendar.rules, today - timedelta(days=BACK), today))
    coming = list(days_covered(calendar.rules, today + timedelta(days=1), today + timedelta(days=AHEAD)))
    following = ", ".join(figures.short_day(day) for day in coming[:SHOWN])
    return {
        "calendar": calendar,
        "past": len(past),
        "coming": f"{following} …" if len(coming) > SHOWN else following or f"none in {AHEAD} days",
    }


@planner_required
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new calendar, or one that is in force; withdrawn, its days are judged again from the next review on."""
    calendar = get_object_or_404(Calendar.objects.in_force(), pk=pk) if pk else None
    if request.method == "POST" and calendar and "withdraw" in request.POST:
        calendar.withdrawn_at = timezone.now()
        calendar.save(update_fields=["withdrawn_at"])
        messages.success(
            request, f"{calendar.name} is withdrawn; its days are judged again from the next review on."
        )
        return redirect("calendars")
    given = {name: request.GET[name] for name in ("target", "group", "kind", "days") if name in request.GET}
    form = CalendarForm(request.POST or None, instance=calendar, initial=given)
    if form.is_valid():
        form.instance.set_by = request.user if isinstance(request.user, User) else None
        form.instance.set_at = timezone.now()
        form.save()
        messages.success(request, "Saved. It applies from the next review.")
        return redirect("calendars")
    return render(request, "pages/calendar_form.html", {"form": form, "calendar": calendar})
