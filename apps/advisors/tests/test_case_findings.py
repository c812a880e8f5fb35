"""Which findings bear on a case, and what they say to do."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from apps.advisors.case_findings import find_case_findings, offer_actions
from apps.advisors.engine.finding_rules import (
    Classification,
    FindingRule,
    add_finding_rules,
    all_finding_rules,
)
from apps.advisors.engine.rule_inputs import FigureInput
from apps.advisors.findings import try_rules
from apps.advisors.models import Finding
from apps.advisors.plan import plan_actions
from apps.advisors.standing_findings import dismiss
from apps.catalog.subjects import Neighbourhood, SubjectStatistics, add_subjects
from apps.collection.tests.scripted import BOOT, HOSTS, PLATFORM, TODAY, instance, levels, prepare
from apps.inventory.models import Target
from apps.thresholds.check import check_thresholds
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold
from apps.web.pages.case.forms import ActionForm

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
FULL = FindingRule(
    key="X_FULL",
    title="Nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(FigureInput(key="used", label="used", unit="MB", metric="x_used", is_each=True),),
    condition=lambda inputs: inputs.used >= 10,
    fires_when="used ≥ 10 MB",
    meaning="It fills up.",
    actions=("Add a file.", "Drop what nobody reads."),
    source="a test",
)
HITS = replace(
    FULL,
    key="X_HITS",
    title="Few hits",
    inputs=(FigureInput(key="hits", label="hits", unit="%", metric="x_hit_pct"),),
    condition=lambda inputs: inputs.hits < 200,
    actions=("Add a file.", "Enlarge the cache."),
)


@pytest.fixture(autouse=True)
def ruled() -> Iterator[None]:
    add_finding_rules(PLATFORM, [FULL, HITS])
    yield
    add_finding_rules(PLATFORM, [])
    for platform in (PLATFORM, HOSTS):
        add_subjects(platform, [], {})


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def open_case(target: Target, component: str = "DATA") -> Violation:
    add_threshold("x_used", "<=10", now=BOOT, target=target, component=component)
    for day in levels(target, [9, 11, 12]):
        check_thresholds(target, day, NOW)
        try_rules(target, day)
    return Violation.objects.get(component=component)


def hit_rate(target: Target) -> None:
    """A finding of a statistic that the case has nothing to do with by itself."""
    Finding.objects.create(
        target=target,
        rule="X_HITS",
        weight="warning",
        opened_on=TODAY - timedelta(days=1),
        seen_on=TODAY,
        reviewed_on=TODAY,
        evidence=[{"component": "", "weight": "warning", "figures": {"hits": 50.0}}],
    )


def keys(violation: Violation) -> list[str]:
    return [row.standing.rule.key for row in find_case_findings(violation)]


def test_a_finding_of_its_statistic_and_component_bears_on_a_case(target):
    case = open_case(target)

    (row,) = find_case_findings(case)

    assert row.standing.rule is FULL
    assert [line["figures"] for line in row.lines] == [{"used": 12.0}]


def test_one_of_another_component_does_not(target):
    case = open_case(target)
    finding = Finding.objects.get()
    finding.evidence = [line | {"component": "USERS"} for line in finding.evidence]
    finding.save()

    assert keys(case) == []


def test_one_of_what_is_read_beside_it_bears_on_a_case_and_no_other(target):
    case = open_case(target)
    hit_rate(target)
    assert keys(case) == ["X_FULL"]

    add_subjects(
        PLATFORM,
        [Neighbourhood(metric="x_used", subjects=("hits",))],
        {"hits": SubjectStatistics((("x_hit_pct", "*"),))},
    )

    assert sorted(keys(case)) == ["X_FULL", "X_HITS"]


def test_what_somebody_dismissed_is_left_out(target):
    case = open_case(target)
    dismiss(Finding.objects.get(), TODAY + timedelta(days=9), "known", None, NOW)

    assert keys(case) == []


def test_a_closed_case_has_the_findings_of_its_last_day(target):
    case = open_case(target)
    case.closed_on = TODAY - timedelta(days=1)
    case.save()
    Finding.objects.update(closed_on=TODAY)
    assert keys(case) == ["X_FULL"]

    Finding.objects.update(opened_on=TODAY)

    assert keys(case) == []


def test_findings_change_no_diagnosis(target):
    case = open_case(target)

    with_finding = plan_actions(case, TODAY, NOW)
    evidence, proposed = with_finding.evidence, with_finding.proposed
    with_finding.delete()
    Finding.objects.all().delete()
    without = plan_actions(case, TODAY, NOW)

    assert (without.evidence, without.proposed) == (evidence, proposed)


def test_what_findings_say_to_do_is_offered_once_with_its_reason_and_not_what_is_planned(target):
    case = open_case(target)
    hit_rate(target)
    add_subjects(
        PLATFORM,
        [Neighbourhood(metric="x_used", subjects=("hits",))],
        {"hits": SubjectStatistics((("x_hit_pct", "*"),))},
    )

    offered = offer_actions(find_case_findings(case), {"Drop what nobody reads."})

    assert sorted(action.text for action in offered) == ["Add a file.", "Enlarge the cache."]
    reasons = {action.text: action.reason for action in offered}
    assert (
        reasons["Enlarge the cache."]
        == f"Few hits on {target.name} (X_HITS), noticed since {TODAY - timedelta(days=1):%-d %B %Y}."
    )


def test_every_action_of_every_rule_is_short_enough_for_a_step():
    texts = [text for rule in all_finding_rules() for text in rule.actions]

    assert len(texts) > 100
    assert [text for text in texts if not ActionForm({"text": text}).is_valid()] == []
