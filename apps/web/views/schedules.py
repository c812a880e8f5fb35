"""When jobs run, and the demo estate."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from apps.demo.load import demo_progress
from apps.demo.remove import remove_demo
from apps.inventory.models import Target
from apps.web.rights import may_change, planner_required
from apps.web.schedule_form import JobForm


def schedules(request: HttpRequest) -> HttpResponse:
    """The timetable: jobs that run each minute, and those whose hour can be changed."""
    posted = None
    if request.method == "POST":
        response, posted = _save(request)
        if response is not None:
            return response
    jobs = [
        _job(job, posted)
        for job in PeriodicTask.objects.select_related("crontab", "interval").order_by("name")
        if job.task.startswith("worker.")
    ]
    return render(
        request,
        "pages/schedules.html",
        {
            "jobs": jobs,
            "reading_days": settings.HEADROOM_READING_DAYS,
            "figure_days": settings.HEADROOM_FIGURE_DAYS,
            "can_change": may_change(request),
        },
    )


@planner_required
def _save_job(request: HttpRequest, job: PeriodicTask, form: JobForm) -> HttpResponse:
    given = form.cleaned_data
    crontab, _ = CrontabSchedule.objects.get_or_create(
        minute=str(given["minute"]),
        hour=str(given["hour"]),
        day_of_week=given["weekday"],
        day_of_month="*",
        month_of_year="*",
        timezone=given["zone"],
    )
    job.crontab, job.enabled = crontab, given["enabled"]
    job.save()
    messages.success(request, f"Saved. {job.name} runs by it from now on.")
    return redirect("schedules")


def _save(request: HttpRequest) -> tuple[HttpResponse | None, tuple[int, JobForm] | None]:
    job = get_object_or_404(PeriodicTask, pk=request.POST.get("job"), crontab__isnull=False)
    form = JobForm(request.POST)
    if form.is_valid():
        return _save_job(request, job, form), None
    return None, (job.pk, form)


def _job(job: PeriodicTask, posted: tuple[int, JobForm] | None) -> dict[str, Any]:
    form = None
    if job.crontab is not None:
        at = job.crontab
        form = JobForm(
            initial={
                "hour": at.hour,
                "minute": at.minute,
                "weekday": at.day_of_week,
                "zone": str(at.timezone),
                "enabled": job.enabled,
            }
        )
        if posted is not None and posted[0] == job.pk:
            form = posted[1]
    return {"pk": job.pk, "name": job.name, "when": _when(job), "last_run": job.last_run_at, "form": form}


def _when(job: PeriodicTask) -> str:
    if job.crontab is None:
        return "every minute"
    at = job.crontab
    day = "every day" if at.day_of_week == "*" else f"on {_weekday(at.day_of_week)}"
    return f"{day} at {int(at.hour):02}:{int(at.minute):02} {at.timezone}"


def _weekday(number: str) -> str:
    return ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][int(number) % 7]


def demo(request: HttpRequest) -> HttpResponse:
    """What the demo estate is, and the one button that removes it."""
    if request.method == "POST":
        return _remove(request)
    progress = demo_progress()
    return render(
        request,
        "pages/demo.html",
        {
            "targets": Target.objects.demo().count(),
            "progress": progress,
            "can_change": may_change(request),
            "now": timezone.now(),
        },
    )


@planner_required
def _remove(request: HttpRequest) -> HttpResponse:
    messages.success(
        request, f"The demo estate is removed: {remove_demo()} targets and all that was measured of them."
    )
    return redirect("estate")
