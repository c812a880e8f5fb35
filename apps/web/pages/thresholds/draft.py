"""The limit that is being typed, before it is one."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model

from apps.inventory.models import Group, Target
from apps.thresholds.engine.notation import Limit
from apps.thresholds.models import Severity, Threshold
from apps.thresholds.register import limit_fields, unit_of
from apps.web.address import number_in

M = TypeVar("M", bound=Model)


def draft_of(typed: Mapping[str, str], limit: Limit) -> Threshold:
    """The threshold that is being typed, not saved; with the key of the one it is to replace."""
    target, group = find_row(Target, typed.get("target", "")), find_row(Group, typed.get("group", ""))
    return Threshold(
        pk=number_in(typed.get("pk")),
        target=target,
        group=None if target else group,
        metric=typed["metric"],
        component=typed.get("component", "").strip(),
        figure=typed.get("figure") or Threshold.FigureOf.VALUE,
        notation=typed["notation"].strip(),
        unit=unit_of(typed["metric"], typed.get("figure") or Threshold.FigureOf.VALUE),
        **limit_fields(limit),
        severity=typed.get("severity") or Severity.WARNING,
        **_persistence(typed),
        leaves_out_peaks=typed.get("leaves_out_peaks", "") not in ("", "False"),
    )


def _persistence(typed: Mapping[str, str]) -> dict[str, Any]:
    """How many days it takes to open and to close; the usual where nothing sensible is typed."""

    def number(name: str, usual: int) -> int:
        days = number_in(typed.get(name)) or 0
        return days if 0 < days <= 365 else usual

    opens_after = number("opens_after", 1)
    try:
        gap = min(100.0, max(0.0, float(typed.get("recovery_gap") or 0.0)))
    except ValueError:
        gap = 0.0
    return {
        "opens_after": opens_after,
        "opens_within": max(opens_after, number("opens_within", 1)),
        "closes_after": number("closes_after", 3),
        "recovery_gap": 0.0 if gap != gap else gap,
    }


def find_row(model: type[M], pk: str) -> M | None:
    """The row of a key that was given along; None where there is none."""
    return model._default_manager.filter(pk=number_in(pk)).first()
