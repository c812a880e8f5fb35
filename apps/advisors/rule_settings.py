"""Which parameters rules have on a target, and the deeds that change them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from apps.advisors.engine.finding_rules import FindingRule, RuleParameter
from apps.advisors.models import RuleSetting, RuleSettingChange
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.changes import ChangedMeanwhile, refuse_the_second

WHAT = "these parameters"


class BadSetting(ValueError):
    """A setting that cannot be; its text says what to give."""


@dataclass(frozen=True)
class RuleSettings:
    """The settings in force that may hold for some targets."""

    rows: tuple[RuleSetting, ...] = ()

    def parameters(self, rule: FindingRule, target: Target | None = None) -> dict[str, float]:
        """
        The parameters of a rule on a target, or for all: target before group before all, each by itself, else its default.
        """
        chosen = dict(rule.defaults)
        rows = [row for row in self.rows if row.rule == rule.key]
        for row in sorted(rows, key=_narrowness):
            if _is_for(row, target):
                chosen |= {key: value for key, value in row.values.items() if key in chosen}
        return chosen

    def with_draft(self, draft: RuleSetting) -> "RuleSettings":
        """The same once a draft is set: it takes the place of what stands in its scope."""
        return RuleSettings((*(row for row in self.rows if _place(row) != _place(draft)), draft))


def _narrowness(row: RuleSetting) -> int:
    return 2 if row.target_id else 1 if row.group_id else 0


def _is_for(row: RuleSetting, target: Target | None) -> bool:
    return row.reaches(target) if target is not None else not (row.target_id or row.group_id)


def _place(row: RuleSetting) -> tuple[str, int | None, int | None]:
    return row.rule, row.target_id, row.group_id


def read_rule_settings(targets: Iterable[Target] | None = None) -> RuleSettings:
    """The settings that may hold for these targets, or all that are in force; one query."""
    rows = RuleSetting.objects.in_force() if targets is None else RuleSetting.objects.reaching(list(targets))
    return RuleSettings(tuple(rows))


def read_last_changes() -> dict[str, datetime]:
    """When parameters of each rule were changed last; one query."""
    rows = RuleSettingChange.objects.order_by("at").values_list("setting__rule", "at")
    return dict(rows)


def draft_setting(
    rule: FindingRule, target: Target | None, group: Group | None, values: Mapping[str, float]
) -> RuleSetting:
    """A setting as it was typed, not stored. Raises BadSetting."""
    if target is not None and group is not None:
        raise BadSetting("Give a target or a group, not both.")
    if not values:
        raise BadSetting("Give at least one value.")
    parameters = {parameter.key: parameter for parameter in rule.parameters}
    for key, value in values.items():
        if key not in parameters:
            raise BadSetting(f"{rule.key} has no parameter “{key}”.")
        _refuse_out_of_bounds(parameters[key], value)
    return RuleSetting(rule=rule.key, target=target, group=group, values=dict(values))


def _refuse_out_of_bounds(parameter: RuleParameter, value: float) -> None:
    if not parameter.least <= value <= parameter.most:
        bounds = f"{parameter.least:,.10g} to {write_value(parameter, parameter.most)}"
        raise BadSetting(f"{value:g} is out of bounds for “{parameter.label}”: give a number from {bounds}.")


def find_setting(rule: FindingRule, target: Target | None, group: Group | None) -> RuleSetting | None:
    """What is set in a scope already."""
    rows = RuleSetting.objects.in_force().select_related("target", "group", "set_by")
    return rows.filter(rule=rule.key, target=target, group=group).first()


def save_rule_setting(
    rule: FindingRule,
    draft: RuleSetting,
    reason: str,
    *,
    by: User | None,
    now: datetime,
    read: str | None = None,
) -> RuleSetting:
    """
    Set parameters in the scope of a draft, with the reason; what is set there already changes nothing.

    `read` is the `set_at` that the person saw, as ISO text, empty where nothing was set. Raises BadSetting and ChangedMeanwhile.
    """
    if not reason.strip():
        raise BadSetting("Say why, for example: small instances are known and stay as they are.")
    with transaction.atomic():
        current = find_setting(rule, draft.target, draft.group)
        if current is not None:
            current = RuleSetting.objects.select_for_update(of=("self",)).get(pk=current.pk)
            refuse_the_second(current, read, WHAT)
        elif read:
            raise ChangedMeanwhile(f"Somebody withdrew {WHAT} after you opened them.")
        before = _values_without(current, draft, rule)
        fields = _differences(rule, before | (current.values if current else {}), before | draft.values)
        if current is not None and not fields:
            return current
        setting = current or draft
        setting.values, setting.set_by, setting.set_at = draft.values, by, now
        setting.save()
        kind = RuleSettingChange.Kind.CHANGED if current else RuleSettingChange.Kind.SET
        RuleSettingChange.objects.create(
            setting=setting, at=now, by=by, kind=kind, fields=fields, reason=reason.strip()
        )
    return setting


def withdraw_rule_setting(setting: RuleSetting, reason: str, *, by: User | None, now: datetime) -> None:
    """Take a setting out of force: what is set more widely holds again, else the defaults. Raises BadSetting."""
    if not reason.strip():
        raise BadSetting("Say why it is withdrawn.")
    with transaction.atomic():
        current = RuleSetting.objects.select_for_update(of=("self",)).get(pk=setting.pk)
        rule = current.about
        if current.withdrawn_at is not None or rule is None:
            return
        current.withdrawn_at = now
        current.save(update_fields=["withdrawn_at"])
        after = _values_without(current, current, rule)
        RuleSettingChange.objects.create(
            setting=current,
            at=now,
            by=by,
            kind=RuleSettingChange.Kind.WITHDRAWN,
            fields=_differences(rule, after | current.values, after),
            reason=reason.strip(),
        )


def _values_without(current: RuleSetting | None, scope: RuleSetting, rule: FindingRule) -> dict[str, float]:
    """What would hold in a scope if nothing were set there."""
    if scope.target is not None:
        rows = RuleSetting.objects.reaching([scope.target])
    else:
        rows = RuleSetting.objects.in_force().filter(target=None, group=None)
    others = rows.exclude(pk=current.pk) if current is not None else rows
    return RuleSettings(tuple(others)).parameters(rule, scope.target)


def _differences(
    rule: FindingRule, before: Mapping[str, float], after: Mapping[str, float]
) -> list[list[str]]:
    return [
        [
            parameter.label,
            write_value(parameter, before[parameter.key]),
            write_value(parameter, after[parameter.key]),
        ]
        for parameter in rule.parameters
        if before[parameter.key] != after[parameter.key]
    ]


def write_value(parameter: RuleParameter, value: float) -> str:
    """A value with its unit, as histories store it."""
    return f"{value:,.10g} {parameter.unit}".strip()
