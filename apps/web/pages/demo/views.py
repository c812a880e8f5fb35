"""The demo: what it is, how it comes and how it goes."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST
from kombu.exceptions import OperationalError

from apps.inventory.example import ExampleEstate, get_example
from apps.inventory.models import Target
from apps.web.rights import may_change, planner_required
from worker.tasks import load_example


def demo(request: HttpRequest) -> HttpResponse:
    """What the demo estate is, and the one button that opens or removes it."""
    if request.method == "POST":
        return _remove(request)
    example = get_example()
    return render(
        request,
        "pages/demo/demo.html",
        {
            "targets": Target.objects.demo().count(),
            "has_example": example is not None,
            "missing": example.missing() if example else "",
            "can_change": may_change(request),
        },
    )


@require_POST
@planner_required
def open_demo(request: HttpRequest) -> HttpResponse:
    """Have the worker load the demo estate."""
    _example_or_404()
    try:
        load_example.delay()
    except OperationalError:
        messages.error(request, "The broker does not answer, so that no worker can load the demo. Try again.")
        return redirect("demo")
    messages.success(
        request, "The demo estate is being loaded. Its targets appear here, and are marked as demo."
    )
    return redirect("estate")


@planner_required
def _remove(request: HttpRequest) -> HttpResponse:
    count = _example_or_404().remove()
    messages.success(
        request, f"The demo estate is removed: {count} targets and all that was measured of them."
    )
    return redirect("estate")


def _example_or_404() -> ExampleEstate:
    example = get_example()
    if example is None:
        raise Http404("This installation has no demo.")
    return example
