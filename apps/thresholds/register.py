"""Set a limit: the one deed behind the form, the command and the packs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.catalog.metric import Kind, Metric, Worse
from apps.catalog.registry import get_metric, hours_of, metrics_of
from apps.catalog.splits import part_of
from apps.charts.words import capital
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.snapshots.dictionary import series_ids
from apps.thresholds.changes import ThresholdChange, list_differences, refuse_the_second
from apps.thresholds.engine.notation import BadNotation, Companion, Form, Limit, parse_notation
from apps.thresholds.models import Severity, Threshold
from apps.thresholds.peak_hours import no_hours_because


class BadThreshold(ValueError):
    """The limit cannot be set; the message says what to give instead."""


LABELS = {
    "target": "target",
    "group": "group",
    "metric": "statistic",
    "component": "component",
    "figure": "on what",
    "notation": "limit",
    "severity": "severity",
    "opens_after": "opens after",
    "opens_within": "of the last",
    "closes_after": "closes after",
    "recovery_gap": "recovery gap",
    "leaves_out_peaks": "leaves out known peaks",
    "lead_time_days": "lead time",
    "owner": "owner",
    "plan": "action plan",
}  # the fields people set, in their words
WHAT = "this threshold"
RANGES: Mapping[str, tuple[int, int]] = {
    "opens_after": (1, 365),
    "opens_within": (1, 365),
    "closes_after": (1, 365),
    "recovery_gap": (0, 100),
    "lead_time_days": (0, 3650),
}  # what their numbers lie within


def unit_of(metric: str, figure: str = Threshold.FigureOf.VALUE) -> str:
    """The unit a bare number is in: that of the profile, or percent for a change."""
    return get_metric(metric).display_unit if figure == Threshold.FigureOf.VALUE else "%"


def read_limits(metric: str, notation: str, figure: str = Threshold.FigureOf.VALUE) -> list[Limit]:
    """
    The limits that a notation sets on a statistic. Raises BadNotation and UnknownMetric.

    A statistic that takes no limit is refused, and so is a bare number where it is not clear which way is meant.
    """
    if refused := no_limit_because(get_metric(metric)):
        raise BadNotation(refused)
    limits = parse_limits(metric, notation, figure)
    for limit in limits:
        refuse_bare_number(
            get_metric(metric), _part_of_qualifier(limit, notation) if limit.qualifier else notation, limit
        )
    return limits


def split_limits(
    metric: str, notation: str, figure: str = Threshold.FigureOf.VALUE
) -> list[tuple[str, str, Limit]]:
    """
    What a notation sets: statistic, notation and limit, for each qualifier of a split one.

    Raises BadNotation, UnknownMetric, and BadThreshold where a qualifier names no statistic.
    """
    return [
        (
            _split_metric(metric, limit.qualifier),
            _part_of_qualifier(limit, notation) if limit.qualifier else notation.strip(),
            limit,
        )
        for limit in read_limits(metric, notation, figure)
    ]


def no_limit_because(metric: Metric) -> str:
    """Why a statistic takes no limit, and which does in its place; empty where it takes one."""
    why = metric.judging.no_limit
    if not why and metric.kind is Kind.HIGH_WATER:
        why = "It is a high-water mark since start-up, so that nothing but a restart could close a violation."
    if not why:
        return ""
    instead = get_metric(metric.judging.instead) if metric.judging.instead else None
    where = f" Set the limit on {instead.label} ({instead.key})." if instead else ""
    return f"{capital(metric.label)} takes no limit. {why}{where}"


def refuse_bare_number(metric: Metric, notation: str, limit: Limit) -> None:
    """A bare number means at most; where higher is not worse, that may not be meant. Raises BadNotation."""
    bare = notation.strip()
    if limit.form is not Form.AT_MOST or not bare[:1].isdigit() or metric.worse is Worse.HIGHER:
        return
    way = "Lower is worse" if metric.worse is Worse.LOWER else "Neither way is worse by itself"
    raise BadNotation(f"{way} here: write >={bare} for at least, or <={bare} for at most.")


def parse_limits(metric: str, notation: str, figure: str = Threshold.FigureOf.VALUE) -> list[Limit]:
    """What a notation stands for on a statistic, whether or not it may be set. Raises BadNotation and UnknownMetric."""
    about = get_metric(metric)
    companions = companions_of(about) if figure == Threshold.FigureOf.VALUE else {}
    return parse_notation(notation, unit_of(metric, figure), of=about.label, companions=companions)


def companions_of(metric: Metric) -> dict[str, Companion]:
    """What a second condition of a limit may name, by its word: other statistics of the same components."""
    return {word: Companion(key, get_metric(key).display_unit) for word, key in metric.judging.companions}


def add_threshold(
    metric: str,
    notation: str,
    *,
    now: datetime,
    target: Target | None = None,
    group: Group | None = None,
    component: str = "",
    figure: str = Threshold.FigureOf.VALUE,
    severity: str = Severity.WARNING,
    set_by: User | None = None,
    through: str = "",
    **rest: Any,
) -> list[Threshold]:
    """
    Set a limit and return what was made: one threshold, or one for each qualifier of a split notation.

    A split notation goes to statistics that a platform declares as parts of one thing; it is refused where a qualifier
    names none. Raises BadNotation, UnknownMetric, BadThreshold.
    """
    about = get_metric(metric)
    parts = split_limits(metric, notation, figure)
    if target is not None and about.base not in _keys_of(target):
        raise BadThreshold(f"{target.name} has no statistic {metric}; it is one of another platform.")
    if refused := no_hours_because(metric, target):
        raise BadThreshold(refused)
    if component and not about.component_kind:
        raise BadThreshold(f"{capital(about.label)} has no components; leave the component empty.")
    made = []
    with transaction.atomic():
        for key, part, limit in parts:
            threshold = Threshold(
                metric=key,
                component=component,
                notation=part,
                unit=unit_of(metric, figure),
                **limit_fields(limit),
                target=target,
                group=group,
                figure=figure,
                severity=severity,
                **rest,
            )
            made.append(save_threshold(threshold, by=set_by, now=now, through=through))
    return made


def save_threshold(
    threshold: Threshold, *, by: User | None, now: datetime, read: str | None = None, through: str = ""
) -> Threshold:
    """
    Save a limit that is new or changed, and note in its history what changed.

    `read` is the `set_at` that the person saw, as ISO text: raises ChangedMeanwhile where it is another one by now.
    Saving what is there already changes nothing.
    """
    with transaction.atomic():
        current = Threshold.objects.select_for_update(of=("self",)).filter(pk=threshold.pk).first()
        if current is not None:
            refuse_the_second(current, read, WHAT)
        fields = list_differences(
            LABELS, _fields_as_text(current) if current else {}, _fields_as_text(threshold)
        )
        if current is not None and not fields:
            return threshold
        threshold.set_by, threshold.set_at = by, now
        threshold.save()
        if hours_of(threshold.metric) is not None:  # what has a series is rolled up
            series_ids([(threshold.about.category, threshold.metric, "")])
        kind = ThresholdChange.Kind.CHANGED if current else ThresholdChange.Kind.SET
        _note(threshold, kind, fields, by, now, through)
    return threshold


def change_threshold(
    threshold: Threshold,
    fields: dict[str, Any],
    *,
    by: User | None,
    now: datetime,
    read: str | None = None,
    through: str = "",
) -> Threshold:
    """
    Change some fields of a limit that is in force; `read` as above.

    Raises BadThreshold where the fields do not go together, and ChangedMeanwhile.
    """
    for name, value in fields.items():
        setattr(threshold, name, value)
    if threshold.opens_within < threshold.opens_after:
        raise BadThreshold(
            f"{threshold} would open after {threshold.opens_after} of the last {threshold.opens_within} judged days;"
            f" give at least {threshold.opens_after} for the second number."
        )
    return save_threshold(threshold, by=by, now=now, read=read, through=through)


def withdraw_threshold(
    threshold: Threshold, *, by: User | None, now: datetime, read: str | None = None, through: str = ""
) -> None:
    """
    Take a limit out of force; what it opened is closed by the next review, with that reason.

    `read` as above: raises ChangedMeanwhile.
    """
    with transaction.atomic():
        current = Threshold.objects.select_for_update(of=("self",)).get(pk=threshold.pk)
        refuse_the_second(current, read, WHAT)
        if current.withdrawn_at is not None:
            return
        threshold.withdrawn_at = now
        threshold.save(update_fields=["withdrawn_at"])
        limit = [[LABELS["notation"], threshold.notation, threshold.notation]]
        _note(threshold, ThresholdChange.Kind.WITHDRAWN, limit, by, now, through)


def _note(
    threshold: Threshold, kind: str, fields: list[list[str]], by: User | None, now: datetime, through: str
) -> None:
    """Add to the history; nothing else writes it."""
    ThresholdChange.objects.create(
        threshold=threshold, at=now, by=by, kind=kind, fields=fields, through=through
    )


def _fields_as_text(threshold: Threshold) -> dict[str, str]:
    """The fields people set, as text."""
    texts = {}
    for name in LABELS:
        value = getattr(threshold, name)
        if name == "figure":
            value = threshold.get_figure_display()
        elif isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, float):
            value = f"{value:g} %"
        texts[name] = "" if value is None else str(value)
    return texts


def limit_fields(limit: Limit) -> dict[str, Any]:
    """The fields of a threshold that hold its limit."""
    second = limit.second
    return {
        "form": limit.form,
        "low": limit.low,
        "high": limit.high,
        "second_metric": second.metric if second else "",
        "second_word": second.word if second else "",
        "second_form": second.limit.form if second else "",
        "second_low": second.limit.low if second else None,
        "second_high": second.limit.high if second else None,
        "second_unit": second.unit if second else "",
    }


def _keys_of(target: Target) -> set[str]:
    return {metric.key for metric in metrics_of(target.platform)}


def _split_metric(metric: str, qualifier: str) -> str:
    """The statistic that a qualifier names, of those that a platform declares as parts of one thing."""
    part = part_of(metric, qualifier) if qualifier else metric
    if part is not None:
        return get_metric(part).key
    raise BadThreshold(f"“{qualifier}” does not name a part of {metric}; give one limit without brackets.")


def _part_of_qualifier(limit: Limit, notation: str) -> str:
    """The part of a split notation that belongs to one qualifier, as it was typed."""
    before = notation.split(f"({limit.qualifier})")[0]
    return before.rsplit(")", 1)[-1].strip()
