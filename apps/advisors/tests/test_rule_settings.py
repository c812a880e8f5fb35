"""Parameters of rules: the narrowest scope wins, bounds hold, everything is in the history, and the past can be tried."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from apps.advisors.engine.finding_rules import (
    Classification,
    FindingRule,
    RuleParameter,
    add_finding_rules,
)
from apps.advisors.engine.rule_inputs import FigureInput
from apps.advisors.findings import try_rules
from apps.advisors.models import Finding, RuleSetting, RuleSettingChange
from apps.advisors.rule_dry_run import dry_run_rule
from apps.advisors.rule_settings import (
    BadSetting,
    draft_setting,
    find_setting,
    read_rule_settings,
    save_rule_setting,
    withdraw_rule_setting,
)
from apps.collection.tests.scripted import PLATFORM, TODAY, instance, levels, prepare
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.changes import ChangedMeanwhile

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
FULL = FindingRule(
    key="X_FULL",
    title="Nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(FigureInput(key="used", label="used", unit="MB", metric="x_used", is_each=True),),
    parameters=(
        RuleParameter(key="least", label="used, at least", default=10, least=1, most=5000, unit="MB"),
        RuleParameter(key="most", label="used, at most", default=100, least=1, most=5000, unit="MB"),
    ),
    condition=lambda inputs: inputs.least <= inputs.used <= inputs.most,
    fires_when="used ≥ {least}, ≤ {most}",
    meaning="It fills up.",
    actions=("Add a file.",),
    source="a test",
)


@pytest.fixture(autouse=True)
def ruled() -> Iterator[None]:
    add_finding_rules(PLATFORM, [FULL])
    yield
    add_finding_rules(PLATFORM, [])


@pytest.fixture
def target() -> Target:
    prepare()
    return instance(group=Group.objects.create(name="Production"))


def put(
    target: Target | None = None,
    group: Group | None = None,
    reason: str = "known",
    read: str | None = None,
    **values: float,
) -> RuleSetting:
    draft = draft_setting(FULL, target, group, values)
    return save_rule_setting(FULL, draft, reason, by=None, now=NOW, read=read)


def parameters(target: Target | None) -> dict[str, float]:
    return read_rule_settings(None if target is None else [target]).parameters(FULL, target)


def test_without_settings_the_defaults_hold(target):
    assert parameters(target) == parameters(None) == {"least": 10, "most": 100}


def test_the_narrowest_scope_wins_parameter_by_parameter(target):
    put(least=20, most=200)
    put(group=target.group, least=30)
    assert parameters(target) == {"least": 30, "most": 200}

    put(target=target, least=40)

    assert parameters(target) == {"least": 40, "most": 200}
    assert parameters(instance("OTHER")) == {"least": 20, "most": 200}
    assert parameters(None) == {"least": 20, "most": 200}


def test_the_next_night_goes_by_what_is_set(target):
    days = levels(target, [12, 12])
    try_rules(target, days[0])
    assert Finding.objects.get().quiet_days == 0

    put(target=target, least=15)
    try_rules(target, days[1])

    assert Finding.objects.get().quiet_days == 1


def test_the_history_says_who_when_from_to_and_why(target):
    okafor = User.objects.create(username="planner", first_name="T.", last_name="Okafor")
    draft = draft_setting(FULL, target, None, {"least": 20})
    setting = save_rule_setting(FULL, draft, " small ones are known ", by=okafor, now=NOW)
    put(target=target, least=25, most=1500, reason="grown")
    withdraw_rule_setting(setting, "no more", by=okafor, now=NOW + timedelta(days=1))

    newest, changed, first = RuleSettingChange.objects.order_by("-pk")

    assert (first.by, first.at) == (okafor, NOW)
    assert first.words == "used, at least 10 MB → 20 MB, for SCRIPT: small ones are known"
    assert changed.words == "used, at least 20 MB → 25 MB, used, at most 100 MB → 1,500 MB, for SCRIPT: grown"
    assert (
        newest.words
        == "withdrew used, at least 25 MB → 10 MB, used, at most 1,500 MB → 100 MB, for SCRIPT: no more"
    )
    assert parameters(target) == FULL.defaults


def test_what_is_set_already_changes_nothing(target):
    put(least=20)
    put(least=20, reason="again")

    assert RuleSettingChange.objects.count() == 1


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "Give at least one value."),
        ({"least": 0.5}, "0.5 is out of bounds for “used, at least”: give a number from 1 to 5,000 MB."),
        ({"least": 6000}, "give a number from 1 to 5,000 MB."),
        ({"least": float("nan")}, "give a number from 1 to 5,000 MB."),
        ({"luck": 7}, "X_FULL has no parameter “luck”."),
    ],
)
def test_values_that_cannot_be_get_a_sentence_and_nothing_is_stored(target, values, sentence):
    with pytest.raises(BadSetting) as refused:
        put(**values)

    assert sentence in str(refused.value)
    assert not RuleSetting.objects.exists()


def test_a_target_and_a_group_at_once_and_no_reason_get_a_sentence(target):
    with pytest.raises(BadSetting, match="Give a target or a group, not both"):
        put(target=target, group=target.group, least=20)
    with pytest.raises(BadSetting, match="Say why"):
        put(least=20, reason=" ")
    setting = put(least=20)
    with pytest.raises(BadSetting, match="Say why"):
        withdraw_rule_setting(setting, "", by=None, now=NOW)

    assert parameters(None)["least"] == 20


def test_of_two_people_who_change_the_same_the_second_gets_a_sentence(target):
    setting = put(least=20, read="")

    with pytest.raises(ChangedMeanwhile, match="after you opened it"):
        put(least=30, read="")
    read = setting.set_at.isoformat()
    withdraw_rule_setting(setting, "no more", by=None, now=NOW)
    with pytest.raises(ChangedMeanwhile, match="withdrew"):
        put(least=30, read=read)

    assert find_setting(FULL, None, None) is None


# ── the past ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def reviewed(name: str, values: list[float | None], **fields: object) -> Target:
    target = instance(name, **fields)
    levels(target, values)
    target.reviewed_through = TODAY
    target.save()
    return target


def test_a_dry_run_says_which_findings_would_have_opened_and_on_which_days(target):
    reviewed("DWPRD", [12, 30, 12, 12, 12, 12, 30, None, 30])

    runs = dry_run_rule(FULL, draft_setting(FULL, None, None, {"least": 25}))

    (row,) = runs.rows
    assert row.evaluated == 8
    assert len(row.present.fired) == 8
    assert [(TODAY - day).days for day in row.draft.fired] == [7, 2, 0]
    assert [(TODAY - day).days for day in row.present.opened] == [8]
    assert [(TODAY - day).days for day in row.draft.opened] == [
        7
    ]  # what comes back within a month is the same
    assert row.present.stands
    assert row.draft.stands
    assert not Finding.objects.exists()
    assert not RuleSetting.objects.exists()


def test_a_dry_run_of_what_is_set_says_what_the_nights_said(target):
    tried = reviewed("DWPRD", [9, 12, 9, 9, 9, *[9] * 33, 12, 12])
    try_rules(tried, TODAY - timedelta(days=39), TODAY)

    (row,) = dry_run_rule(FULL, draft_setting(FULL, None, None, {"least": 10})).rows

    assert (
        sorted(Finding.objects.values_list("opened_on", flat=True)) == row.present.opened == row.draft.opened
    )


def test_a_draft_for_all_leaves_what_is_set_more_narrowly(target):
    reviewed("OWN", [12])
    reviewed("OTHER", [12])
    put(target=Target.objects.get(name="OWN"), least=11)

    runs = dry_run_rule(FULL, draft_setting(FULL, None, None, {"least": 50}))

    assert {row.target.name: len(row.draft.fired) for row in runs.rows} == {"OTHER": 0, "OWN": 1}


def test_a_draft_is_tried_in_its_scope_alone(target):
    inside = reviewed("INSIDE", [12], group=target.group)
    reviewed("OUTSIDE", [12])

    of_group = dry_run_rule(FULL, draft_setting(FULL, None, target.group, {"least": 50}))
    of_target = dry_run_rule(FULL, draft_setting(FULL, inside, None, {"least": 50}))

    assert (
        [row.target.name for row in of_group.rows]
        == [row.target.name for row in of_target.rows]
        == ["INSIDE"]
    )


def test_those_with_a_finding_are_tried_first_and_the_rest_is_counted(target, monkeypatch):
    monkeypatch.setattr("apps.advisors.rule_dry_run.MOST_TARGETS", 1)
    reviewed("AAA", [9])
    noticed = reviewed("ZZZ", [12])
    try_rules(noticed, TODAY)

    runs = dry_run_rule(FULL, draft_setting(FULL, None, None, {"least": 11}))

    assert ([row.target.name for row in runs.rows], runs.untried) == (["ZZZ"], 1)
