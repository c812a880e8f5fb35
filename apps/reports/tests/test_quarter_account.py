"""The weekly report says how forecasts of the quarter fared."""

from datetime import date, timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest

from apps.collection.tests import scripted
from apps.forecasting.models import Promise
from apps.inventory.models import Target
from apps.reports.engine.week import Week
from apps.reports.facts import QuarterAccount
from apps.reports.html import as_html
from apps.reports.lines import account_text
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf
from apps.reports.tests.scenes import MONDAY, NEXT_MORNING, SUNDAY, limit
from apps.reports.tests.test_forms import pages
from apps.reports.text import as_text
from apps.reports.weekly_report import compose_weekly_report
from apps.reports.xlsx import as_xlsx

pytestmark = pytest.mark.django_db

SENTENCE = (
    "Of 3 violations forecast, 2 came; the day was off by 6 in the median, that of a straight line by 15."
    " 3 promises fell due."
)


def promise(target: Target, count: int, come: int | None, due: date = SUNDAY) -> None:
    made = due - timedelta(days=90)
    threshold = limit(target, component=f"DATA{Promise.objects.count()}")
    Promise.objects.bulk_create(
        Promise(
            target=target, metric="x_used", component=f"T{place}", threshold=threshold, notation="<100", made_on=made,
            due_on=due, chance=0.7, likely_on=made + timedelta(days=30), line_on=made + timedelta(days=51),
            outcome="missed" if come is None else "came", happened_on=None if come is None else made + timedelta(days=come),
        )
        for place in range(count)
    )  # fmt: skip


def watched(name: str = "one", *, is_demo: bool = False) -> Target:
    scripted.prepare()
    target = scripted.instance(name)
    Target.objects.filter(pk=target.pk).update(is_demo=is_demo, reviewed_through=SUNDAY)
    return Target.objects.get(pk=target.pk)


def composed() -> WeeklyReport:
    return compose_weekly_report(Week(MONDAY), NEXT_MORNING)


def test_every_form_of_the_report_says_how_many_came():
    target = watched()
    promise(target, 2, 36)
    promise(target, 1, None)

    report = composed()

    assert SENTENCE in as_html(report)
    assert SENTENCE in " ".join(as_text(report).split())
    assert "Of 3 violations forecast, 2 came" in " ".join(pages(as_pdf(report)))
    workbook = ZipFile(BytesIO(as_xlsx(report)))
    assert "Forecasts of the quarter" in workbook.read("xl/workbook.xml").decode()


def test_what_fell_due_after_the_week_or_before_the_quarter_is_not_in_it():
    target = watched()
    promise(target, 2, 36, SUNDAY + timedelta(days=1))
    promise(target, 2, 36, SUNDAY - timedelta(days=91))

    report = composed()

    assert report.facts.account is None
    assert "Forecasts of the quarter" not in as_html(report)


def test_promises_of_the_demo_are_told_where_there_is_nothing_else_and_never_added():
    promise(watched("theirs", is_demo=True), 2, 36)
    assert composed().facts.account == QuarterAccount(2, 2, 2, 6.0, 15.0, None, is_demo=True)
    promise(watched("ours"), 1, None)

    assert composed().facts.account == QuarterAccount(1, 1, 0)


def test_a_report_that_knows_of_no_account_is_read_as_before():
    report = composed()
    del report.content["account"]

    assert report.facts.account is None


def test_chances_and_the_demo_are_named():
    assert account_text(QuarterAccount(744, 128, 97, 6, 15, 1.3, is_demo=True)).endswith(
        "744 promises of the demo’s targets fell due; their chances were off by 1.3 points in the mean."
    )
    assert account_text(QuarterAccount(30, 0, 0)) == "No violation was forecast. 30 promises fell due."
