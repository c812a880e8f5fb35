"""The risk board: every limited figure of the estate in one list, least slack first."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.inventory.models import Target
from apps.web.address import number_in
from apps.web.pages.risks import risk_board as board
from apps.web.rights import may_change
from apps.web.tables import page_or_file


def risk_board(request: HttpRequest) -> HttpResponse:
    """The board, filtered by the address, a hundred lines a page; or the whole of it as a file."""
    now = timezone.now()
    every = board.entries(Target.objects.in_estate().select_related("group"), now)
    entries = board.chosen(every, request.GET)
    pages = max(1, -(-len(entries) // board.PAGE))
    number = min(max(number_in(request.GET.get("page")) or 1, 1), pages)
    first = (number - 1) * board.PAGE
    query = request.GET.copy()
    query.pop("page", None)
    is_filtered = any(request.GET.get(name) for name in ("kind", "group", "owner", "state", "q"))
    table = board.risk_table(now.date())
    return page_or_file(
        request,
        "pages/risks/risks.html",
        {
            "sentence": board.sentence_of(entries, is_filtered),
            "entries": table.fill(entries[first : first + board.PAGE], all_rows=lambda: entries),
            "total": len(entries),
            "first": first + 1,
            "last": min(first + board.PAGE, len(entries)),
            "choices": board.choices(every, request.GET),
            "words": request.GET.get("q", ""),
            "is_filtered": is_filtered,
            "previous": number - 1,
            "next": number + 1 if number < pages else 0,
            "query": query.urlencode(),
            "can_change": may_change(request),
        },
    )
