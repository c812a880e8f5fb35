"""The story through the real path: the golden profile, and what people made of the violations."""

from collections.abc import Iterator
from datetime import date, timedelta
from types import SimpleNamespace

import pypdfium2
import pytest
from django.db import transaction

from apps.advisors.models import Action
from apps.advisors.study_plan import study_of
from apps.catalog.experience import BATCH_END
from apps.demo.estate import OUTAGE
from apps.demo.load import load_target, set_up_demo
from apps.demo.tests.test_generator import GOLDEN
from apps.demo.tests.test_load import LAST_DAY, NOW
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.notices.handover import deliver_due
from apps.notices.report_delivery import prepare
from apps.notices.tests.conftest import Post, post
from apps.reports.engine.week import week_of
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf
from apps.reports.weekly_report import compose_weekly_report
from apps.snapshots import dictionary
from apps.snapshots.measured import days_between
from apps.snapshots.models import UserFigure
from apps.snapshots.presence import Presence
from apps.thresholds.calendars import Calendar
from apps.thresholds.experience import agreed_figures
from apps.thresholds.judge import FigureState, JudgedRow, profile_of
from apps.thresholds.models import Step, Violation
from apps.thresholds.satisfaction import dissatisfied_days

pytestmark = pytest.mark.django_db

__all__ = ["post"]  # a fixture of another app

LIMITS = dict(zip(GOLDEN, ("2", "0.5", "<1", "<1.5", "0", "0", "<1", "<0.1", "0", "<12"), strict=True))
COMFORTABLE = {"read by other session", "db file scattered read"}


@pytest.fixture(scope="module")
def estate(django_db_setup: None, django_db_blocker: SimpleNamespace) -> Iterator[dict[str, Target]]:
    """The warehouse and the payments with a hundred days each."""
    dictionary.forget()
    with django_db_blocker.unblock(), transaction.atomic():
        targets = {target.address["member"]: target for target in set_up_demo(100, NOW)}
        for name in ("DWPRD", "PAYPRD"):
            load_target(targets[name], NOW)
        yield targets
        transaction.set_rollback(True)
    dictionary.forget()


@pytest.fixture(scope="module")
def rows(estate: dict[str, Target]) -> dict[tuple[str, str], JudgedRow]:
    judged = profile_of(estate["DWPRD"], LAST_DAY)
    return {row.row.key: row for row in judged.rows}


@pytest.mark.parametrize("event", GOLDEN)
def test_the_profile_of_the_last_day_is_the_golden_one(rows: dict[tuple[str, str], JudgedRow], event: str):
    judged = rows["wait_avg_ms", event]
    row = judged.row

    values = [
        None if cell.value is None else float(f"{cell.value:.9g}") for cell in (*row.then.values(), row.today)
    ]

    by_horizon = dict(zip((90, 30, 7, 0), GOLDEN[event], strict=True))
    assert values == [by_horizon[horizon] for horizon in (*row.then, 0)]
    assert judged.threshold is not None
    assert judged.threshold.notation == LIMITS[event]
    assert judged.state is (FigureState.COMFORTABLE if event in COMFORTABLE else FigureState.VIOLATED)


def test_what_did_not_occur_is_not_present_and_a_month_ago_the_day_before_is_taken(
    rows: dict[tuple[str, str], JudgedRow],
):
    cells = rows["wait_avg_ms", "log file sync"].row.then

    assert [cells[horizon].presence for horizon in (90, 30)] == [Presence.NOT_PRESENT, Presence.NOT_PRESENT]
    assert cells[30].day == date(2026, 1, 17)


def test_exactly_eight_violations_are_open_and_nothing_else_of_the_warehouse_is_over(
    estate: dict[str, Target], rows: dict[tuple[str, str], JudgedRow]
):
    open_now = Violation.objects.open().filter(target=estate["DWPRD"])

    assert {(violation.metric, violation.component) for violation in open_now} == {
        ("wait_avg_ms", event) for event in set(GOLDEN) - COMFORTABLE
    }
    assert sum(row.state is FigureState.VIOLATED for row in rows.values()) == 8
    assert {violation.opened_on for violation in open_now if violation.component.startswith("log file")} == {
        date(2026, 2, 9)
    }


