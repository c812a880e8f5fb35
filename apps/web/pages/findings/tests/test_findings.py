"""What rules notice, as people read it: on the estate, on a target, and the rules themselves."""

import csv
import io
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.advisors.engine.finding_rules import (
    Classification,
    FindingRule,
    add_finding_rules,
)
from apps.advisors.engine.rule_inputs import FigureInput
from apps.advisors.findings import try_rules
from apps.advisors.models import Dismissal
from apps.collection.tests.scripted import PLATFORM, instance, levels, prepare
from apps.inventory.models import Target
from apps.web.tests.scenes import NASTY, signed_in

pytestmark = pytest.mark.django_db

LAST = timezone.now().date() - timedelta(days=1)
USED = FigureInput(key="used", label="used", unit="MB", metric="x_used", is_each=True)
WAITS = FigureInput(
    key="hits", label="hits", unit="%", metric="x_hit_pct", needs="Read the cache of the instance."
)


def rule(key: str, **fields: object) -> FindingRule:
    entries = {
        "key": key,
        "title": f"{key} is noticed",
        "subject": "space",
        "classification": Classification.CAPACITY,
        "inputs": (USED,),
        "condition": lambda inputs: inputs.used >= 10,
        "fires_when": "used ≥ 10 MB",
        "meaning": "It fills up.",
        "actions": ("Add a file.",),
        "source": "a test",
    }
    return FindingRule(**(entries | fields))  # type: ignore[arg-type]


@pytest.fixture
def target():
    rules = [
        rule("FULL", critical=lambda inputs: inputs.used >= 20),
        rule("SLOW", inputs=(WAITS,), classification=Classification.PERFORMANCE),
    ]
    add_finding_rules(PLATFORM, rules)
    prepare(*(LAST - timedelta(days=back) for back in range(10)))
    target = instance("NOTICED")
    levels(target, [9, 12, 21], last=LAST)
    try_rules(target, LAST - timedelta(days=2), LAST)
    yield target
    add_finding_rules(PLATFORM, [])


@pytest.fixture
def planner(target: Target) -> Client:
    return signed_in(is_planner=True)


def text_of(client: Client, name: str, *args: object, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\xa0", " ")


def dismissal(target: Target, **fields: str) -> dict[str, str]:
    until = (timezone.now().date() + timedelta(days=30)).isoformat()
    return {"reason": "The disk is ordered.", "until": until} | fields


def test_a_target_says_what_is_noticed_with_its_figures_since_when_and_what_lacks(planner, target):
    html = text_of(planner, "target_findings", target.pk)

    assert "Headroom notices one thing on NOTICED" in html
    assert "1 critical" in html
    assert "<strong>21 MB</strong>" in html
    assert "Add a file." in html
    assert "two days" in html
    assert "Read the cache of the instance." in html


def test_the_evidence_is_the_figure_of_the_statistic_on_that_day(planner, target):
    address = reverse("statistic", args=[target.pk, "x_used"])
    html = text_of(planner, "target_findings", target.pk)

    assert f"{address}?component=DATA&amp;on={LAST}" in html
    page = planner.get(address, {"component": "DATA", "on": LAST.isoformat()}).content.decode()
    assert "21" in page


def test_the_estate_lists_what_is_noticed_by_weight(planner, target):
    html = text_of(planner, "findings")

    assert "Headroom notices one thing on one target" in html
    assert html.index("Critical") < html.index("FULL is noticed")
    rows = list(csv.reader(io.StringIO(text_of(planner, "findings", format="csv").lstrip("\ufeff"))))
    assert rows[1][:5] == ["Critical", "FULL is noticed", "critical", "FULL", "NOTICED"]


def test_a_dismissed_finding_stands_apart_until_its_day_with_the_reason_and_who(planner, target):
    finding = target.findings.get()

    planner.post(reverse("finding_dismiss", args=[finding.pk]), dismissal(target, reason=NASTY))

    html = text_of(planner, "target_findings", target.pk)
    assert "Headroom notices nothing on NOTICED" in html
    assert "Dismissed" in html
    assert NASTY not in html
    assert "Nothing is noticed" in text_of(planner, "findings")
    assert Dismissal.objects.get().by is not None


def test_a_dismissal_that_is_over_shows_the_finding_again(planner, target):
    Dismissal.objects.create(
        target=target, rule="FULL", until=LAST - timedelta(days=1), reason="was known", at=timezone.now()
    )

    assert "Headroom notices one thing" in text_of(planner, "target_findings", target.pk)


def test_what_was_dismissed_can_be_shown_again(planner, target):
    finding = target.findings.get()
    planner.post(reverse("finding_dismiss", args=[finding.pk]), dismissal(target))

    planner.post(reverse("finding_dismiss", args=[finding.pk]), {"withdraw": "1"})

    assert "Headroom notices one thing" in text_of(planner, "target_findings", target.pk)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"reason": " "}, "Say why"),
        ({"until": ""}, "Give the day until which it is dismissed."),
        ({"until": "soon"}, "Give a day such as 2026-05-31."),
        ({"until": "2020-01-01"}, "Give a day from today on, within a year."),
        ({"until": "2999-01-01"}, "Give a day from today on, within a year."),
    ],
)
def test_a_dismissal_without_reason_or_day_is_refused_in_a_sentence(planner, target, typed, sentence):
    response = planner.post(
        reverse("finding_dismiss", args=[target.findings.get().pk]), dismissal(target, **typed), follow=True
    )

    assert sentence in response.content.decode()
    assert not Dismissal.objects.exists()


def test_a_reader_dismisses_nothing(target):
    reader = signed_in(is_planner=False)

    response = reader.post(reverse("finding_dismiss", args=[target.findings.get().pk]), dismissal(target))

    assert response.status_code == 403
    assert not Dismissal.objects.exists()
    assert "Dismiss" not in text_of(reader, "target_findings", target.pk)


def test_a_target_that_was_never_tried_says_so(planner):
    empty = instance("EMPTY")

    assert "No rule was tried on EMPTY yet" in text_of(planner, "target_findings", empty.pk)


def test_rules_that_were_not_tried_lately_name_their_day(planner, target):
    target.rule_trial.on = date(2026, 1, 5)
    target.rule_trial.save()

    assert "Rules were last tried on 5 January" in text_of(planner, "target_findings", target.pk)
