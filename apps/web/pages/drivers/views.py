"""The drivers of the estate: their list, and one with its days, its plan and its token."""

from typing import Any, cast

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.forecasting.driver import Driver, DriverToken
from apps.forecasting.driver_register import describe_days, renew_driver_token, save_driver
from apps.people.models import User
from apps.web.pages.drivers import driver_page
from apps.web.pages.drivers.forms import DriverForm
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part
from apps.web.tables import page_or_file

HEADER_FILE = "/etc/headroom-driver"  # a command line would show the token to everybody there


def driver_list(request: HttpRequest) -> HttpResponse:
    """Every driver, with how far its days and its plan reach."""
    today, can_change = timezone.now().date(), may_change(request)
    drivers = Driver.objects.filter(Q(target=None) | Q(target__retired_at=None)).select_related(
        "target", "group"
    )
    rows = [
        driver_page.list_row(driver, today, can_change=can_change)
        for driver in driver_page.with_counts(drivers)
    ]
    context = {
        "drivers": driver_page.DRIVERS.fill(rows),
        "sentence": driver_page.sentence_of_list(rows),
        "can_change": can_change,
    }
    return page_or_file(request, "pages/drivers/drivers.html", context)


@planner_required
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new driver, or one that is there; with days that are typed or in a file, and a token for programs that send them."""
    driver = get_object_or_404(Driver, pk=pk) if pk else None
    now = timezone.now()
    if driver is not None and "token" in request.POST:
        token = renew_driver_token(driver, cast(User, request.user), now)
        return page_or_file(
            request,
            "pages/drivers/driver.html",
            _context(request, driver, DriverForm(instance=driver), token),
        )
    form = DriverForm(request.POST or None, request.FILES or None, instance=driver)
    if form.is_valid():
        saved = save_driver(form.save(commit=False), form.new_days, by=cast(User, request.user), now=now)
        stored = f" {form.new_days.summary} stored." if form.new_days else ""
        messages.success(request, f"Saved.{stored} Forecasts try it from now on.")
        for remark in describe_days(saved, now.date()):
            messages.info(request, remark)
        return redirect(saved)
    return page_or_file(request, "pages/drivers/driver.html", _context(request, driver, form))


def _context(
    request: HttpRequest, driver: Driver | None, form: DriverForm, token: str = ""
) -> dict[str, Any]:
    """What the page of a driver shows: of one that is there its days, drawn and as a table, and how programs send them."""
    if driver is None:
        return {"form": form, "driver": None, "sentence": [Part("Add a driver", True), Part(".")]}
    driver.refresh_from_db()  # a form that was refused has changed it
    rows, now = driver_page.day_rows(driver), timezone.now()
    followers = driver_page.follower_rows(driver, now)
    return {
        "form": form,
        "driver": driver,
        "sentence": driver_page.sentence_of(driver, rows),
        "remarks": describe_days(driver, now.date()),
        "chart": driver_page.chart_of(driver, rows),
        "days": driver_page.DAYS.fill(rows),
        "has_followers": followers is not None,
        "followers": driver_page.followers_table(driver).fill(followers or []),
        "token": token,
        "driver_token": DriverToken.objects.filter(driver=driver).first(),
        "send_script": _send_script(request),
        "header_file": HEADER_FILE,
    }


def _send_script(request: HttpRequest) -> str:
    """The line by which a program sends days."""
    address = request.build_absolute_uri(reverse("driver_push"))
    return f"curl -sSf -H @{HEADER_FILE} --data-binary @orders.csv {address}"


@planner_required
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a driver with its days, after a page that says what is lost."""
    driver = get_object_or_404(Driver, pk=pk)
    if request.method == "POST":
        driver.delete()
        messages.success(request, f"{driver.name} is removed; no forecast goes by it any more.")
        return redirect("drivers")
    context = {
        "title": f"Remove {driver.name}?",
        "lead": "This cannot be undone.",
        "losses": [f"{driver.days.count():,} days of it, and its token"],
        "submit": "Remove the driver",
        "cancel_url": driver.get_absolute_url(),
    }
    return render(request, "confirm.html", context)
