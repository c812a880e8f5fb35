"""What tests of pages share: people who are signed in, and a target with names as nasty as they come."""

from datetime import UTC, datetime, time, timedelta

from django.test import Client

from apps.advisors.attachments import add_comment, attach
from apps.advisors.models import ActionPlan, PlanTemplate, StudyFigure
from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import BOOT, Story, days_before, instance, prepare
from apps.forecasting.models import Driver, DriverDay, PlannedChange, Scenario, TrendChange
from apps.inventory.models import Target
from apps.inventory.register import set_password
from apps.notices.models import RecipientList, Subscriber
from apps.people.models import User
from apps.profiles.models import Note
from apps.reports.engine.week import last_complete_week
from apps.reports.weekly_report import compose_weekly_report
from apps.review.nightly import review_targets
from apps.thresholds.calendars import Calendar
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold
from worker.schedule import install_schedule

NASTY = "<script>alert('x')</script>"
WAVE = (0.2, -0.1, 0.3, -0.2, 0.1, -0.3, 0.0)  # of a week, around its level
FORMULA = '=HYPERLINK("http://evil")'


def signed_in(name: str = "", *, is_planner: bool = False) -> Client:
    """A browser in which somebody is signed in."""
    client = Client()
    username = name or ("planner" if is_planner else "reader")
    user, _ = User.objects.get_or_create(username=username, defaults={"may_change": is_planner})
    client.force_login(user)
    return client


def measured_target() -> Target:
    """A target with names as nasty as they come, four days of figures, a violation with its plan, and a report."""
    now = datetime.now(UTC)
    today = now.date() - timedelta(days=2)
    prepare(*days_before(today, 9), now.date())
    target = instance(
        f"DWPRD {NASTY}", registered_at=BOOT, environment=NASTY, notes=NASTY, owner=User.objects.create(username="owner", first_name=NASTY)
    )  # fmt: skip
    for component in (FORMULA, NASTY, "DATA"):
        add_threshold(
            "x_used", "10", now=BOOT, target=target, component=component, plan=f"Add a file. {NASTY}"
        )
    Calendar.objects.create(name=NASTY, kind="peak", days="every Sunday", target=target, set_at=now)
    story = Story(target, classes={NASTY: "Commit"})
    for number, on in enumerate([today - timedelta(days=7), *days_before(today, 3)]):
        story.day(
            on, redo=5 + number, cpu=50, waits={NASTY: (1000, 5), FORMULA: (1000, 6)}, hits=90,
            used={FORMULA: 8.0 + 2 * number, NASTY: 11, "DATA": 5},
        )  # fmt: skip
        slot = timetable_of(target).last_slot(datetime.combine(on + timedelta(days=1), time(1), UTC))
        CollectionRun.objects.create(
            target=target, slot=slot, began_at=slot, ended_at=slot, state="complete", series=9
        )
        review_targets([target], on, now)
    CollectionRun.objects.create(
        target=target, slot=now, began_at=now, ended_at=now, state="failed", reason=f"Nothing answers at {NASTY}.",
        sources=[{"name": NASTY, "category": 1, "seconds": 1.0, "series": 0, "error": NASTY}],
    )  # fmt: skip
    set_password(target, "HEADROOM", "tiger's secret")
    violation, by = Violation.objects.filter(target=target)[0], User.objects.get(username="owner")
    add_comment(violation, NASTY, by=by, now=now)
    StudyFigure.objects.create(plan=ActionPlan.objects.order_by("pk")[0], metric="x_used", component=NASTY)
    PlanTemplate.objects.create(name=NASTY, steps=NASTY)
    attach(violation, f"{NASTY}.html", NASTY.encode(), by=by, now=now)
    compose_weekly_report(last_complete_week(now), now)
    driver = Driver.objects.create(name=NASTY, unit=NASTY, target=target, set_at=now)
    DriverDay.objects.create(driver=driver, day=today, value=7.5)
    DriverDay.objects.create(driver=driver, day=now.date() + timedelta(days=9), value=9, is_planned=True)
    scenario = Scenario.objects.create(name=NASTY, created_at=now)
    PlannedChange.objects.create(
        scenario=scenario,
        target=target,
        metric="x_used",
        change="+1 MB",
        on=now.date() + timedelta(days=9),
        why=NASTY,
    )
    TrendChange.objects.create(target=target, metric="x_used", component=NASTY, on=today)
    Note.objects.create(first_day=today, last_day=today, text=NASTY, target=target, written_at=now)
    RecipientList.objects.create(name=NASTY, addresses="ada@example.com", group=target.group)
    Subscriber.objects.create(name=FORMULA, address="ada@example.com")
    install_schedule()
    return target
