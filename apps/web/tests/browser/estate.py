"""
The estate that the browser looks at, in the database of HEADROOM_DATABASE_URL: `python -m apps.web.tests.browser.estate`.

A part of the demo, through the path of all readings: the warehouse with as many days as its profile looks back, the
others with a few. And an instance that was not read yet.
"""

from datetime import date, timedelta

import django

DAYS = {
    "DWPRD": 94,
    "PAYPRD": 60,
    "dbx-pay01": 2,
    "dbx-dw01": 2,
    "HRPRD": 14,
    "GISPRD": 7,
    "ERPPRD": 4,
    "LOGPRD": 4,
}
RUNS = "size,repetition,commits\n4 GB,1,410\n4 GB,2,402\n4 GB,3,407\n8 GB,1,455\n8 GB,2,461\n8 GB,3,449\n"
PLANNER, READER, PASSWORD = "dba", "reader", "as long as it has to be"
ABROAD = {"de-DE": "leserin", "fr-FR": "lectrice"}  # planners who read in other marks


def load_estate() -> None:
    from django.core.management import call_command
    from django.utils import timezone

    from apps.advisors.attachments import attach
    from apps.advisors.benchmarks import save_benchmark
    from apps.advisors.engine.benchmark import parse_runs
    from apps.advisors.templates import install_templates
    from apps.catalog.experience import RESPONSE
    from apps.collection.history.figure_files import give_file
    from apps.demo.load import load_target, set_up_demo
    from apps.forecasting.driver import Driver
    from apps.forecasting.driver_register import save_driver
    from apps.forecasting.engine.driver_file import NewDays
    from apps.forecasting.models import PlannedChange, Scenario
    from apps.inventory.models import Target
    from apps.inventory.register import register_target
    from apps.notices.models import RecipientList, Subscriber
    from apps.people.models import Preferences, User
    from apps.profiles.models import Note
    from apps.reports.engine.week import last_complete_week
    from apps.reports.weekly_report import compose_weekly_report
    from apps.snapshots.measured import read_series
    from apps.snapshots.user_figures import store_user_figures
    from apps.thresholds.calendars import Calendar
    from apps.thresholds.experience import agree
    from apps.thresholds.models import Violation
    from worker.schedule import install_schedule

    call_command("migrate", interactive=False, verbosity=0)
    install_schedule()
    install_templates()
    planner = User.objects.create_user(
        PLANNER, first_name="Dana", last_name="Brook", password=PASSWORD, may_change=True, is_staff=True
    )
    User.objects.create_user(READER, password=PASSWORD)
    for locale, name in ABROAD.items():
        abroad = User.objects.create_user(name, password=PASSWORD, may_change=True, is_staff=True)
        Preferences.objects.create(person=abroad, locale=locale)
    now = timezone.now()
    targets = {target.address["member"]: target for target in set_up_demo(max(DAYS.values()), now)}
    Target.objects.exclude(pk__in=[targets[name].pk for name in DAYS]).delete()
    for name, days in DAYS.items():
        target = targets[name]
        last_day = date.fromisoformat(target.address["last_day"])
        target.address["first_day"] = (last_day - timedelta(days=days - 1)).isoformat()
        load_target(target, now)
    register_target(
        "NEWDEV",
        kind=Target.Kind.INSTANCE,
        platform="oracle",
        collector="oracle",
        address={"host": "127.0.0.1", "port": 1, "service": "NEWDEV"},
        now=now,
        username="HEADROOM",
        password=PASSWORD,
    )
    Calendar.objects.create(name="month end", kind="peak", days="last 3 days of the month", set_at=now)
    for violation in Violation.objects.all():
        attach(violation, "what was measured.txt", b"28.6 ms", by=planner, now=now)
    compose_weekly_report(last_complete_week(now), now)
    scenario = Scenario.objects.create(name="History of 2025", created_at=now)
    PlannedChange.objects.create(
        scenario=scenario,
        target=targets["DWPRD"],
        metric="ts_used_mb",
        component="DATA",
        change="+200 GB",
        on=now.date() + timedelta(days=10),
        why="The history of 2025 is loaded.",
    )
    warehouse = targets["DWPRD"]
    counted = {now.date() - timedelta(days=back): 1200.0 + 10 * (back % 7) for back in range(1, 90)}
    loads = Driver(name="loads a day", unit="loads", target=warehouse)
    save_driver(loads, NewDays(counted), by=planner, now=now)
    save_benchmark("Log files of two sizes", warehouse, parse_runs(RUNS), by=planner, now=now)
    agree(warehouse, RESPONSE, "login", 2, by=planner, now=now)
    first, last = now.date() - timedelta(days=90), now.date() - timedelta(days=1)
    redo = read_series([warehouse], [("redo_size", "")], first, last)[warehouse.pk]
    logins = {
        day: {(RESPONSE.key, "login"): 0.2 + value / 1000}
        for day, value in zip(redo.days, redo.values[0].tolist(), strict=True)
        if day and value == value
    }
    store_user_figures(warehouse, logins)
    Note.objects.create(
        target=warehouse, first_day=now.date() - timedelta(days=3), last_day=now.date() - timedelta(days=3),
        text="Reports of the month end took until noon", verdict="slow", said_by="accounting", written_at=now,
    )  # fmt: skip
    past = f"day,target,statistic,component,value,unit\n{now.date() - timedelta(days=200)},NEWDEV,redo_size,,1,GB/day\n"
    give_file("2025.csv", f"{past}then,NEWDEV,redo a day,,2,GB/day\n".encode(), None, planner, now)
    RecipientList.objects.create(name="Managers", addresses="dana.brook@example.com")
    Subscriber.objects.create(name="DBA room", address="dba@example.com")


if __name__ == "__main__":
    django.setup()
    load_estate()
