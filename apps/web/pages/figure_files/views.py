"""Files of daily figures: dropped here, understood, put to our names, stored by a worker once somebody says so."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.collection.engine.figure_rows import EXAMPLE, BadFigures
from apps.collection.history.figure_files import (
    drop_file,
    give_file,
    map_file,
    start_storing,
    take_back_file,
)
from apps.collection.history.models import FigureFile
from apps.people.models import User
from apps.web.pages.figure_files.file_page import FILES, PROBLEMS, UNDERSTOOD, remarks_of, sentence_of
from apps.web.pages.figure_files.forms import GiveForm, MappingForm
from apps.web.rights import planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import page_or_file
from apps.web.uploads import LARGEST, bytes_sent
from worker.tasks import store_figure_file

MEGABYTE = 1024 * 1024


@planner_required
def figure_files(request: HttpRequest) -> HttpResponse:
    """The files that were given, and the place to give one."""
    initial = {"target": request.GET.get("target", "")}
    form = GiveForm(request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and (file := _give(request, form)) is not None:
        return redirect(file)
    files = list(FigureFile.objects.defer("content").select_related("person"))
    sentence = [
        Part("Bring daily figures as CSV", True),
        Part(": what was understood is shown before anything is stored."),
    ]
    context = {"form": form, "files": FILES.fill(files), "sentence": sentence, "example": EXAMPLE}
    return page_or_file(request, "pages/figure_files/files.html", context)


def _give(request: HttpRequest, form: GiveForm) -> FigureFile | None:
    """Keep the file of a form; None where it cannot be taken, which the form says."""
    if bytes_sent(request) > LARGEST:
        form.add_error(
            "file",
            f"At most {LARGEST // MEGABYTE} MB are taken at once: cut the file, or use manage.py import_csv_history.",
        )
        return None
    if not form.is_valid():
        return None
    assert isinstance(request.user, User)
    upload = form.cleaned_data["file"]
    try:
        return give_file(
            str(upload.name)[-200:], upload.read(), form.cleaned_data["target"], request.user, timezone.now()
        )
    except BadFigures as error:
        form.add_error("file", str(error))
        return None


@planner_required
def figure_file(request: HttpRequest, pk: int) -> HttpResponse:
    """One file: what was understood and what not, its columns and names, and what becomes of it."""
    file = get_object_or_404(FigureFile.objects.select_related("person"), pk=pk)
    form = MappingForm(file, request.POST if "map" in request.POST else None)
    if request.method == "POST" and _act(request, file, form):
        return redirect("figure_files" if "drop" in request.POST else file)
    context = {
        "file": file,
        "form": form if file.state == FigureFile.State.READ else None,
        "sentence": sentence_of(file),
        "remarks": remarks_of(file),
        "understood": UNDERSTOOD.fill(file.report.get("statistics", [])),
        "problems": PROBLEMS.fill(file.report.get("problems", [])),
        "can_store": file.state == FigureFile.State.READ and bool(file.report.get("figures")),
        "has_stored": file.first_day is not None and not file.is_under_way,
        "part_url": f"{reverse('figure_file', args=[pk])}?part=1",
    }
    if request.GET.get("part"):
        return render(request, "pages/figure_files/state.html", context)
    return page_or_file(request, "pages/figure_files/file.html", context)


def _act(request: HttpRequest, file: FigureFile, form: MappingForm) -> bool:
    """Do what a button says; False where a field needs another look."""
    now = timezone.now()
    try:
        if "map" in request.POST:
            if not form.is_valid():
                return False
            if file.state == FigureFile.State.READ:
                map_file(file, form.columns, form.names, now)
        elif "store" in request.POST:
            start_storing(file, now)
            store_figure_file.delay(file.pk)
        elif "take-back" in request.POST:
            days = take_back_file(file, now)
            messages.success(
                request, f"{capital(count(days, 'day'))} taken back; what Headroom measured itself stays."
            )
        elif "drop" in request.POST:
            drop_file(file)
    except BadFigures as error:
        messages.error(request, str(error))
    except OperationalError:
        messages.warning(request, "Headroom's queue does not answer; a worker goes on as soon as it does.")
    return True
