"""The history of a target: looked for, shown, read by a worker once somebody says so, and taken back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.charts.words import capital, count
from apps.collection.file_readers import file_source_of
from apps.collection.history.imports import (
    NoHistory,
    ask_for_history,
    pause_reading,
    resume_reading,
    start_reading,
    take_back_history,
)
from apps.collection.history.models import HistoryImport
from apps.collection.history.sources import has_history
from apps.inventory.models import Target
from apps.people.models import User
from apps.web.pages.history.history_lines import LINES, known_days
from apps.web.pages.history.history_rows import sentence_of, source_rows
from apps.web.rights import planner_required
from apps.web.tables import page_or_file
from worker.tasks import look_for_past, read_past


@planner_required
def target_history(request: HttpRequest, pk: int) -> HttpResponse:
    """What a target remembers, and how far it is read."""
    target = get_object_or_404(Target, pk=pk)
    if request.method == "POST":
        _act(request, target)
        return redirect("target_history", pk=pk)
    history = HistoryImport.objects.filter(target=target).select_related("person").first()
    today = timezone.now().astimezone(target.zone).date()
    context = {
        "target": target,
        "history": history,
        "rows": source_rows(history, today),
        "sentence": sentence_of(target, history),
        "has_history": has_history(target),
        "file_source": file_source_of(target),
        "can_read": history is not None and history.can_be_read,
        "percent": round(100 * history.share_read) if history else 0,
        "part_url": f"{reverse('target_history', args=[pk])}?part=1",
    }
    if request.GET.get("part"):
        return render(request, "pages/history/state.html", context)
    lines = LINES.fill(known_days(target, today), file_name=f"history-{target.name}-{today}")
    return page_or_file(request, "pages/history/history.html", context | {"lines": lines})


def _act(request: HttpRequest, target: Target) -> None:
    """Do what a button says; a sentence where that cannot be."""
    assert isinstance(request.user, User)
    now = timezone.now()
    try:
        if "look" in request.POST:
            ask_for_history(target, request.user, now)
            look_for_past.delay(target.pk)
        elif "read" in request.POST:
            start_reading(target, request.POST.getlist("source"), now)
            read_past.delay(target.pk)
        elif "pause" in request.POST:
            pause_reading(target)
        elif "resume" in request.POST and resume_reading(target, now):
            read_past.delay(target.pk)
        elif "take-back" in request.POST:
            days = take_back_history(target, now)
            messages.success(
                request, f"{capital(count(days, 'day'))} taken back; what Headroom measured itself stays."
            )
    except NoHistory as error:
        messages.error(request, str(error))
    except OperationalError:
        messages.warning(request, "Headroom's queue does not answer; a worker goes on as soon as it does.")