def test_full_loads_are_known_peaks_so_that_they_make_no_case(estate: dict[str, Target]):
    reads = Violation.objects.filter(target=estate["DWPRD"], component="read by other session")
    calendar = Calendar.objects.get(name="full load")

    assert not reads.exists()
    assert calendar.days.split() == ["2026-01-17", "2026-02-10"]


def test_one_day_over_the_redo_limit_was_a_false_alarm_that_persistence_avoided(estate: dict[str, Target]):
    reload = Violation.objects.get(target=estate["DWPRD"], metric="redo_size")
    steps = Step.objects.filter(violation=reload)

    assert (reload.opened_on, reload.closed_on) == (
        LAST_DAY - timedelta(days=74),
        LAST_DAY - timedelta(days=71),
    )
    assert not steps.filter(on=LAST_DAY - timedelta(days=62)).exists()


def test_one_breach_of_the_warehouse_is_predicted_in_about_25_days(estate: dict[str, Target]):
    predicted = Violation.objects.get(
        target=estate["DWPRD"], component="DATA", state=Violation.State.PREDICTED
    )
    newest = Forecast.objects.get(target=estate["DWPRD"], component="DATA", made_on=LAST_DAY)

    assert (predicted.metric, predicted.component, str(predicted.owner)) == (
        "ts_used_mb",
        "DATA",
        "R. Lindqvist",
    )
    assert newest.likely_on is not None
    assert 22 <= (newest.likely_on - LAST_DAY).days <= 30


def test_the_slow_commits_are_in_progress_with_three_steps_done(estate: dict[str, Target]):
    commits = Violation.objects.get(target=estate["PAYPRD"], component="log file sync")
    actions = Action.objects.filter(plan__violation=commits).order_by("position")

    assert (commits.state, str(commits.owner), commits.opened_on) == (
        "in_progress",
        "T. Okafor",
        date(2026, 1, 5),
    )
    assert [action.state for action in actions] == ["done", "done", "done", "under_way", "to_do"]
    assert commits.value == pytest.approx(0.213)


def test_the_payment_run_was_late_while_commits_were_slow_and_is_through_in_time_again(
    estate: dict[str, Target],
):
    broken = Violation.objects.get(target=estate["PAYPRD"], metric=BATCH_END.key)
    dissatisfied = dissatisfied_days(estate["PAYPRD"], LAST_DAY - timedelta(days=99), LAST_DAY)
    (agreed,) = agreed_figures(estate["PAYPRD"])
    row = next(row for row in profile_of(estate["PAYPRD"], LAST_DAY).rows if row.row.metric == BATCH_END)

    assert (agreed.name, agreed.threshold.notation) == ("payment run", "<=6")
    assert (broken.is_closing, broken.days_inside) == (True, 13)
    assert broken.opened_on == LAST_DAY - timedelta(days=37)
    assert max(dissatisfied) == LAST_DAY - timedelta(days=13)
    assert {LAST_DAY - timedelta(days=back) for back in (17, 18, 19)} <= set(dissatisfied)
    assert (row.row.today.value, row.state) == (4.8, FigureState.COMFORTABLE)
    assert row.row.then[30].value == 7.7


def test_no_value_came_while_the_network_was_down(estate: dict[str, Target]):
    days_sent = UserFigure.objects.filter(target=estate["PAYPRD"]).values_list("day", flat=True)

    outage = {LAST_DAY + timedelta(days=age) for age in (OUTAGE.first_age, OUTAGE.last_age)}
    assert set(days_sent) == set(days_between(LAST_DAY - timedelta(days=99), LAST_DAY)) - outage


def test_the_slower_reads_were_accepted_with_a_day_to_look_again(estate: dict[str, Target]):
    reads = Violation.objects.get(target=estate["PAYPRD"], component="db file sequential read")

    assert (reads.state, reads.review_on) == (Violation.State.REGRESSION, date(2026, 6, 1))
    assert reads.steps.latest("at").at.isoformat() == "2026-02-16T15:10:00+00:00"


