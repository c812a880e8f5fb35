"""
Packs: limits as a file that is applied to a target, a group or all, exported and imported.

A pack is YAML: `pack`, `title`, `about`, and a list of `limits`, each with `statistic` and `limit` in the notation of the
forms, and where wanted `component`, `figure`, `severity`, persistence, `lead_time_days`, `plan` and `source`. What it leaves out on
purpose stands in `left_out`, each with `statistic`, `suggestion` and `why`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import yaml
from django.db import transaction

from apps.catalog.metric import base_of
from apps.catalog.registry import UnknownMetric, get_metric, is_metric, metrics_of
from apps.charts.words import capital
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.engine.notation import BadNotation
from apps.thresholds.engine.plain_yaml import BadYaml, read_yaml
from apps.thresholds.models import Severity, Threshold
from apps.thresholds.pack_folders import PACK_FOLDERS
from apps.thresholds.precedence import contest_key
from apps.thresholds.register import (
    RANGES,
    add_threshold,
    change_threshold,
    limit_fields,
    parse_limits,
    read_limits,
)

MOST = 500  # limits of a pack

_TEXTS = ("statistic", "component", "limit", "figure", "severity", "plan", "source")
_LONGEST = 200  # characters of a value; plans and sources may be longer
_FIELDS = {*RANGES, *_TEXTS, "leaves_out_peaks"}
_NUMBER = re.compile(r"\+?[0-9]{1,9}(?:\.[0-9]{1,9})?")
_YES_OR_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class BadPack(ValueError):
    """This is not a pack; the message says where and what is expected."""


@dataclass(frozen=True)
class PackLimit:
    """One limit of a pack; `fields` are those of a threshold, `refused` says why it can be set nowhere."""

    statistic: str
    component: str
    notation: str
    source: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""

    @property
    def can_be_edited(self) -> bool:
        """Whether another limit may take its place: all else of it was understood."""
        return bool(self.fields)


@dataclass(frozen=True)
class PackExclusion:
    """A suggestion that is no limit of the pack, and why."""

    statistic: str
    suggestion: str
    why: str


@dataclass(frozen=True)
class Pack:
    name: str
    title: str
    about: str
    limits: Sequence[PackLimit]
    left_out: Sequence[PackExclusion] = ()


@dataclass(frozen=True)
class PlannedLimit:
    """What applying one limit would do in a scope: "new", "changes", "same" or "refused", and why."""

    limit: PackLimit
    kind: str
    why: str = ""
    existing: Threshold | None = None


def load_packs() -> list[Pack]:
    """The packs that come with the program, by title."""
    files = [path for folder in PACK_FOLDERS for path in sorted(folder.glob("*.yaml"))]
    return sorted((parse_pack(path.read_text("utf-8")) for path in files), key=lambda pack: pack.title)


def parse_pack(text: str) -> Pack:
    """Read a pack. Raises BadPack where it is none; a limit that is wrong by itself is refused alone."""
    try:
        read = read_yaml(text)
    except BadYaml as error:
        raise BadPack(str(error)) from None
    entries = read.get("limits") if isinstance(read, dict) else None
    if not isinstance(read, dict) or not isinstance(entries, list):
        raise BadPack("A pack has a list named limits, each with a statistic and a limit.")
    if not entries or len(entries) > MOST:
        raise BadPack(f"The pack has {len(entries)} limits; give from 1 to {MOST}.")
    keys: set[tuple[str, ...]] = set()
    limits = [_limit(number, entry, keys) for number, entry in enumerate(entries, 1)]
    name = _text(read.get("pack"))[:40] or "imported"
    title, about = _text(read.get("title"))[:80] or name, _text(read.get("about"))[:1000]
    return Pack(name, title, about, limits, _left_out(read.get("left_out")))


def _left_out(entries: object) -> list[PackExclusion]:
    """What a pack says it leaves out; what is written in another way is not told."""
    rows = [row for row in entries if isinstance(row, dict)] if isinstance(entries, list) else []
    return [
        PackExclusion(*(_text(row.get(name))[:300] for name in ("statistic", "suggestion", "why")))
        for row in rows[:MOST]
    ]


def _limit(number: int, entry: object, keys: set[tuple[str, ...]]) -> PackLimit:
    if not isinstance(entry, dict):
        return PackLimit(f"number {number}", "", "", refused="it is not a statistic with a limit")
    text = {name: _text(entry.get(name)) for name in _TEXTS}
    short = {name: value[:_LONGEST] for name, value in text.items()}
    unchecked = PackLimit(short["statistic"], short["component"], short["limit"], short["source"])
    try:
        _refuse_what_is_no_text(entry)
        fields = _fields(entry, text)
        key = (
            text["statistic"],
            text["component"],
            fields["figure"],
            fields["severity"],
            fields["side"],
        )
        if key in keys:
            raise BadPack("the pack has this limit twice")
        keys.add(key)
    except (BadPack, BadNotation, UnknownMetric) as error:
        return PackLimit(**{**unchecked.__dict__, "refused": str(error)})
    fields.pop("side")
    return PackLimit(**{**unchecked.__dict__, "fields": fields})


def _text(value: object) -> str:
    """A text without blanks around it; empty where there is none."""
    return value.strip() if isinstance(value, str) else ""


def _refuse_what_is_no_text(entry: Mapping[str, Any]) -> None:
    for name, value in entry.items():
        if not isinstance(value, str):
            raise BadPack(f"{name[:40]} is a list or a mapping; give one value")
        if len(value) > _LONGEST and name not in ("plan", "source"):
            raise BadPack(f"{name[:40]} has {len(value):,} characters; give at most {_LONGEST}")


def _fields(entry: Mapping[str, Any], text: Mapping[str, str]) -> dict[str, Any]:
    unknown = sorted(name[:40] for name in entry if name not in _FIELDS)
    if unknown:
        raise BadPack(f"{', '.join(unknown[:5])} is not known; a limit has {', '.join(sorted(_FIELDS))}")
    figure = text["figure"] or Threshold.FigureOf.VALUE
    if figure not in Threshold.FigureOf.values:
        raise BadPack(f"figure is “{figure}”; give {', '.join(Threshold.FigureOf.values)}")
    severity = text["severity"] or Severity.WARNING
    if severity not in Severity.values:
        raise BadPack(f"severity is “{severity}”; give {' or '.join(Severity.values)}")
    metric = get_metric(text["statistic"])
    limits = read_limits(metric.key, text["limit"], figure)
    if len(limits) > 1:
        raise BadPack("it has two limits in one; give each its own entry")
    if text["component"] and not metric.component_kind:
        raise BadPack(f"{capital(metric.label)} has no components; leave the component out")
    fields: dict[str, Any] = {"figure": figure, "severity": severity, "side": limits[0].side}
    for name, (least, most) in RANGES.items():
        if name in entry:
            fields[name] = _number(name, entry[name], least, most)
    if fields.get("opens_within", 1) < fields.get("opens_after", 1):
        raise BadPack("opens_within cannot be less than opens_after")
    if "leaves_out_peaks" in entry:
        if (word := entry["leaves_out_peaks"].casefold()) not in _YES_OR_NO:
            raise BadPack("leaves_out_peaks is true or false")
        fields["leaves_out_peaks"] = _YES_OR_NO[word]
    if text["plan"]:
        fields["plan"] = text["plan"]
    return fields


def _number(name: str, text: str, least: float, most: float) -> float | int:
    value = float(text) if _NUMBER.fullmatch(text) else None
    if value is None or not least <= value <= most:
        raise BadPack(f"{name} is “{text[:40]}”; give a number from {least:g} to {most:g}")
    if name == "recovery_gap":
        return value
    if not value.is_integer():
        raise BadPack(f"{name} is “{text[:40]}”; give a whole number")
    return int(value)


def with_notations(pack: Pack, notations: Mapping[int, str]) -> Pack:
    """The same pack with other limits at some of its positions; what is no limit there is refused alone."""
    limits = [_with_notation(limit, notations.get(number, "")) for number, limit in enumerate(pack.limits)]
    return replace(pack, limits=limits)


def _with_notation(limit: PackLimit, notation: str) -> PackLimit:
    notation = notation.strip()[:_LONGEST]
    if not notation or notation == limit.notation or not limit.can_be_edited:
        return limit
    try:
        limits = read_limits(limit.statistic, notation, limit.fields["figure"])
        if len(limits) > 1:
            raise BadPack("it has two limits in one; give each its own entry")
    except (BadPack, BadNotation) as error:
        return replace(limit, notation=notation, refused=str(error))
    return replace(limit, notation=notation, refused="")


def plan_pack(pack: Pack, *, target: Target | None = None, group: Group | None = None) -> list[PlannedLimit]:
    """What applying a pack to a target, a group or all would do, limit by limit; nothing is written."""
    thresholds = Threshold.objects.in_force().filter(target=target, group=group)
    existing: dict[tuple[str, ...], Threshold] = {}
    for threshold in thresholds:
        existing.setdefault((threshold.metric, threshold.component, *contest_key(threshold)), threshold)
    own = {metric.key for metric in metrics_of(target.platform)} if target else None
    return [_planned(limit, existing, target, own) for limit in pack.limits]


def _planned(
    limit: PackLimit,
    existing_limits: Mapping[tuple[str, ...], Threshold],
    target: Target | None,
    own: set[str] | None,
) -> PlannedLimit:
    if limit.refused:
        return PlannedLimit(limit, "refused", limit.refused)
    if own is not None and base_of(limit.statistic) not in own:
        name = target.name if target else ""
        return PlannedLimit(
            limit, "refused", f"{name} has no statistic {limit.statistic}; it is one of another platform"
        )
    (meant,) = parse_limits(limit.statistic, limit.notation, limit.fields["figure"])
    key = (
        limit.statistic,
        limit.component,
        limit.fields["figure"],
        meant.side,
        limit.fields["severity"],
    )
    existing = existing_limits.get(key)
    if existing is None:
        return PlannedLimit(limit, "new")
    changed = [
        f"{name.replace('_', ' ')} {getattr(existing, name)} → {value}"
        for name, value in limit.fields.items()
        if getattr(existing, name) != value
    ]
    if existing.limit != meant:
        changed.insert(0, f"limit {existing.notation} → {limit.notation}")
    return PlannedLimit(limit, "changes" if changed else "same", ", ".join(changed), existing)


def apply_pack(
    pack: Pack,
    *,
    by: User | None,
    now: datetime,
    target: Target | None = None,
    group: Group | None = None,
    chosen: Iterable[int] | None = None,
) -> list[Threshold]:
    """
    Set the limits of a pack, all that can be set or those of the chosen positions; together or not at all.

    Those that are there already stay; others of the scope are not touched. Raises BadThreshold.
    """
    positions = None if chosen is None else set(chosen)
    made: list[Threshold] = []
    with transaction.atomic():
        for number, planned in enumerate(plan_pack(pack, target=target, group=group)):
            if planned.kind not in ("new", "changes") or (positions is not None and number not in positions):
                continue
            limit = planned.limit
            through = f"pack {pack.title}{': ' if limit.source else ''}{limit.source}"
            if planned.existing is None:
                made += add_threshold(
                    limit.statistic, limit.notation, now=now, target=target, group=group,
                    component=limit.component, set_by=by, through=through, **limit.fields,
                )  # fmt: skip
                continue
            (meant,) = parse_limits(limit.statistic, limit.notation, limit.fields["figure"])
            fields = {**limit.fields, "notation": limit.notation, **limit_fields(meant)}
            made.append(change_threshold(planned.existing, fields, by=by, now=now, through=through))
    return made


def export_pack(thresholds: Iterable[Threshold], name: str, title: str) -> str:
    """Limits as the text of a pack; where they were set, who owns them, and what has left the catalogue stays behind."""
    usual = Threshold()
    limits = []
    for threshold in filter(lambda threshold: is_metric(threshold.metric), thresholds):
        entry: dict[str, Any] = {"statistic": threshold.metric}
        if threshold.component:
            entry["component"] = threshold.component
        entry["limit"] = (
            threshold.notation
            if threshold.notation[-1:].isalpha() or "%" in threshold.notation
            else _with_unit(threshold)
        )
        if threshold.figure != usual.figure:
            entry["figure"] = str(threshold.figure)
        for key in ("severity", *RANGES, "leaves_out_peaks", "plan"):
            value = getattr(threshold, key)
            if value != getattr(usual, key):
                entry[key] = str(value) if key == "severity" else value
        limits.append(entry)
    written = {"pack": name, "title": title, "limits": limits}
    return str(yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=110))


def _with_unit(threshold: Threshold) -> str:
    """A bare number with its unit, so that the file says what is meant; forms without a number stay."""
    text = threshold.notation
    if not text[-1:].isdigit() or ".." in text or not threshold.unit or text == "0":
        return text
    try:
        (meant,) = parse_limits(threshold.metric, f"{text} {threshold.unit}", threshold.figure)
    except BadNotation:
        return text
    return f"{text} {threshold.unit}" if meant == threshold.limit else text
