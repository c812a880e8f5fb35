"""What rules began to notice in a week stands in its report, in every form."""

from datetime import date, timedelta

import pytest

from apps.advisors.models import Dismissal, Finding
from apps.collection.tests.scripted import instance, prepare
from apps.inventory.models import Target
from apps.reports.engine.week import week_of
from apps.reports.facts import parse_facts
from apps.reports.html import as_html
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf
from apps.reports.tests.scenes import NEXT_MORNING, SUNDAY
from apps.reports.text import as_text
from apps.reports.weekly_report import compose_weekly_report

WEEK = week_of(SUNDAY)
pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def notice(target: Target, rule: str, opened_on: date, **fields: object) -> None:
    days = {"opened_on": opened_on, "seen_on": SUNDAY, "reviewed_on": SUNDAY, "weight": "warning"}
    Finding.objects.create(target=target, rule=rule, **(days | fields))


def composed() -> WeeklyReport:
    return compose_weekly_report(WEEK, NEXT_MORNING)


def test_new_findings_of_the_week_are_listed_worst_first_in_every_form(target):
    notice(target, "COMMIT_SLOW", SUNDAY - timedelta(days=2))
    notice(target, "TS_FILLING", SUNDAY, weight="critical")
    notice(target, "DEADLOCKS", SUNDAY - timedelta(days=30))
    notice(target, "TS_PCT", SUNDAY - timedelta(days=1), closed_on=SUNDAY)
    notice(target, "HARD_PARSE", SUNDAY)
    Dismissal.objects.create(target=target, rule="HARD_PARSE", until=SUNDAY, reason="known", at=NEXT_MORNING)

    report = composed()

    assert [(finding.rule, finding.weight) for finding in report.facts.findings] == [
        ("TS_FILLING", "critical"),
        ("COMMIT_SLOW", "warning"),
    ]
    assert "A tablespace will be full soon (critical)." in as_text(report)
    assert "Commits are slow (warning)." in as_html(report)
    assert as_pdf(report).startswith(b"%PDF")


def test_a_week_without_any_has_no_such_section(target):
    assert "New findings" not in as_text(composed())


def test_a_report_from_before_there_were_findings_is_still_read(target):
    content = composed().content
    del content["findings"]

    assert parse_facts(content).findings == []
