"""Notes on days: their list, and the form of one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Note
from apps.web.address import number_in, way_back
from apps.web.day_notes import NOTES, add_url, note_rows
from apps.web.pages.notes.forms import NoteForm
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import page_or_file
from apps.web.target_page import day_asked

MOST = 500


def note_list(request: HttpRequest) -> HttpResponse:
    """What people said of days, newest first: of everything, or all that concerns one target."""
    target = Target.objects.filter(pk=number_in(request.GET.get("target")) or 0).first()
    notes = Note.objects.about(target) if target else Note.objects.standing()
    rows = note_rows(notes[:MOST], back=request.get_full_path(), can_change=may_change(request))
    about = f" about {target.name}" if target else ""
    sentence = (
        [Part(capital(count(len(rows), "note on days", "notes on days")), True), Part(f"{about}.")]
        if rows
        else [Part("There is no note on a day yet", True), Part(".")]
    )
    return page_or_file(
        request,
        "pages/notes/notes.html",
        {
            "notes": NOTES.fill(rows),
            "sentence": sentence,
            "target": target,
            "can_change": may_change(request),
            "add_url": add_url(target, None, request.get_full_path()) if target else reverse("note_add"),
        },
    )


@planner_required
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new note, one that is changed, or one that is removed."""
    note = get_object_or_404(Note.objects.standing(), pk=pk) if pk else None
    stands = _stamp(note)
    if request.method == "POST" and note and "remove" in request.POST:
        note.removed_at = timezone.now()
        note.save(update_fields=["removed_at"])
        messages.success(request, f"Removed: “{note.text}”.")
        return redirect(_next(request))
    form = NoteForm(request.POST or None, instance=note, initial=_initial(request))
    if request.method == "POST" and note and request.POST.get("read") not in (None, "", stands):
        form.add_error(None, _overtaken(note))
    elif form.is_valid():
        by = request.user if isinstance(request.user, User) else None
        if note is None:
            form.instance.written_by, form.instance.written_at = by, timezone.now()
        else:
            form.instance.changed_by, form.instance.changed_at = by, timezone.now()
        form.save()
        messages.success(request, "Saved. It is shown on its days in every chart.")
        return redirect(_next(request))
    return render(
        request,
        "pages/notes/note.html",
        {
            "form": form,
            "note": Note.objects.standing().get(pk=pk) if pk else None,
            "read": stands,
            "next": _next(request),
        },
    )


def _stamp(note: Note | None) -> str:
    return "" if note is None else (note.changed_at or note.written_at).isoformat()


def _overtaken(note: Note) -> str:
    theirs = Note.objects.standing().get(pk=note.pk)
    at = theirs.changed_at or theirs.written_at
    return (
        f"{theirs.changed_by or 'Somebody'} changed this note at {at:%H:%M}, after you opened it."
        f" Yours is kept below, theirs is “{theirs.text}”; save again to keep yours."
    )


def _initial(request: HttpRequest) -> dict[str, Any]:
    """What the address fills in: the target or group, and the day."""
    initial: dict[str, Any] = {
        name: value for name in ("target", "group") if (value := number_in(request.GET.get(name))) is not None
    }
    if day := day_asked(request):
        initial["first_day"] = day
    if (verdict := request.GET.get("verdict", "")) in Note.Verdict.values:
        initial["verdict"] = verdict
    return initial


def _next(request: HttpRequest) -> str:
    """Where to go afterwards: a page of this site, else the list."""
    address = request.POST.get("next") or request.GET.get("next", "")
    return way_back(request, address) or reverse("notes")