def test_what_happened_is_told_in_its_order_without_a_turn_in_between(estate: dict[str, Target]):
    commits = Violation.objects.get(target=estate["PAYPRD"], component="log file sync")

    steps = [(step.after, str(step.by or "")) for step in commits.steps.order_by("at")]

    assert steps == [("open", ""), ("acknowledged", "T. Okafor"), ("in_progress", "T. Okafor")]
    assert (commits.days_inside, commits.is_closing) == (5, True)
    assert commits.plan.get_diagnosis_display() == "capacity constraint"
    assert [str(comment.by) for comment in commits.comments.all()] == [
        "S. Haddad",
        "R. Lindqvist",
        "T. Okafor",
    ]


def test_the_study_of_the_redo_path_is_that_of_the_method(estate: dict[str, Target]):
    commits = Violation.objects.get(target=estate["PAYPRD"], component="log file sync")
    study = study_of(commits.plan)

    assert study is not None
    assert study.result is not None
    figures = {figure.name: figure for figure in study.result.aimed}
    assert {name: figure.verdict for name, figure in figures.items()} == {
        "user commits": "met",
        "log buffer space": "eliminated",
        "log file sync": "met",
        "log file parallel write": "met",
        "log file switch completion": "worse",
        "db file sequential read": "worse, accepted",
    }
    sync = figures["log file sync"]
    assert sync.before == pytest.approx(2.645, rel=0.03)
    assert sync.after == pytest.approx(0.213, rel=0.15)


@pytest.fixture
def report(estate: dict[str, Target]) -> WeeklyReport:
    return compose_weekly_report(week_of(LAST_DAY).previous, NOW)


def test_the_week_tells_its_story_in_true_sentences(report: WeeklyReport):
    sentences = [sentence.replace("\u00a0", " ") for sentence in report.sentences]
    (data,) = (prediction for prediction in report.facts.predicted if prediction.what == "DATA")

    assert sentences[0] == "Nine limits are broken, four of them new; two more are inside again, closing."
    assert sentences[1].startswith(
        f"DATA on DWPRD is the next to go, around {date.fromisoformat(data.likely_on or ''):%-d %B}"
    )
    assert len(sentences) == 2
    assert [item.what for item in report.facts.closing] == ["log file sync", "end of payment run"]


def test_changing_one_violation_changes_the_story(report: WeeklyReport):
    before = report.sentences
    sync = Violation.objects.get(target__name="DWPRD", component="log file sync")

    with transaction.atomic():
        sync.delete()
        after = compose_weekly_report(week_of(LAST_DAY).previous, NOW).sentences
        transaction.set_rollback(True)

    assert after[0] != before[0]
    assert after[1:] == before[1:]


def test_the_report_goes_through_a_mail_server_and_its_conclusion_is_read_in_every_form(
    report: WeeklyReport,
    post: Post,
):
    prepare(report, ["manager@example.com"], NOW)

    deliver_due(NOW)

    (mail,) = post.mails
    conclusion = " ".join(report.sentences).replace("\u00a0", " ")
    parts = {part.get_content_type(): part for part in mail.walk()}
    text = parts["text/plain"].get_content()  # type: ignore[attr-defined]
    pdf = parts["application/pdf"].get_content()  # type: ignore[attr-defined]
    first = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded()
    assert mail["To"] == "manager@example.com"
    assert mail["Subject"] == report.sentences[0]
    assert conclusion in " ".join(text.replace("\u00a0", " ").split())
    assert conclusion in " ".join(first.split())
    assert "image/png" in parts


def test_the_report_is_read_on_the_pages_of_its_pdf(report: WeeklyReport):
    document = pypdfium2.PdfDocument(as_pdf(report))

    first = " ".join(document[0].get_textpage().get_text_bounded().split())

    assert " ".join(report.sentences).replace("\u00a0", " ") in first
    assert "R. Lindqvist" in first
