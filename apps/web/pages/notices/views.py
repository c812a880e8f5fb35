"""Who is told what, and what became of each message."""

from typing import Any

from django.contrib import messages
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.notices.digest import create_test_message
from apps.notices.handover import hand_over
from apps.notices.mail import is_configured
from apps.notices.models import Delivery, RecipientList, Subscriber
from apps.reports.engine.week import last_complete_week
from apps.web.pages.notices.forms import RecipientListForm, SubscriberForm
from apps.web.pages.notices.notice_tables import DELIVERIES, recipients_table, subscribers_table
from apps.web.rights import may_change, planner_required
from apps.web.tables import page_or_file

NEWEST = 200  # deliveries


def notices(request: HttpRequest) -> HttpResponse:
    """Lists, subscribers, and the log of what was handed over."""
    deliveries = Delivery.objects.select_related("listed", "subscriber")
    can_change = may_change(request)
    lists = RecipientList.objects.select_related("group")
    subscribers = Subscriber.objects.select_related("group", "person")
    return page_or_file(
        request,
        "pages/notices/notices.html",
        {
            "deliveries": DELIVERIES.fill(
                deliveries[:NEWEST], all_rows=lambda: deliveries.iterator(chunk_size=1000)
            ),
            "lists": recipients_table(can_change=can_change).fill(lists),
            "subscribers": subscribers_table(can_change=can_change).fill(subscribers),
            "failed": deliveries.filter(state__in=(Delivery.State.FAILED, Delivery.State.UNKNOWN)).count(),
            "newest": NEWEST,
            "has_mail": is_configured(),
            "by_web": Subscriber.objects.exclude(way=Subscriber.Way.MAIL).exists(),
            "can_change": can_change,
        },
    )


@planner_required
def edit_list(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new list of recipients, or one that is there."""
    listed = get_object_or_404(RecipientList, pk=pk) if pk else RecipientList()
    if pk is None:  # what is past is not sent to a new list
        listed.last_week = last_complete_week(timezone.now()).name
    form = RecipientListForm(request.POST or None, instance=listed)
    title = "Recipients of the weekly report" if pk else "Add recipients"
    return _edit(request, form, listed, title, "They get the report as mail, with the PDF.")


@planner_required
def edit_subscriber(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new subscriber, or one that is there."""
    subscriber = get_object_or_404(Subscriber, pk=pk) if pk else Subscriber()
    form = SubscriberForm(request.POST or None, instance=subscriber)
    title = "Who gets messages" if pk else "Add a subscriber"
    return _edit(request, form, subscriber, title, "Events are gathered into one message.")


def _edit(
    request: HttpRequest, form: ModelForm[Any], row: RecipientList | Subscriber, title: str, lead: str
) -> HttpResponse:
    if request.method == "POST" and row.pk and "delete" in request.POST:
        row.delete()
        messages.success(request, "Removed. What was sent stays in the log.")
        return redirect("notices")
    if form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("notices")
    return render(
        request,
        "pages/notices/form.html",
        {
            "form": form,
            "title": title,
            "lead": lead,
            "is_new": row.pk is None,
            "cancel_url": reverse("notices"),
        },
    )


@require_POST
@planner_required
def test_subscriber(request: HttpRequest, pk: int) -> HttpResponse:
    """Send one message now, and say what came of it."""
    subscriber = get_object_or_404(Subscriber, pk=pk)
    delivery = create_test_message(subscriber, timezone.now())
    hand_over(delivery.pk, timezone.now())
    delivery.refresh_from_db()
    if delivery.state == Delivery.State.SENT:
        messages.success(request, f"The test reached {delivery.recipient}.")
    else:
        messages.warning(request, f"The test is {delivery.get_state_display()}: {delivery.reason}")
    return redirect("notices")
