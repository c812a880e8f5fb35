"""The rules as people read them, and their parameters as people change them."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.advisors.engine.finding_rules import (
    Classification,
    FindingRule,
    RuleParameter,
    add_finding_rules,
    all_finding_rules,
    all_guards,
    finding_rules_of,
)
from apps.advisors.engine.rule_inputs import FigureInput
from apps.advisors.findings import try_rules
from apps.advisors.models import RuleSetting
from apps.advisors.rule_cases import cases_of
from apps.collection.tests.scripted import PLATFORM, instance, levels, prepare
from apps.inventory.models import Target
from apps.platforms.linux.platform import PLATFORM as LINUX
from apps.platforms.oracle.platform import PLATFORM as ORACLE
from apps.web.tests.scenes import NASTY, signed_in

pytestmark = pytest.mark.django_db

LAST = timezone.now().date() - timedelta(days=1)
FULL = FindingRule(
    key="X_FULL",
    title="Nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(FigureInput(key="used", label="used", unit="MB", metric="x_used", is_each=True),),
    parameters=(
        RuleParameter(key="least", label="used, at least", default=10, least=1, most=5000, unit="MB"),
    ),
    condition=lambda inputs: inputs.used >= inputs.least,
    fires_when="used ≥ {least}",
    meaning="It fills up.",
    actions=("Add a file.",),
    source="a test",
)
ADDRESS = "/rules/X_FULL"


@pytest.fixture
def target():
    add_finding_rules(PLATFORM, [FULL])
    prepare(*(LAST - timedelta(days=back) for back in range(10)))
    target = instance("NOTICED")
    levels(target, [9, 12, 21], last=LAST)
    Target.objects.update(reviewed_through=LAST)
    try_rules(target, LAST - timedelta(days=2), LAST)
    yield target
    add_finding_rules(PLATFORM, [])


@pytest.fixture
def planner(target: Target) -> Client:
    return signed_in(is_planner=True)


def text_of(client: Client, address: str, **query: str | int) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\xa0", " ")


def save(client: Client, **fields: object) -> str:
    entries = {"least": "15", "reason": "small ones are known", "read": ""} | fields
    return client.post(ADDRESS, entries, follow=True).content.decode()


def test_every_rule_is_listed_with_its_condition_its_cases_and_where_it_fires(planner, target):
    html = text_of(planner, "/rules")

    assert len(finding_rules_of(ORACLE.key)) + len(finding_rules_of(LINUX.key)) == 58
    assert [rule.key for rule in all_finding_rules() if f'id="{rule.key}"' not in html] == []
    assert "SGA ≥ <strong>4 GB</strong>, less than <strong>95 %</strong> of it in huge pages" in html
    assert f"1 of {len(all_finding_rules())} rules fire somewhere" in html
    assert reverse("target_findings", args=[target.pk]) in html
    assert all(guard.reason in html for guard in all_guards() if "'" not in guard.reason)
    rows = csv.DictReader(io.StringIO(text_of(planner, "/rules", format="csv").lstrip("\ufeff")))
    assert (
        {row["name"]: int(float(row["cases"])) for row in rows}["HP_MISSING"]
        == len(cases_of("HP_MISSING"))
        == 3
    )


def test_a_rule_has_its_inputs_its_cases_and_the_figures_it_fires_on(planner, target):
    html = text_of(planner, ADDRESS)
    assert "Nearly full: fires on one target" in html
    assert "21 MB" in html

    html = text_of(planner, "/rules/HP_MISSING")
    assert "Register the host that the instance runs on" in html
    assert "SGA of all instances on the host 60 GB" in html
    assert "fires nowhere" in html


def test_a_rule_without_parameters_says_so(planner):
    assert "none of them can be changed" in text_of(planner, "/rules/SWAPPING")


def test_a_rule_that_is_none_is_not_found(planner):
    assert planner.get("/rules/LUCK").status_code == 404


def test_a_change_is_tried_on_the_past_and_stores_nothing(planner, target):
    html = text_of(planner, ADDRESS, least=15)

    assert (
        "In the last 90 days one finding would have been opened on one target, against 1 as the rule stands."
        in html
    )
    assert 'name="reason"' in html
    (row,) = csv.DictReader(
        io.StringIO(text_of(planner, ADDRESS, least=15, format="csv", table="dry-runs").lstrip("\ufeff"))
    )
    assert (float(row["days it fires"]), float(row["would fire"])) == (2, 1)
    assert row["other days"] == f"{LAST - timedelta(days=1)}"
    assert not RuleSetting.objects.exists()


def test_a_change_is_saved_with_its_reason_shown_everywhere_and_withdrawn(planner, target):
    html = save(planner, reason=NASTY)

    assert NASTY not in html
    assert "10 MB → 15 MB, for all targets" in html
    assert "used ≥ <strong>15 MB</strong>" in text_of(planner, "/rules")
    assert "fires when used ≥ 15 MB" in text_of(planner, f"/targets/{target.pk}/findings")

    setting = RuleSetting.objects.get()
    refused = planner.post(f"/rules/settings/{setting.pk}/withdraw", {"reason": ""}, follow=True)
    assert "Say why it is withdrawn." in refused.content.decode()
    planner.post(f"/rules/settings/{setting.pk}/withdraw", {"reason": "no more"})
    assert "used ≥ <strong>10 MB</strong>" in text_of(planner, ADDRESS)
    assert "withdrew used, at least 15 MB → 10 MB" in text_of(planner, ADDRESS)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"least": "0.5"}, "“0.5” is not a number from 1 to 5000."),
        ({"least": "9999"}, "“9999” is not a number from 1 to 5000."),
        ({"least": "much"}, "“much” is not a number from 1 to 5000."),
        ({"least": "nan"}, "“nan” is not a number from 1 to 5000."),
        ({"least": ""}, "Give at least one value."),
        ({"target": "999999"}, "is not one of those offered"),
        ({"reason": " "}, "Reason is missing."),
    ],
)
def test_what_cannot_be_gets_a_sentence_and_nothing_is_stored(planner, typed, sentence):
    assert sentence in save(planner, **typed)
    assert not RuleSetting.objects.exists()


def test_of_two_people_the_second_gets_a_sentence(planner, target):
    save(planner)

    html = save(planner, least="20")

    assert "after you opened it" in html
    assert RuleSetting.objects.get().values == {"least": 15}


def test_a_reader_tries_but_saves_nothing(target):
    reader = signed_in(is_planner=False)

    assert "would have been opened" in text_of(reader, ADDRESS, least=15)
    assert reader.post(ADDRESS, {"least": "15", "reason": "known"}).status_code == 403
    assert not RuleSetting.objects.exists()
