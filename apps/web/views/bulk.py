"""Many limits at once: change some fields of them, or withdraw them."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.register import BadThreshold, change_threshold, withdraw_threshold
from apps.web.bulk_form import BulkForm
from apps.web.rights import planner_required
from apps.web.sentences import capital, count

THROUGH = "many at once"


@require_POST
@planner_required
def change_many(request: HttpRequest) -> HttpResponse:
    """Change the limits that were chosen, all or none; to withdraw them asks once more."""
    picked = [pk for pk in request.POST.getlist("pick") if pk.isdecimal() and len(pk) < 18]
    chosen = list(
        Threshold.objects.in_force().filter(pk__in=picked).select_related("target", "group", "owner")
    )
    if not chosen:
        messages.warning(request, "No limit is chosen, so nothing is changed; tick those to change.")
        return redirect("thresholds")
    if "withdraw" in request.POST:
        return _withdraw(request, chosen)
    form = BulkForm(request.POST)
    context = {"chosen": chosen, "form": form, "many": count(len(chosen), "limit")}
    if not form.is_valid():
        return render(request, "pages/bulk.html", context)
    if not form.wanted:
        form.add_error(None, "Nothing is given that should change; choose an owner, a severity or a number.")
        return render(request, "pages/bulk.html", context)
    by = request.user if isinstance(request.user, User) else None
    try:
        with transaction.atomic():
            for threshold in chosen:
                change_threshold(threshold, form.wanted, by=by, now=timezone.now(), through=THROUGH)
    except BadThreshold as error:
        form.add_error(None, f"{error} Nothing is changed yet.")
        return render(request, "pages/bulk.html", context)
    messages.success(
        request, f"{capital(count(len(chosen), 'limit'))} changed. It applies from the next review."
    )
    return redirect("thresholds")


def _withdraw(request: HttpRequest, chosen: list[Threshold]) -> HttpResponse:
    if "sure" not in request.POST:
        many = count(len(chosen), "limit")
        return render(request, "pages/bulk.html", {"chosen": chosen, "many": many, "is_withdrawal": True})
    by = request.user if isinstance(request.user, User) else None
    with transaction.atomic():
        for threshold in chosen:
            withdraw_threshold(threshold, by=by, now=timezone.now(), through=THROUGH)
    messages.success(request, f"{capital(count(len(chosen), 'limit'))} withdrawn.")
    return redirect(reverse("thresholds"))
