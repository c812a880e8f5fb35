"""A week of the scripted estate, as its report tells it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from apps.advisors.models import Action
from apps.catalog import registry
from apps.catalog.metric import Display
from apps.catalog.registry import get_metric
from apps.collection.models import CollectionRun
from apps.collection.tests import scripted
from apps.inventory.models import Group, Target
from apps.reports.engine.week import Week, week_of
from apps.reports.lines import decision_text, write_lines
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf
from apps.reports.tests.scenes import (
    MONDAY,
    NEXT_MORNING,
    SUNDAY,
    came_back,
    ended,
    forecast,
    foreseen,
    limit,
    night_after,
    opened,
    person,
    plan,
)
from apps.reports.text import as_text
from apps.reports.weekly_report import NotOverYet, compose_weekly_report
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.case_steps import take_step
from apps.thresholds.models import Step, Violation

pytestmark = pytest.mark.django_db

WEEK = Week(MONDAY)
BEFORE = MONDAY - timedelta(days=10)


def composed(now: datetime = NEXT_MORNING, week: Week = WEEK, group: Group | None = None) -> WeeklyReport:
    return compose_weekly_report(week, now, group)


def test_each_violation_is_in_the_list_of_what_became_of_it():
    target = scripted.instance()
    opened(limit(target, component="NEW"), MONDAY, component="NEW")
    opened(limit(target, component="OLD"), BEFORE, component="OLD")
    ended(opened(limit(target, component="DONE"), BEFORE, component="DONE"), SUNDAY)
    ended(
        opened(limit(target, component="LONG AGO"), BEFORE, component="LONG AGO"), MONDAY - timedelta(days=1)
    )
    foreseen(limit(target, component="SOON"), SUNDAY, date(2026, 8, 1), component="SOON")

    facts = composed().facts

    by_kind = {
        kind: [item.what for item in getattr(facts, kind)]
        for kind in ("new", "continuing", "resolved", "predicted")
    }
    assert by_kind == {
        "new": ["NEW"],
        "continuing": ["OLD"],
        "resolved": ["DONE"],
        "predicted": ["SOON"],
    }


def test_a_violation_of_the_monday_after_is_not_of_the_week():
    opened(limit(scripted.instance()), SUNDAY + timedelta(days=1))

    assert composed(NEXT_MORNING + timedelta(days=1)).sentences[0] == "Nothing broke its limit."


def test_what_came_back_is_new_again_and_says_so():
    violation = opened(limit(scripted.instance()), BEFORE)
    ended(violation, BEFORE + timedelta(days=4))
    came_back(violation, SUNDAY)

    (item,) = composed().facts.new

    assert (item.opened_on, item.returned) == (SUNDAY.isoformat(), True)


def test_worst_is_first_critical_then_how_far_beyond_then_the_oldest_and_nothing_over_has_slack():
    target = scripted.instance()
    opened(limit(target, component="A"), SUNDAY, component="A")
    opened(limit(target, component="B"), MONDAY, component="B")
    opened(limit(target, component="C", severity="critical"), SUNDAY, component="C")
    opened(limit(target, component="D"), SUNDAY, component="D", value=180)

    items = composed().facts.new

    assert [item.what[0] for item in items] == ["C", "D", "B", "A"]
    assert [item.slack for item in items] == [None] * 4


def test_W4_what_is_inside_its_limit_again_is_closing_with_the_figure_that_broke_it_and_its_day():
    target = scripted.instance()
    story = scripted.Story(target)
    scripted.prepare()
    for days, used in ((3, 120.0), (2, 110.0), (1, 90.0), (0, 80.0)):
        story.day(SUNDAY - timedelta(days=days), used={"DATA": used})
    broken = opened(limit(target, closes_after=7), SUNDAY - timedelta(days=3))
    broken.judged_on, broken.value, broken.days_inside = SUNDAY, 80.0, 2
    broken.save()

    report = composed()

    (item,) = report.facts.closing
    assert not report.facts.over
    assert (item.standing, item.value) == ("closing, day 2 of 7", 80)
    assert (item.broke_at, item.broke_on) == (110, (SUNDAY - timedelta(days=2)).isoformat())
    assert report.sentences[0] == "Nothing is over its limit any more; one is inside again, closing."
    assert as_pdf(report).startswith(b"%PDF")
    assert "- closing, day 2 of 7: SCRIPT, DATA\n  110 MB on 26 Jun against <100" in as_text(report)


def test_W19_a_prediction_that_came_true_is_marked_when_the_report_is_opened_later():
    violation = foreseen(limit(scripted.instance()), SUNDAY, SUNDAY + timedelta(days=50))
    report = composed()
    assert report.facts.predicted[0].came_true_on is None

    violation.opened_on = SUNDAY + timedelta(days=9)
    violation.save()

    later = WeeklyReport.objects.get(pk=report.pk)
    assert later.facts.predicted[0].came_true_on == (SUNDAY + timedelta(days=9)).isoformat()
    text = " ".join(as_text(later).split())
    assert "Since then over its limit, as predicted: DATA on SCRIPT on 7 Jul." in text


def test_slack_of_a_prediction_is_the_days_left_less_the_lead_time():
    foreseen(limit(scripted.instance(), lead_time_days=20), SUNDAY, SUNDAY + timedelta(days=50))

    (item,) = composed().facts.predicted

    assert (item.slack, item.act_by) == (30, (SUNDAY + timedelta(days=30)).isoformat())


def test_a_group_has_its_own_report_with_its_own_targets():
    ours, theirs = Group.objects.create(name="ours"), Group.objects.create(name="theirs")
    opened(limit(scripted.instance("A", group=ours)), MONDAY)
    opened(limit(scripted.instance("B", group=theirs)), MONDAY)

    report = composed(group=ours)

    assert [item.target for item in report.facts.new] == ["A"]
    assert (report.facts.targets, report.facts.group) == (1, "ours")
    assert len(composed().facts.new) == 2


def test_an_earlier_week_is_told_as_it_was_known_on_the_monday_after():
    violation = opened(limit(scripted.instance(), owner=person()), MONDAY)
    take_step(violation, "acknowledged", by=person("bob"), why="", now=NEXT_MORNING + timedelta(days=3))
    ended(Violation.objects.get(), SUNDAY + timedelta(days=8))

    facts = composed(NEXT_MORNING + timedelta(days=40)).facts

    assert [(item.what, item.state) for item in facts.new] == [("DATA", "open")]
    assert facts.is_later
    assert facts.known_at == "2026-06-29T07:00+00:00"


def test_what_was_recorded_late_was_not_known_then():
    violation = opened(limit(scripted.instance()), SUNDAY)
    Step.objects.filter(violation=violation).update(at=NEXT_MORNING + timedelta(days=2))

    assert composed(NEXT_MORNING + timedelta(days=1)).facts.new == []
    assert composed(NEXT_MORNING + timedelta(days=40)).facts.new == []
    assert len(composed(NEXT_MORNING + timedelta(days=3)).facts.new) == 1


def test_the_severity_is_the_one_of_then():
    violation = opened(limit(scripted.instance()), MONDAY, severity="critical")
    Step.objects.create(
        violation=violation,
        at=NEXT_MORNING + timedelta(days=9),
        on=SUNDAY + timedelta(days=9),
        before="open",
        after="open",
        severity_before="warning",
        facts={"kind": "severity", "before": "warning", "after": "critical", "notation": "<100"},
    )

    assert composed(NEXT_MORNING + timedelta(days=40)).facts.new[0].severity == "warning"


def test_what_a_person_wrote_is_never_read_as_a_severity():
    violation = opened(limit(scripted.instance()), MONDAY, severity="critical")
    take_step(violation, "acknowledged", by=person("bob"), why="", now=NEXT_MORNING)
    later = NEXT_MORNING + timedelta(days=9)
    take_step(violation, "acknowledged", by=person("ann"), why="The disk became slow.", now=later)

    assert composed(NEXT_MORNING + timedelta(days=40)).facts.new[0].severity == "critical"


def test_forecasts_are_those_of_the_week_and_not_newer_ones():
    threshold = limit(scripted.instance())
    foreseen(threshold, SUNDAY, date(2026, 8, 1))
    forecast(threshold, SUNDAY + timedelta(days=5), date(2026, 7, 10))

    assert composed(NEXT_MORNING + timedelta(days=40)).facts.predicted[0].likely_on == "2026-08-01"


def test_what_got_closer_says_by_how_much():
    threshold = limit(scripted.instance())
    forecast(threshold, MONDAY - timedelta(days=1), date(2026, 9, 20))
    forecast(threshold, SUNDAY, date(2026, 9, 1))

    (closer,) = composed().facts.closer

    assert (closer.what, closer.likely_on, closer.days) == ("DATA", "2026-09-01", 19)


def test_a_likely_day_that_moved_by_a_few_days_is_no_news():
    threshold = limit(scripted.instance())
    forecast(threshold, MONDAY - timedelta(days=1), date(2026, 9, 6))
    forecast(threshold, SUNDAY, date(2026, 9, 1))

    assert composed().facts.closer == []


def test_a_statistic_that_doubled_is_a_mover_and_one_that_swings_is_not():
    scripted.prepare()
    for name, values in (
        ("JUMP", [10.0] * 7 + [20.0] * 7),
        ("SWING", [10.0, 30.0] * 3 + [10.0] + [26.0] * 7),
    ):
        story = scripted.Story(scripted.instance(name))
        for day, redo in zip(scripted.days_before(SUNDAY, 14), values, strict=True):
            story.day(day, redo=redo, calls=1)

    movers = composed().facts.movers

    assert [(mover.target, mover.what, mover.change, mover.is_worse) for mover in movers] == [
        ("JUMP", "redo", "+100 %", True)
    ]
    assert len(movers[0].values) == 30


def test_space_that_was_never_used_is_larger_than_needed(monkeypatch: pytest.MonkeyPatch):
    for key, role in (("x_used", "used"), ("x_size", "allocated")):
        metric = replace(get_metric("x_used"), key=key, label=key, role=role, display=Display())
        monkeypatch.setitem(registry._metrics, key, (scripted.PLATFORM, metric))
    registry.find_metric.cache_clear()
    scripted.prepare()
    target = scripted.instance()
    for day in scripted.days_before(SUNDAY, 70):
        _record_sizes(target, day, used=40_000, size=280_000)

    oversized = composed().facts.oversized

    registry.find_metric.cache_clear()
    assert [(resource.target, resource.text) for resource in oversized] == [
        ("SCRIPT", "234\u00a0GB of 273\u00a0GB were not used in 90 days.")
    ]


def _record_sizes(target: Target, day: date, *, used: float, size: float) -> None:
    story = scripted.Story(target)
    _, ends = story.slots(day)
    values = {("x_used", "DATA"): used * scripted.MB, ("x_size", "DATA"): size * scripted.MB}
    record_snapshot(
        target,
        [ReadSource(category=scripted.SPACE, values=values)],
        slot=ends,
        captured_at=ends,
        started_at=scripted.BOOT,
    )
    roll_up_day(target, day, ends)


def test_nights_without_a_reading_are_counted_by_the_targets_own_days():
    target = scripted.instance("GISPRD", time_zone="Asia/Tokyo", reviewed_through=SUNDAY)
    tokyo = ZoneInfo("Asia/Tokyo")
    for day in (MONDAY, MONDAY + timedelta(days=1), SUNDAY + timedelta(days=1)):
        slot = datetime(day.year, day.month, day.day, 0, 5, tzinfo=tokyo)
        CollectionRun.objects.create(
            target=target,
            slot=slot,
            began_at=slot,
            state="failed",
            reason="ORA-28001: the password has expired.",
        )

    report = composed()

    assert report.facts.not_collected == [
        {"target": "GISPRD", "nights": "2", "reason": "ORA-28001: the password has expired."}
    ]
    assert report.sentences[-1] == "GISPRD was not read on two nights."


def test_a_try_by_hand_is_no_night_and_one_that_succeeds_saves_it():
    day = MONDAY + timedelta(days=2)
    fine = scripted.instance("FINE", reviewed_through=SUNDAY)
    saved = scripted.instance("SAVED", reviewed_through=SUNDAY)
    idle = scripted.instance("IDLE", reviewed_through=SUNDAY, is_paused=True)
    bad = scripted.instance("BAD", reviewed_through=SUNDAY)
    tries = (
        (fine, 24, "complete"), (fine, 15, "failed"),  # read at night; by hand in the afternoon it failed
        (saved, 24, "failed"), (saved, 33, "complete"),  # failed at night; read by hand the next morning
        (idle, 15, "failed"),  # nobody wants it to be read
        (bad, 24, "failed"), (bad, 33, "failed"), (bad, 15, "failed"),
    )  # fmt: skip
    for target, hours, state in tries:
        slot = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(hours=hours, minutes=5)
        CollectionRun.objects.create(
            target=target, slot=slot, began_at=slot, state=state, reason="No answer."
        )

    assert composed().facts.not_collected == [{"target": "BAD", "nights": "1", "reason": "No answer."}]


def test_a_target_whose_sunday_is_not_closed_is_named():
    scripted.instance(reviewed_through=SUNDAY - timedelta(days=1))

    assert composed().sentences[-1] == "The Sunday of SCRIPT is not closed yet."


def test_what_waits_for_a_decision_is_named_with_what_there_is_to_choose_from():
    target, ada = scripted.instance(), person()
    opened(limit(target, component="A"), MONDAY, component="A")
    late = opened(limit(target, component="B", owner=ada), MONDAY, component="B")
    plan(late, "Add a file.", due_on=SUNDAY)
    plan(opened(limit(target, component="C", owner=ada), BEFORE, component="C"), "Add a file.")
    Action.objects.filter(plan__violation__component="C").update(cost="20 GB of disk", days_won=120)
    risk = opened(limit(target, component="D", owner=ada), BEFORE, component="D")
    take_step(
        risk,
        "accepted",
        by=ada,
        why="It is old.",
        now=night_after(BEFORE),
        review_on=SUNDAY + timedelta(days=2),
    )

    texts = {decision_text(decision) for decision in composed().facts.decisions}

    assert texts == {
        "A on SCRIPT: needs an owner. Plan a step, or accept the risk.",
        "C on SCRIPT: over its limit and not acknowledged. Add a file (costs 20 GB of disk, wins 120 days), or accept the risk.",
        "D on SCRIPT: the accepted risk is to be looked at again. Plan a step, or accept it for longer.",
    }


def test_a_plan_that_nobody_began_waits_for_a_decision_two_weeks_before_it_is_due():
    target, ada = scripted.instance(), person()
    for component, days in (("SOON", 14), ("LATER", 15)):
        threshold = limit(target, component=component, owner=ada)
        due = SUNDAY + timedelta(days=days)
        case = foreseen(threshold, MONDAY, due, component=component, due_on=due)
        plan(case, f"Order storage for {component}.")

    (decision,) = composed().facts.decisions

    assert decision.text == "SOON on SCRIPT: no step of its plan is begun."
    assert list(decision.options) == ["Order storage for SOON", "accept the risk"]
    assert decision.who == "Ada Petrov"


def test_a_limit_that_was_broken_has_the_worst_figure_of_the_week_with_its_day():
    scripted.prepare()
    target = scripted.instance()
    scripted.levels(target, [90.0, 120.0, 140.0, 130.0, 110.0], last=SUNDAY)
    threshold = limit(target)
    opened(threshold, SUNDAY - timedelta(days=3), value=110.0, judged_on=SUNDAY)

    (item,) = composed().facts.new
    (line,) = write_lines([item])

    assert (item.value, item.value_on) == (110, SUNDAY.isoformat())
    assert (item.broke_at, item.broke_on) == (140, (SUNDAY - timedelta(days=2)).isoformat())
    assert (line.figure, line.day) == ("140", "26\u00a0Jun")


def test_each_critical_item_has_a_chart_with_its_history_and_what_is_foreseen():
    scripted.prepare()
    target = scripted.instance()
    scripted.levels(target, [50.0 + day for day in range(40)], last=SUNDAY)
    for number in range(3):
        threshold = limit(target, component=f"D{number}", severity="critical")
        opened(threshold, MONDAY, component=f"D{number}")
    foreseen(limit(target, severity="critical"), SUNDAY, date(2026, 7, 20))

    charts = composed().facts.charts

    assert len(charts) == 4
    assert charts[-1].values[-1] == 89.0
    assert charts[-1].fan[0] == [(SUNDAY + timedelta(days=7)).isoformat(), 82, 80, 84]
    assert charts[-1].alt == "DATA on SCRIPT: 89 MB against <100, its limit is likely reached on 20\u00a0Jul."


def test_a_quiet_estate_has_a_quiet_report():
    scripted.instance()

    report = composed()

    assert report.sentences == ["Nothing broke its limit."]
    assert (report.facts.charts, report.facts.decisions, report.facts.not_collected) == ([], [], [])


def test_changing_one_violation_changes_the_sentences():
    first, second = (opened(limit(scripted.instance(name)), MONDAY) for name in ("A", "B"))
    before = composed().sentences

    second.delete()

    assert before[0] == "Two limits are broken, all of them new."
    assert composed().sentences[0] == "One limit is broken, new this week."
    assert first.pk


def test_composing_again_replaces_what_was_not_sent_and_keeps_what_was():
    opened(limit(scripted.instance()), MONDAY)
    first = composed()
    assert composed().pk == first.pk
    first.sent_at = NEXT_MORNING
    first.save()
    Violation.objects.all().delete()

    second = composed(NEXT_MORNING + timedelta(hours=2))

    assert second.pk != first.pk
    assert WeeklyReport.objects.get(pk=first.pk).sentences[0] == "One limit is broken, new this week."
    assert WeeklyReport.objects.newest_of(WEEK) == second


@pytest.mark.parametrize(
    "now", [datetime(2026, 6, 28, 23, 59, tzinfo=UTC), datetime(2026, 6, 22, tzinfo=UTC)]
)
def test_a_week_that_is_not_over_is_refused_with_the_day_it_can_be_composed(now: datetime):
    with pytest.raises(
        NotOverYet, match=r"^Week 2026-W26 is not over yet; its report can be composed from 29 June 2026\.$"
    ):
        composed(now)


def test_the_week_is_over_where_the_readers_are():
    auckland = ZoneInfo("Pacific/Auckland")
    sunday_noon = datetime(2026, 6, 28, 13, tzinfo=UTC)

    report = compose_weekly_report(WEEK, sunday_noon, None, auckland)

    assert report.week == week_of(MONDAY).name


def test_W15_what_was_not_read_for_two_slots_is_not_known_in_the_report():
    target = scripted.instance()
    opened(limit(target), MONDAY)
    for number, state in enumerate(("complete", "failed", "missed")):
        slot = night_after(SUNDAY - timedelta(days=3 - number)) - timedelta(minutes=25)
        CollectionRun.objects.create(
            target=target,
            slot=slot,
            began_at=slot,
            ended_at=slot,
            state=state,
            reason="Its password has expired.",
        )

    report = composed()

    assert not report.facts.over
    (item,) = report.facts.unread
    assert (item.value, item.standing) == (None, "was not read for two nights: its password has expired")
    assert as_pdf(report).startswith(b"%PDF")
