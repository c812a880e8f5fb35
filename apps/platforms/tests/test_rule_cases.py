"""Each rule fires and stays quiet on the figures of the method, and on nothing that it must not look at."""

import math
from collections.abc import Mapping
from dataclasses import replace
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.advisors.engine.finding_rules import (
    FindingRule,
    Guard,
    GuardedRule,
    all_finding_rules,
    all_guards,
    find_finding_rule,
    refuse_guarded,
    try_rule,
)
from apps.advisors.engine.rule_inputs import FigureInput
from apps.advisors.rule_cases import RuleCase, all_rule_cases
from apps.catalog.registry import is_metric

CASES = all_rule_cases()
RULES = [rule for rule in all_finding_rules() if rule.key in {case.rule for case in CASES}]


def rule_of(case: RuleCase) -> FindingRule:
    rule = find_finding_rule(case.rule)
    assert rule is not None
    return rule


def values_of(rule: FindingRule, figures: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """The figures of a case as a trial takes them: of a component where the rule asks for each."""
    inputs = {declared.key: declared for declared in (*rule.inputs, *rule.optional_inputs)}
    return {key: {"DATA" if inputs[key].is_each else "": value} for key, value in figures.items()}


def test_there_are_58_rules_each_with_cases():
    assert len(RULES) == len({case.rule for case in CASES}) == 58


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.rule} {number}") for number, case in enumerate(CASES)]
)
def test_a_rule_answers_as_the_method_does(case):
    rule = rule_of(case)

    trial = try_rule(rule, values_of(rule, case.figures))

    assert trial.is_evaluable
    assert (trial.weight or "quiet") == case.expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_a_rule_is_not_evaluable_without_any_of_its_inputs(rule):
    case = next(case for case in CASES if case.rule == rule.key and case.expected != "quiet")
    for declared in rule.inputs:
        figures = {key: value for key, value in case.figures.items() if key != declared.key}

        trial = try_rule(rule, values_of(rule, figures))

        assert (trial.is_evaluable, trial.fires) == (False, False)
        assert declared in trial.missing


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
@given(data=st.data())
def test_no_figures_whatever_let_a_rule_fire_that_lacks_an_input(rule, data):
    figures = {
        declared.key: data.draw(st.floats(0, 1e9) | st.just(math.nan), label=declared.key)
        for declared in rule.inputs
    }
    lacking = data.draw(st.sampled_from(rule.inputs)).key

    whole = try_rule(rule, values_of(rule, figures))
    part = try_rule(rule, values_of(rule, {key: value for key, value in figures.items() if key != lacking}))

    assert whole.is_evaluable
    assert not part.fires
    assert not part.is_evaluable


@pytest.mark.parametrize("rule", all_finding_rules(), ids=lambda rule: rule.key)
def test_a_rule_says_what_people_need(rule):
    named = {name for _, name, _, _ in Formatter().parse(rule.fires_when) if name}

    assert named == {parameter.key for parameter in rule.parameters}
    assert all(parameter.least <= parameter.default <= parameter.most for parameter in rule.parameters)
    assert all([rule.title, rule.meaning, rule.actions, rule.source])
    assert [key for key in rule.metrics if not is_metric(key)] == []


def test_rules_have_keys_of_their_own():
    keys = [rule.key for rule in all_finding_rules()]

    assert len(keys) == len(set(keys))


def test_a_parameter_moves_the_bound():
    rule = find_finding_rule("REDO_VOLUME")
    assert rule is not None

    assert try_rule(rule, {"redo_gb_per_day": {"": 55}}).fires
    assert not try_rule(rule, {"redo_gb_per_day": {"": 55}}, {"redo_limit": 60}).fires


def test_a_rule_of_components_names_those_that_fire_worst_first():
    rule = find_finding_rule("TS_PCT")
    assert rule is not None

    trial = try_rule(rule, {"ts_used_pct_max": {"DATA": 90.0, "INDEX": 98.0, "USERS": 12.0}})

    assert [(line.component, line.weight) for line in trial.lines] == [
        ("INDEX", "critical"),
        ("DATA", "warning"),
    ]


# ── guards ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_five_guards_stand():
    assert {guard.key for guard in all_guards()} == {
        "NO_IOWAIT_ALERT",
        "NO_LOAD_AS_RUNQ_ON_LINUX",
        "NO_LIFETIME_AVERAGE",
        "NO_HIT_RATIO_ALERT",
        "MIN_COUNT",
    }


@pytest.mark.parametrize(
    ("guard", "metric"),
    [(guard, metric) for guard in all_guards() for metric in sorted(guard.metrics)],
    ids=lambda value: value.key if isinstance(value, Guard) else value,
)
def test_no_rule_may_look_at_what_a_guard_forbids(guard, metric):
    assert is_metric(metric)
    assert [rule.key for rule in all_finding_rules() if metric in rule.metrics] == []
    rule = find_finding_rule("CPU_STEAL")
    assert rule is not None
    wrong = replace(rule, inputs=(FigureInput(key="guarded", label="guarded", metric=metric),))

    with pytest.raises(GuardedRule, match=metric):
        refuse_guarded(wrong, all_guards())
