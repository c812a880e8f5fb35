"""Many limits at once: change some fields of them, or withdraw them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.people.models import User
from apps.thresholds.changes import ChangedMeanwhile
from apps.thresholds.models import Threshold
from apps.thresholds.register import BadThreshold, change_threshold, withdraw_threshold
from apps.web.pages.thresholds.bulk_forms import BulkForm, choice_of, read_picks
from apps.web.rights import planner_required
from apps.web.sentences import capital, count

THROUGH = "many at once"


class _Refusals(Exception):
    """Some cannot be changed, so none is; has a sentence for each."""

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = sentences


@require_POST
@planner_required
def change_many(request: HttpRequest) -> HttpResponse:
    """Change the limits that were chosen, all or none; to withdraw them asks once more."""
    reads = read_picks(request.POST.getlist("pick"))
    if not Threshold.objects.in_force().filter(pk__in=reads).exists():
        messages.warning(request, "No limit is chosen, so nothing is changed; tick those to change.")
        return redirect("thresholds")
    if "withdraw" in request.POST:
        return _withdraw(request, reads)
    form = BulkForm(request.POST)
    if form.is_valid() and not form.changes:
        form.add_error(None, "Nothing is given that should change; choose an owner, a severity or a number.")
    if not form.is_valid():
        return _page(request, reads, form=form)
    by = request.user if isinstance(request.user, User) else None
    now = timezone.now()

    def change(threshold: Threshold, read: str) -> None:
        change_threshold(threshold, form.changes, by=by, now=now, read=read, through=THROUGH)

    try:
        done = _change_each(reads, change)
    except _Refusals as error:
        return _page(request, reads, form=form, refused=error.sentences)
    except BadThreshold as error:
        form.add_error(None, f"{error} Nothing is changed yet.")
        return _page(request, reads, form=form)
    messages.success(request, f"{capital(count(done, 'limit'))} changed. It applies from the next review.")
    return redirect("thresholds")


def _withdraw(request: HttpRequest, reads: Mapping[int, str]) -> HttpResponse:
    if "sure" not in request.POST:
        return _page(request, reads, is_withdrawal=True)
    by = request.user if isinstance(request.user, User) else None
    now = timezone.now()

    def withdraw(threshold: Threshold, read: str) -> None:
        withdraw_threshold(threshold, by=by, now=now, read=read, through=THROUGH)

    try:
        done = _change_each(reads, withdraw)
    except _Refusals as error:
        return _page(request, reads, is_withdrawal=True, refused=error.sentences)
    messages.success(request, f"{capital(count(done, 'limit'))} withdrawn.")
    return redirect("thresholds")


def _change_each(reads: Mapping[int, str], deed: Callable[[Threshold, str], None]) -> int:
    """Do something to all chosen limits, or to none of them; returns to how many. Raises _Refusals and BadThreshold."""
    refused = []
    with transaction.atomic():
        chosen = Threshold.objects.filter(pk__in=reads).select_related("target", "group", "owner")
        for threshold in chosen:
            try:
                deed(threshold, reads[threshold.pk])
            except ChangedMeanwhile as error:
                refused.append(f"{threshold}, {threshold.scope}: {error}")
        if refused:
            raise _Refusals(refused)
    return len(chosen)


def _page(request: HttpRequest, reads: Mapping[int, str], **context: Any) -> HttpResponse:
    """The chosen limits; once it says what others did, what is sent from here has seen it."""
    thresholds = Threshold.objects.in_force().filter(pk__in=reads).select_related("target", "group")
    chosen = [
        choice_of(threshold, "" if "refused" in context else reads[threshold.pk]) for threshold in thresholds
    ]
    many = count(len(chosen), "limit")
    return render(
        request, "pages/thresholds/bulk.html", {"chosen": chosen, "many": many, "form": None, **context}
    )
