"""What rules notice beside the figure of a case, and what they say to do as steps of its plan."""

from collections.abc import Iterator

import pytest

from apps.advisors.engine.finding_rules import Classification, FindingRule, add_finding_rules
from apps.advisors.engine.rule_inputs import FigureInput
from apps.advisors.findings import try_rules
from apps.advisors.models import Action
from apps.collection.tests.scripted import PLATFORM
from apps.web.pages.case.tests.scenes import page, post, steps
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

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


@pytest.fixture(autouse=True)
def noticed(violation) -> Iterator[None]:
    add_finding_rules(PLATFORM, [FULL])
    try_rules(violation.target, violation.reviewed_on)
    yield
    add_finding_rules(PLATFORM, [])


def test_a_case_shows_its_findings_with_figure_and_day(planner, violation):
    html = page(planner, violation)

    assert "What rules notice beside it" in html
    assert "Nearly full" in html
    assert f"component=DATA&amp;on={violation.reviewed_on}" in html
    assert "<strong>12 MB</strong>" in html.replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\xa0", " ")


def test_what_a_finding_says_to_do_becomes_a_step_and_is_offered_no_more(planner, violation):
    html = page(planner, violation)
    assert "What findings say to do" in html
    assert 'value="Drop what nobody reads."' in html
    assert 'type="hidden" name="text" value="Add a file."' not in html  # a step already

    post(planner, violation, "actions", {"text": "Drop what nobody reads.", "notes": "Nearly full"})

    assert steps()[-1] == "Drop what nobody reads."
    assert Action.objects.get(text="Drop what nobody reads.").notes == "Nearly full"
    assert "What findings say to do" not in page(planner, violation)


def test_a_reader_sees_what_is_said_and_adds_nothing(violation):
    html = page(signed_in(is_planner=False), violation)

    assert "Drop what nobody reads." in html
    assert "Add to the plan" not in html
