"""The account of promises, read from the ledger: of the estate, a group or a target, and of each kind of figure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Count,
    ExpressionWrapper,
    F,
    IntegerField,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.fields import DurationField

from apps.forecasting.engine.account import BOUNDS, Ending, ForecastAccount, make_account
from apps.forecasting.figure_kinds import kind_of_account
from apps.forecasting.promise import Promise

QUARTER = 91  # days of promises that fell due


@dataclass(frozen=True)
class Accounts:
    """How promises fared: all of them, and by the kind of their figures, those with the most first."""

    whole: ForecastAccount
    by_kind: Mapping[str, ForecastAccount]


def quarter_until(last: date) -> tuple[date, date]:
    """The first and the last due day of the quarter that ends on a day."""
    return last - timedelta(days=QUARTER - 1), last


def read_accounts(promises: QuerySet[Promise], kind: str = "") -> Accounts:
    """The accounts of promises that have ended, of one kind of figures where one is named; one query."""
    endings: dict[str, list[Ending]] = {}
    for row in _group_endings(promises):
        endings.setdefault(kind_of_account(row["metric"]), []).append(_ending(row))
    by_kind = {name: make_account(rows) for name, rows in endings.items()}
    chosen = [row for name, rows in endings.items() if kind in ("", name) for row in rows]
    ordered = sorted(by_kind.items(), key=lambda pair: (-pair[1].count, pair[0]))
    return Accounts(make_account(chosen), dict(ordered))


def count_reasons(promises: QuerySet[Promise]) -> list[tuple[str, int]]:
    """How many promises are not counted, by the reason, the most first."""
    withdrawn = promises.filter(outcome=Promise.Outcome.WITHDRAWN).order_by()
    return list(withdrawn.values_list("reason").annotate(count=Count("pk")).order_by("-count", "reason"))


def _group_endings(promises: QuerySet[Promise]) -> Iterable[Mapping[str, Any]]:
    """What ended alike, with how many: the database counts, so that years of a large estate are a few thousand rows."""
    came = Q(outcome=Promise.Outcome.CAME)
    inside = Q(soonest_on__lte=F("happened_on")) & (Q(latest_on=None) | Q(latest_on__gte=F("happened_on")))
    places = [When(chance__lt=bound, then=Value(place)) for place, bound in enumerate(BOUNDS)]
    return (
        promises.order_by()
        .annotate(
            place=Case(*places, default=Value(len(BOUNDS)), output_field=IntegerField()),
            has_come=ExpressionWrapper(came, BooleanField()),
            is_predicted=ExpressionWrapper(Q(likely_on__isnull=False), BooleanField()),
            has_line=ExpressionWrapper(Q(line_on__isnull=False), BooleanField()),
            late=ExpressionWrapper(F("happened_on") - F("likely_on"), DurationField()),
            line_late=ExpressionWrapper(F("happened_on") - F("line_on"), DurationField()),
            is_inside=Case(
                When(came & inside, then=Value(True)),
                When(came & Q(soonest_on__isnull=False), then=Value(False)),
                default=None,
                output_field=BooleanField(null=True),
            ),
        )
        .values("metric", "place", "has_come", "is_predicted", "has_line", "late", "line_late", "is_inside")
        .annotate(count=Count("pk"), chances=Sum("chance"))
    )


def _ending(row: Mapping[str, Any]) -> Ending:
    return Ending(
        group=row["place"],
        chance=row["chances"],
        is_predicted=row["is_predicted"],
        has_come=row["has_come"],
        count=row["count"],
        days_off=_days(row["late"]),
        is_inside=row["is_inside"],
        has_line=row["has_line"],
        line_off=_days(row["line_late"]),
    )


def _days(late: timedelta | None) -> int | None:
    return None if late is None else late.days
