"""The walk of a host, on its page and on those of the instances on it."""

from django.http import HttpRequest, HttpResponse

from apps.advisors.engine.walks import conclude_walk, walk_of
from apps.advisors.walk_figures import walk_day
from apps.inventory.models import Target
from apps.web.machine_tables import instances_on
from apps.web.pages.walk.walk_table import STEPS, walk_rows, walk_sentence
from apps.web.sentences import Part
from apps.web.tables import page_or_file
from apps.web.target_page import day_page, target_of, target_page


def walk(request: HttpRequest, pk: int) -> HttpResponse:
    """The steps of a day with their evidence; without a host that has a walk it says what is missing."""
    target = target_of(pk)
    page = day_page(request, target)
    host = target if target.kind == Target.Kind.HOST else target.runs_on
    declared = walk_of(host.platform) if host is not None else None
    context = target_page(page, "walk")
    if host is None or declared is None or page.day is None:
        why = f"The host of {target.name} is not known, or has no figures yet."
        context |= {"walk": None, "sentence": [Part("There is nothing to walk yet", True), Part(f": {why}")]}
        return page_or_file(request, "pages/walk/walk.html", context)
    walked = walk_day(declared, host, instances_on(host), page.day)
    rows = walk_rows(walked, page.day) if walked.may_start else []
    context |= {
        "sentence": walk_sentence(walked, conclude_walk(walked.steps)),
        "walk": STEPS.fill(rows, file_name=f"{host.name}-walk-{page.day}"),
        "host": host,
    }
    return page_or_file(request, "pages/walk/walk.html", context)
