"""Parameters of rules as people set them: for a target, a group or all, with their history."""

from typing import Any, Self

from django.conf import settings
from django.db import models

from apps.advisors.engine.finding_rules import FindingRule, find_finding_rule
from apps.inventory.models import Group, Target
from apps.inventory.scope import Scoped, holding_for, one_scope
from apps.thresholds.changes import RegisterChange


class RuleSettingQuerySet(models.QuerySet["RuleSetting"]):
    def in_force(self) -> Self:
        return self.filter(withdrawn_at=None)

    def reaching(self, targets: Any) -> Self:
        """Those that may hold for some of the targets."""
        return self.in_force().filter(holding_for(targets))


class RuleSetting(Scoped):
    """What somebody set of the parameters of a rule: `values` has those that are set here, by their keys."""

    rule = models.CharField(max_length=40)
    target = models.ForeignKey(Target, models.CASCADE, null=True, blank=True, related_name="rule_settings")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="rule_settings")
    values = models.JSONField(default=dict)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = RuleSettingQuerySet.as_manager()

    class Meta:
        ordering = ["rule", "pk"]
        constraints = [
            one_scope("rule_setting_of_target_or_group"),
            models.UniqueConstraint(
                fields=["rule", "target", "group"],
                condition=models.Q(withdrawn_at=None),
                nulls_distinct=False,
                name="one_setting_of_a_rule_in_a_scope",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rule} for {self.scope}"

    @property
    def about(self) -> FindingRule | None:
        """Its rule; None where that has left the product."""
        return find_finding_rule(self.rule)


class RuleSettingChange(RegisterChange):
    """One change of the parameters of a rule, with the reason that was given."""

    AT_HEART = ""

    setting = models.ForeignKey(RuleSetting, models.CASCADE, related_name="changes")
    reason = models.CharField(max_length=300)

    @property
    def words(self) -> str:
        """What was changed, where and why: "SGA, at least 4 GB → 8 GB, for all targets: small ones are known"."""
        parts = ", ".join(f"{label} {before} → {after}" for label, before, after in self.fields)
        withdrawn = "withdrew " if self.kind == self.Kind.WITHDRAWN else ""
        return f"{withdrawn}{parts}, for {self.setting.scope}: {self.reason}"
