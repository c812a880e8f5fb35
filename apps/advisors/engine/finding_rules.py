"""
Rules that are tried each night: a condition over named inputs, what it means, and what to do.

Each is one declaration in a platform's `rules/<subject>.py`. A rule whose input is missing is not evaluable: it neither
fires nor is quiet.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from apps.advisors.engine.rule_inputs import RuleInput, metrics_of_input


class Classification(StrEnum):
    """What a finding calls for: tuning, resources, or a look at the collection itself."""

    PERFORMANCE = "performance"
    CAPACITY = "capacity"
    DATA_QUALITY = "data quality"


class Weight(StrEnum):
    """How much a finding weighs, worst first."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


WEIGHTS = list(Weight)
Values = Mapping[str, Mapping[str, float]]  # by input, by component; a plain input has the component ""


class InputValues:
    """The values of inputs and parameters of one trial, by their names."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> float:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"“{name}” is neither an input nor a parameter of this rule.") from None


Condition = Callable[[InputValues], bool]


@dataclass(frozen=True, kw_only=True)
class RuleParameter:
    """A number in a condition that people may change, with its bounds; `unit` stands behind it."""

    key: str
    label: str
    default: float
    least: float
    most: float
    unit: str = ""


@dataclass(frozen=True, kw_only=True)
class FindingRule:
    """
    One rule. `fires_when` says its condition in words, with each parameter as `{key}`.

    It weighs `weight`, and is critical where `critical` holds too. `optional_inputs` are inputs that are shown where they are known. A
    finding ends after so many quiet days in a row. What `is_of_database` is tried once on a database of several instances, and
    not on each of them.
    """

    key: str
    title: str
    subject: str
    classification: Classification
    weight: Weight = Weight.WARNING
    inputs: tuple[RuleInput, ...]
    optional_inputs: tuple[RuleInput, ...] = ()
    parameters: tuple[RuleParameter, ...] = ()
    condition: Condition
    critical: Condition | None = None
    fires_when: str
    meaning: str
    actions: tuple[str, ...]
    source: str
    closes_after: int = 3
    is_of_database: bool = False

    @cached_property
    def defaults(self) -> Mapping[str, float]:
        return {parameter.key: parameter.default for parameter in self.parameters}

    @cached_property
    def metrics(self) -> frozenset[str]:
        """The statistics that it looks at."""
        return frozenset().union(*(metrics_of_input(declared) for declared in self.inputs))

    def find_input(self, key: str) -> RuleInput | None:
        return next(
            (declared for declared in (*self.inputs, *self.optional_inputs) if declared.key == key), None
        )


@dataclass(frozen=True)
class FiredLine:
    """A component that a rule fires on ("" for the target as a whole), with the figures that made it fire."""

    component: str
    weight: Weight
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Trial:
    """What trying a rule came to: the inputs it lacks, or the components that it fires on, worst first."""

    rule: FindingRule
    missing: tuple[RuleInput, ...] = ()
    lines: tuple[FiredLine, ...] = ()

    @property
    def is_evaluable(self) -> bool:
        return not self.missing

    @property
    def fires(self) -> bool:
        return bool(self.lines)

    @property
    def weight(self) -> Weight | None:
        """Of the worst line; None where it is quiet or not evaluable."""
        return self.lines[0].weight if self.lines else None


def try_rule(rule: FindingRule, values: Values, parameters: Mapping[str, float] | None = None) -> Trial:
    """
    Try a rule on the values of its inputs; NaN is what did not occur, or too seldom to be judged, and fires nothing.

    A component that lacks one of its values is left out; where all do, the rule is not evaluable.
    """
    missing = tuple(declared for declared in rule.inputs if not values.get(declared.key))
    if missing:
        return Trial(rule, missing)
    chosen = dict(rule.defaults) | dict(parameters or {})
    plain = {
        declared.key: values[declared.key][""]
        for declared in (*rule.inputs, *rule.optional_inputs)
        if not declared.is_each and values.get(declared.key)
    }
    each = [declared for declared in rule.inputs if declared.is_each]
    if not each:
        lines = [_try_on("", rule, plain, chosen)]
    else:
        names = [name for name in values[each[0].key] if all(name in values[part.key] for part in each)]
        if not names:
            return Trial(rule, tuple(each))
        lines = [
            _try_on(
                name, rule, plain | {declared.key: values[declared.key][name] for declared in each}, chosen
            )
            for name in names
        ]
    fired = [line for line in lines if line is not None]
    return Trial(rule, lines=tuple(sorted(fired, key=lambda line: WEIGHTS.index(line.weight))))


def _try_on(
    component: str, rule: FindingRule, figures: Mapping[str, float], parameters: Mapping[str, float]
) -> FiredLine | None:
    case_values = InputValues({**figures, **parameters})
    if not rule.condition(case_values):
        return None
    is_critical = rule.critical is not None and rule.critical(case_values)
    return FiredLine(component, Weight.CRITICAL if is_critical else rule.weight, figures)


# ── what must never fire ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class Guard:
    """Something that no rule may be made of: statistics that mislead, each with the reason."""

    key: str
    title: str
    reason: str
    metrics: frozenset[str] = frozenset()


class GuardedRule(ValueError):
    """A rule is made of what must never fire."""


# ── registry ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_rules: dict[str, tuple[FindingRule, ...]] = {}
_guards: dict[str, tuple[Guard, ...]] = {}


def add_finding_rules(platform: str, rules: Iterable[FindingRule], guards: Iterable[Guard] = ()) -> None:
    """Add what a platform declares; a second time replaces the first. Raises GuardedRule."""
    declared, own_guards = tuple(rules), tuple(guards)
    for rule in declared:
        refuse_guarded(rule, [*all_guards(), *own_guards])
    for rule in all_finding_rules():
        refuse_guarded(rule, own_guards)
    _rules[platform], _guards[platform] = declared, own_guards


def refuse_guarded(rule: FindingRule, guards: Iterable[Guard]) -> None:
    """Raise GuardedRule where a rule looks at what a guard forbids."""
    for guard in guards:
        if forbidden := rule.metrics & guard.metrics:
            raise GuardedRule(f"{rule.key} must not look at {', '.join(sorted(forbidden))}: {guard.reason}")


def finding_rules_of(platform: str) -> Sequence[FindingRule]:
    return _rules.get(platform, ())


def all_finding_rules() -> list[FindingRule]:
    """Every rule, platform by platform, as they are declared."""
    return [rule for rules in _rules.values() for rule in rules]


def find_finding_rule(key: str) -> FindingRule | None:
    return next((rule for rule in all_finding_rules() if rule.key == key), None)


def all_guards() -> list[Guard]:
    return list({guard.key: guard for guards in _guards.values() for guard in guards}.values())
