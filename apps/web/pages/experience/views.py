"""What users of a target were promised: the agreed figures, the values of days, and what users said of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from apps.catalog.experience import BATCH_END
from apps.charts import figures
from apps.collection.models import UserFigureToken
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Note
from apps.snapshots.models import UserFigure
from apps.snapshots.user_figures import store_user_figures
from apps.thresholds.engine.notation import Form
from apps.thresholds.experience import AgreedFigure, agreed_figures, renew_user_figure_token
from apps.web.cells import link
from apps.web.day_notes import NOTES, add_url, note_rows
from apps.web.pages.experience.forms import AgreeForm, ValuesForm
from apps.web.rights import LACKS_RIGHT, may_change
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, FigureColumn, RowHead, Table, page_or_file

HEADER_FILE = "/etc/headroom-experience"  # a command line would show the token to everybody there
MOST_VERDICTS = 50


@dataclass(frozen=True)
class AgreedRow:
    """An agreed figure with what was given of it."""

    agreed: AgreedFigure
    url: str
    days: int
    newest: float | None
    newest_on: date | None

    @property
    def is_missed(self) -> bool:
        """Whether the newest value breaks the limit, as the review judges it."""
        return self.newest is not None and self.agreed.threshold.limit.is_beyond(self.newest)

    def promise(self) -> str:
        """The limit; that of an end as a time of the clock."""
        threshold = self.agreed.threshold
        if (
            self.agreed.metric != BATCH_END
            or threshold.limit.form is not Form.AT_MOST
            or threshold.limit.edge is None
        ):
            return f"{figures.threshold(threshold.notation)}{figures.SPACE}{threshold.own_unit}".strip()
        return f"by {_written(self.agreed, threshold.limit.edge)}"

    def value(self) -> str:
        return "" if self.newest is None else _written(self.agreed, self.newest)


def _written(agreed: AgreedFigure, value: float) -> str:
    """A value in its unit; an end as a time of the clock."""
    if agreed.metric != BATCH_END:
        return f"{figures.figure(value)}{figures.SPACE}{agreed.metric.display_unit}"
    minutes = round(60 * value)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


AGREED: Table[AgreedRow] = Table(
    "agreed",
    "What users were promised, and what was given of it last",
    (
        RowHead("figure", lambda row: row.agreed.name, lambda row: link(row.url, row.agreed.name)),
        Column(
            "measured as",
            lambda row: "end" if row.agreed.metric == BATCH_END else "response",
            css="quiet-text",
        ),
        Column(
            "promised",
            lambda row: row.agreed.threshold.notation,
            lambda row: link(row.agreed.threshold.get_absolute_url(), row.promise()),
        ),
        FigureColumn("newest", lambda row: row.newest, lambda row: row.value(), css="strong"),
        Column(
            "of",
            lambda row: row.newest_on,
            lambda row: figures.short_day(row.newest_on) if row.newest_on else "",
        ),
        FigureColumn("days given", lambda row: float(row.days)),
        Column(
            "so far",
            lambda row: "missed" if row.is_missed else "kept" if row.newest is not None else "no value yet",
        ),
    ),
    title="What users were promised",
)


def experience(request: HttpRequest, pk: int) -> HttpResponse:
    """The page; those who may change things agree on figures, give values and make a token here."""
    target = get_object_or_404(Target, pk=pk)
    if request.method == "POST" and not may_change(request):
        raise PermissionDenied(LACKS_RIGHT)
    by = request.user if isinstance(request.user, User) else None
    agree_form = AgreeForm(request.POST if "agree" in request.POST else None)
    values_form = ValuesForm(
        target, *((request.POST, request.FILES) if "give" in request.POST else (None, None))
    )
    token = ""
    if "token" in request.POST and by is not None:
        token = renew_user_figure_token(target, by, timezone.now())
    elif "agree" in request.POST and agree_form.is_valid() and agree_form.save(target, by):
        messages.success(request, "Agreed. It is judged from the next review; now give values of days.")
        return redirect("target_experience", pk=pk)
    elif "give" in request.POST and values_form.is_valid() and values_form.user_days is not None:
        store_user_figures(target, values_form.user_days.days)
        messages.success(request, f"{capital(count(len(values_form.user_days), 'value'))} stored.")
        return redirect("target_experience", pk=pk)
    return page_or_file(
        request, "pages/experience/experience.html", _context(request, target, agree_form, values_form, token)
    )


def _context(
    request: HttpRequest, target: Target, agree_form: AgreeForm, values_form: ValuesForm, token: str
) -> dict[str, Any]:
    rows = _rows(target)
    verdicts = Note.objects.about(target).verdicts()[:MOST_VERDICTS]
    note_url = add_url(target, None, request.get_full_path())
    return {
        "target": target,
        "sentence": _sentence(target, rows),
        "agreed": AGREED.fill(rows, file_name=f"{target.name}-promised"),
        "verdicts": NOTES.fill(
            note_rows(verdicts, back=request.get_full_path(), can_change=may_change(request))
        ),
        "agree_form": agree_form,
        "values_form": values_form,
        "note_url": f"{note_url}&verdict=slow",
        "token": token,
        "sender": UserFigureToken.objects.filter(target=target).first(),
        "header_file": HEADER_FILE,
        "send_script": f"curl -sSf -H @{HEADER_FILE} --data-binary @values.csv"
        f" {request.build_absolute_uri(reverse('experience_push'))}",
        "can_change": may_change(request) and target.retired_at is None,
    }


def _rows(target: Target) -> Sequence[AgreedRow]:
    return [_row(target, figure) for figure in agreed_figures(target)]


def _row(target: Target, agreed: AgreedFigure) -> AgreedRow:
    values = UserFigure.objects.filter(target=target, metric=agreed.metric.key, component=agreed.name)
    newest = values.order_by("-day").first()
    query = urlencode({"component": agreed.name})
    return AgreedRow(
        agreed,
        f"{reverse('statistic', args=[target.pk, agreed.metric.key])}?{query}",
        values.count(),
        newest.value if newest else None,
        newest.day if newest else None,
    )


def _sentence(target: Target, rows: Sequence[AgreedRow]) -> list[Part]:
    if not rows:
        return [
            Part(f"Nothing was promised to users of {target.name} yet", True),
            Part(": agree on a figure that they feel, such as the time of a login."),
        ]
    missed = [row.agreed.name for row in rows if row.is_missed]
    promised = f"{capital(count(len(rows), 'figure'))} {'was' if len(rows) == 1 else 'were'} promised to users of {target.name}"
    if missed:
        return [
            Part(f"{promised}, and {', '.join(missed)} {'is' if len(missed) == 1 else 'are'} missed", True),
            Part("."),
        ]
    names = [row.agreed.name for row in rows if row.newest is not None]
    if not names:
        return [Part(promised, True), Part("; no value was given yet.")]
    if len(names) < len(rows):
        are = "is" if len(names) == 1 else "are"
        return [
            Part(promised, True),
            Part(f"; {', '.join(names)} {are} kept, of others no value was given yet."),
        ]
    keeps = "the newest value keeps it" if len(rows) == 1 else "the newest values keep them"
    return [Part(promised, True), Part(f"; {keeps}.")]
