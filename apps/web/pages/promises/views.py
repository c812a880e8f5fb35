"""The account of forecasts: how promises fared."""

from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone

from apps.charts.reliability import ChancePoint, days_off, reliability
from apps.forecasting.account import read_accounts
from apps.forecasting.engine.account import ForecastAccount
from apps.forecasting.figure_kinds import KindRecords, kind_of_account
from apps.forecasting.models import Promise
from apps.forecasting.promise import PromiseQuerySet
from apps.inventory.models import Group, Target
from apps.web.cells import drawing
from apps.web.pages.promises.account_text import find_notices, sentence_of, write_facts
from apps.web.pages.promises.promise_tables import (
    CHANCES,
    KINDS,
    LINE,
    PROMISES,
    KindRow,
    kind_rows,
    line_rows,
)
from apps.web.pages.promises.question import Question, read_question
from apps.web.tables import page_or_file

NEWEST = 10
MOST = 200


def account(request: HttpRequest) -> HttpResponse:
    """How promises of the estate, a group or a target fared in a quarter, beside a straight line."""
    question = read_question(request.GET, timezone.now().date())
    accounts = read_accounts(question.ended, question.kind)
    whole = accounts.whole
    early = read_accounts(question.early, question.kind).whole
    ended = _list_promises(question, question.due).exclude(outcome=Promise.Outcome.WAITING)
    newest = _list_promises(question, question.ended).exclude(likely_on=None)
    most = MOST if request.GET.get("promises") == "all" else NEWEST
    records = {} if question.is_imported else KindRecords(is_demo=question.is_demo).by_kind
    kinds = [
        KindRow(
            name, each, records[name].width if name in records else 1.0, address_with(request.GET, kind=name)
        )
        for name, each in accounts.by_kind.items()
    ]
    context = {
        "question": question,
        "sentence": sentence_of(question, whole, early),
        "facts": write_facts(question, whole, early),
        "account": whole,
        "is_empty": not whole.count and not early.count,
        "kinds": KINDS.fill(kind_rows(kinds, whole)),
        "notices": find_notices(kinds, records),
        "line": LINE.fill(line_rows(whole)),
        "chances": CHANCES.fill(whole.groups),
        "promises": PROMISES.fill(
            newest[:most], all_rows=lambda: ended.iterator(), file_name=f"promises-{question.until}"
        ),
        "predicted": whole.own.predicted + early.own.predicted,
        "all_url": address_with(request.GET, promises="all"),
        **_drawings(whole),
        **_filters(request.GET, question, list(accounts.by_kind)),
    }
    return page_or_file(request, "pages/promises/account.html", context)


def _list_promises(question: Question, promises: PromiseQuerySet) -> PromiseQuerySet:
    """Promises with those that came early, of the kind asked for; the newest first, by the day on which they came, else were due."""
    listed = promises | question.early
    if question.kind:
        metrics = listed.order_by().values_list("metric", flat=True).distinct()
        listed = listed.filter(metric__in=[key for key in metrics if kind_of_account(key) == question.kind])
    ended_on = Coalesce("happened_on", "due_on")
    return listed.select_related("target").order_by(ended_on.desc(), "-made_on", "pk")


def _drawings(whole: ForecastAccount) -> dict[str, object]:
    points = [
        ChancePoint(group.chance, group.came, group.count, group.low, group.high) for group in whole.groups
    ]
    return {
        "reliability": drawing(reliability(points)),
        "days_off": drawing(days_off(whole.offs, whole.line_offs)) if whole.offs or whole.line_offs else "",
    }


def _filters(query: QueryDict, question: Question, kinds: list[str]) -> dict[str, object]:
    """What the promises can be filtered by, and the quarters before and after."""
    target = str(question.target.pk) if question.target else ""
    targets = Target.objects.in_estate().filter(is_demo=question.is_demo).order_by("name")
    names = [(str(pk), name) for pk, name in targets.values_list("pk", "name")]
    groups = [(name, name) for name in Group.objects.order_by("name").values_list("name", flat=True)]
    return {
        "choices": [
            {"name": "target", "value": target, "options": names},
            {"name": "group", "value": question.group.name if question.group else "", "options": groups},
            {"name": "kind", "value": question.kind, "options": [(kind, kind) for kind in kinds]},
        ],
        "before_url": address_with(query, until=question.before.isoformat()),
        "newest_url": address_with(query, until=""),
        "is_newest": question.is_newest,
        "others": _list_others(query, question),
    }


def _list_others(query: QueryDict, question: Question) -> list[tuple[str, str]]:
    """The other accounts that there are, each with its address."""
    accounts = (
        ("Targets of your own", False, False),
        ("Days that came by files", False, True),
        ("Those of the demo", True, False),
    )
    others = []
    for name, is_demo, is_imported in accounts:
        is_this = (is_demo, is_imported) == (question.is_demo, question.is_imported)
        if (
            not is_this
            and Promise.objects.all().of_account(is_demo=is_demo, is_imported=is_imported).exists()
        ):
            which = {"demo": str(int(is_demo)), "files": "1" if is_imported else ""}
            everywhere = {} if is_demo == question.is_demo else {"target": "", "group": ""}
            others.append((name, address_with(query, **which, **everywhere)))
    return others


def address_with(query: QueryDict, **changes: str) -> str:
    """The address of the page with other questions; an empty one is left out."""
    changed = query.copy()
    for name in ("format", "table"):
        changed.pop(name, None)
    for name, value in changes.items():
        changed[name] = value
        if not value:
            del changed[name]
    return f"?{changed.urlencode()}"
