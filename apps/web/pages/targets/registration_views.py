"""Registering a target of any technology: it can be tested before anything is saved."""

from datetime import datetime, timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from apps.charts import figures
from apps.inventory.models import Target
from apps.platforms.forms import SecretForm
from apps.platforms.registration import Registration, find_registration
from apps.web.pages.targets.connection_test_views import answer_in_place, ask, forget, show_test, test_made
from apps.web.pages.targets.form_page import register_typed, show_form
from apps.web.read_now import read_now, read_past_of
from apps.web.rights import planner_required

DAYS_TO_FORECAST = 14


@planner_required
def add_target(request: HttpRequest, key: str) -> HttpResponse:
    """Register a target; "Test connection" says what would be missing, and saves nothing."""
    registration = find_registration(key)
    if registration is None:
        raise Http404(f"Nothing is registered at “{key}”; the list of targets names what can be added.")
    kind = registration.load_form()
    named = request.GET.get("name", "")
    form = kind(
        request.POST or None,
        initial={"name": named.partition(".")[0], "host": named},
        test=test_made(request),
    )
    if "test" in request.POST and request.headers.get("HX-Request"):
        return answer_in_place(request, form, registration.collector)
    if form.is_valid():
        if "test" in request.POST:
            form = kind(request.POST, test=ask(request, form, registration.collector))
        elif not form.is_testing and (added := register_typed(request, registration, form)):
            forget(form.test)
            _begin(request, added, registration)
            return redirect(added)
    if (fetched := form.fetched) is not None:
        form = kind(fetched, test=form.test)
    return _show(request, registration, form)


def _begin(request: HttpRequest, added: Target, registration: Registration) -> None:
    """Have a new target read at once, where it is one that is asked."""
    if registration.readings:
        read_now(request, [added], _registered(added, registration), readings=registration.readings)
        read_past_of(added)
    else:
        messages.success(request, f"{added.name} is registered. Its figures come with its files.")


def after_saving(registration: Registration, now: datetime) -> list[tuple[str, str]]:
    """What comes when, once a target of this kind is saved: the moment, and what it brings."""
    if not registration.readings:
        return [
            ("at once", "give it the files that are kept: each whole day has figures"),
            ("14 days of files", "the first forecasts"),
        ]
    second = now + timedelta(minutes=registration.interval_minutes)
    when = "within minutes" if registration.readings > 1 else figures.short_day(second.date())
    return [
        ("at once", "the first reading; sizes and settings stand on its page"),
        (when, "the second reading: the first figures"),
        (figures.short_day((now + timedelta(days=DAYS_TO_FORECAST)).date()), "14 days: the first forecasts"),
    ]


def _registered(added: Target, registration: Registration) -> str:
    rates = "" if registration.readings > 1 else " Rates come with its second reading."
    return f"{added.name} is registered and being read.{rates}"


def _show(request: HttpRequest, registration: Registration, form: SecretForm) -> HttpResponse:
    return show_form(
        request, f"Add {registration.thing}", registration.lead, form, form.field_groups,
        f"Save {registration.kind}", reverse("targets"), can_test=bool(registration.address_form), fetched=form.data.get("fetched", ""),
        account_script=registration.account_script, after_saving=after_saving(registration, timezone.now()),
        **show_test(form.test),
    )  # fmt: skip
