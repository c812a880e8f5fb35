"""When jobs run."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from apps.charts import figures
from apps.web.address import number_in
from apps.web.pages.schedules.forms import JobForm
from apps.web.rights import may_change, planner_required
from apps.web.tables import Column, DrawingColumn, RowHead, Table, page_or_file

EVERY = "*"  # minute, as crontabs write it


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
    return page_or_file(
        request,
        "pages/schedules/schedules.html",
        {
            "jobs": TIMETABLE.fill(jobs),
            "reading_days": settings.HEADROOM_READING_DAYS,
            "figure_days": settings.HEADROOM_FIGURE_DAYS,
            "run_days": settings.HEADROOM_RUN_DAYS,
            "can_change": may_change(request),
        },
    )


@planner_required
def _save_job(request: HttpRequest, job: PeriodicTask, form: JobForm) -> HttpResponse:
    cleaned = form.cleaned_data
    crontab, _ = CrontabSchedule.objects.get_or_create(
        minute=str(cleaned["minute"]),
        hour=str(cleaned["hour"]),
        day_of_week=cleaned["weekday"],
        day_of_month="*",
        month_of_year="*",
        timezone=cleaned["zone"],
    )
    job.crontab, job.enabled = crontab, cleaned["enabled"]
    job.save()
    messages.success(request, f"Saved. {job.name} runs by it from now on.")
    return redirect("schedules")


def _save(request: HttpRequest) -> tuple[HttpResponse | None, tuple[int, JobForm] | None]:
    by_the_clock = PeriodicTask.objects.exclude(crontab=None).exclude(crontab__minute=EVERY)
    job = get_object_or_404(by_the_clock, pk=number_in(request.POST.get("job")))
    form = JobForm(request.POST)
    if form.is_valid():
        return _save_job(request, job, form), None
    return None, (job.pk, form)


def _job(job: PeriodicTask, posted: tuple[int, JobForm] | None) -> dict[str, Any]:
    form = None
    at = job.crontab
    if at is not None and at.minute != EVERY:
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
    at = job.crontab
    if at is None or at.minute == EVERY:
        return "every minute"
    day = "every day" if at.day_of_week == "*" else f"on {_weekday(at.day_of_week)}"
    return f"{day} at {int(at.hour):02}:{int(at.minute):02} {at.timezone}"


def _last_run(job: Mapping[str, Any]) -> str:
    return f"{figures.moment(job['last_run'])} UTC" if job["last_run"] else "not yet"


TIMETABLE: Table[Mapping[str, Any]] = Table(
    "timetable",
    "Jobs and when they run",
    (
        RowHead("job", lambda job: job["name"]),
        Column("runs", lambda job: job["when"]),
        Column("last run", _last_run, css="quiet-text"),
        DrawingColumn("change", template="pages/schedules/job_form.html", is_head_unseen=True),
    ),
    title="Jobs",
    css="folds two-facts",
    scrolls=False,
)


def _weekday(number: str) -> str:
    return ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][int(number) % 7]
