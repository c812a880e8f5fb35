"""Files that are kept with a violation."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from apps.advisors.attachments import attach, safe_name, too_large
from apps.advisors.models import Attachment
from apps.people.models import User
from apps.thresholds.models import Violation
from apps.web.pages.case.case_page import do_in_case, find_case, show_case
from apps.web.pages.case.forms import AttachmentForm
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.uploads import LARGEST, bytes_sent


@require_POST
def add_attachment(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a file with a violation."""
    if bytes_sent(request) > LARGEST:
        form = AttachmentForm(auto_id="attach_%s", data={}, files=MultiValueDict())
        form.errors.clear()
        form.add_error("file", too_large("The file", bytes_sent(request)))
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        return show_case(request, find_case(pk), attachment_form=form)
    form = AttachmentForm(request.POST, request.FILES, auto_id="attach_%s")

    def deed(violation: Violation, by: User) -> None:
        file = form.cleaned_data["file"]
        try:
            attach(violation, file.name, file.read(), by=by, now=timezone.now())
        finally:
            file.close()

    return do_in_case(request, pk, "attachment_form", form, deed, "attachments")


@require_safe
def attachment(request: HttpRequest, pk: int, attachment: int) -> HttpResponse:
    """A file as it came, always as a download: no browser shows or runs it."""
    file = get_object_or_404(Attachment, pk=attachment, violation=pk)
    answer = HttpResponse(bytes(file.content), content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, safe_name(file.name)) or "attachment"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "sandbox; default-src 'none'"
    answer["Cache-Control"] = "private, no-store"
    return answer


@planner_required
def remove_attachment(request: HttpRequest, pk: int, attachment: int) -> HttpResponse:
    """Remove a file, after a page that says what is lost."""
    file = get_object_or_404(Attachment.objects.without_content(), pk=attachment, violation=pk)
    back = f"{reverse('violation', args=[pk])}#attachments"
    if request.method == "POST":
        file.delete()
        messages.success(request, f"{file.name} is removed.")
        return redirect(back)
    return render(
        request,
        "confirm.html",
        {
            "title": f"Remove {file.name}?",
            "lead": "This cannot be undone.",
            "losses": [f"The file, kept by {file.by or 'somebody who has left'}, is deleted."],
            "submit": "Remove the file",
            "cancel_url": back,
        },
    )
