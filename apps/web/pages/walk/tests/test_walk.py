"""ACT4: the short way of a suspected CPU bottleneck, walked with the figures of a host and of the instance on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.urls import reverse

from apps.inventory.models import Target
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.oracle.categories import SYSSTAT, TIME_MODEL
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day
from apps.web.tests.scenes import signed_in
from apps.web.tests.test_method_pages import table

pytestmark = pytest.mark.django_db

TODAY = date(2026, 6, 30)
BEFORE = TODAY - timedelta(days=30)
BOOT = datetime(2026, 1, 1, tzinfo=UTC)
CPUS = 8


@dataclass(frozen=True)
class HostDay:
    """What a day was like: sessions, CPUs and statements of the instance, and the host."""

    active: float = 4.0
    cpus: float = 3.0
    statements: float = 100.0  # a second
    busy: float = 0.5
    kernel: float = 0.02
    queue: float = 3.0
    hours: int = 24  # that the host was read


def scene() -> tuple[Target, Target]:
    ensure_partitions([TODAY, TODAY + timedelta(days=1), BEFORE, BEFORE - timedelta(days=1)])
    fields: dict[str, Any] = {"registered_at": BOOT, "interval_minutes": 60}
    host = Target.objects.create(name="dbx-pay01", kind="host", platform="linux", collector="linux", **fields)
    instance = Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", runs_on=host, **fields
    )
    return host, instance


def live(host: Target, instance: Target, on: date, day: HostDay) -> None:
    """One day of both, read every hour."""
    midnight = datetime.combine(on, time(), UTC)
    for hour in range(25):
        at, seconds = midnight + timedelta(hours=hour), 3600.0 * (hour + 1)
        ticks = 100 * CPUS * seconds
        if hour <= day.hours or hour == 24:
            kernel = {
                "cpu_total_ticks": ticks, "cpu_unused_ticks": ticks * (1 - day.busy), "cpu_system_ticks": ticks * day.kernel,
                "cpu_irq_ticks": 0.0, "cpu_softirq_ticks": 0.0, "procs_running": day.queue + 1, "host_cpus": float(CPUS), "load_1": 5.0,
            }  # fmt: skip
            _record(host, at, {KERNEL: kernel})
        model = {"tm_db_time": day.active, "tm_db_cpu": day.cpus, "tm_background_cpu": 0.0}
        counters = {key: 1e6 * seconds * rate for key, rate in model.items()}
        _record(
            instance, at, {TIME_MODEL: counters, SYSSTAT: {"execute_count": day.statements * seconds + 1}}
        )
    for target in (host, instance):
        roll_up_day(target, on, midnight + timedelta(days=2))


def _record(target: Target, at: datetime, values: Mapping[int, Mapping[str, float]]) -> None:
    sources = [
        ReadSource(category=category, values={(key, ""): value for key, value in of.items()})
        for category, of in values.items()
    ]
    record_snapshot(target, sources, slot=at, captured_at=at, started_at=BOOT)


def walked(before: HostDay, today: HostDay, *, of_instance: bool = False) -> tuple[str, list[dict[str, str]]]:
    """The page's first line and its rows, after two days."""
    host, instance = scene()
    live(host, instance, BEFORE, before)
    live(host, instance, TODAY, today)
    address = reverse("target_walk", args=[(instance if of_instance else host).pk])
    page = signed_in().get(f"{address}?on={TODAY}").content.decode()
    sentence = " ".join(
        page.split("<h1>")[1].split("</h1>")[0].replace("<strong>", "").replace("</strong>", "").split()
    )
    if 'id="walk"' not in page:
        return sentence, []
    heads, *rows = table(page, "walk")
    return sentence, [dict(zip(heads, row, strict=True)) for row in rows]


def evidence(rows: list[dict[str, str]], statistic: str) -> tuple[str, str, str]:
    row = next(row for row in rows if row["statistic"] == statistic)
    return row["of"], row["the day"], row["30 days before"]


def answers(rows: list[dict[str, str]]) -> list[str]:
    return [row["answer"] for row in rows if row["answer"]]


BUSY = HostDay(active=8, cpus=6, busy=0.8, queue=12)


@pytest.mark.parametrize("of_instance", [False, True], ids=["host", "instance"])
def test_act4_more_cpu_for_the_same_statements_leads_to_sql(of_instance):
    sentence, rows = walked(HostDay(), BUSY, of_instance=of_instance)

    assert answers(rows) == ["yes", "yes", "look", "yes", "look", "no", "yes"]
    assert sentence.startswith("Performance: Find the SQL behind it")
    assert evidence(rows, "average active sessions") == ("PAYPRD", "8", "4")
    assert evidence(rows, "CPUs at work for the instance") == ("PAYPRD", "6", "3")
    assert evidence(rows, "CPUs at work") == ("dbx-pay01", "6.4", "4")
    assert evidence(rows, "run queue, p95") == ("dbx-pay01", "12", "3")


def test_act4_more_statements_of_the_same_cost_are_a_matter_of_capacity():
    sentence, rows = walked(HostDay(), HostDay(active=8, cpus=6, statements=200, busy=0.8, queue=12))

    assert answers(rows)[-1] == "no"
    assert sentence.startswith("Capacity: There is more work and each piece costs what it did")


def test_act4_a_short_run_queue_ends_the_walk_and_later_steps_are_not_needed():
    sentence, rows = walked(HostDay(), HostDay(active=8, cpus=6, busy=0.8, queue=3))

    assert answers(rows) == ["yes", "yes", "look", "no", "not needed", "not needed", "not needed"]
    assert (
        sentence == "The walk ends at step 4: Processors are not short. Look at what the sessions wait for."
    )


def test_act4_what_is_not_the_database_ends_it_at_the_second_step():
    sentence, _ = walked(HostDay(), HostDay(active=8, cpus=1, busy=0.8, queue=12))

    assert sentence.startswith("The walk ends at step 2: Something else takes the processors")


def test_act4_it_does_not_start_where_both_have_too_little_of_the_day_in_common():
    sentence, rows = walked(HostDay(), HostDay(active=8, cpus=6, busy=0.8, queue=12, hours=12))

    assert rows == []
    assert sentence.replace("\u00a0", " ") == (
        "This walk cannot start: host and instances have 50 % of the day in common, 80 % are needed."
    )


def test_act4_without_days_before_a_question_is_not_answered_and_says_what_would():
    host, instance = scene()
    live(host, instance, TODAY, BUSY)

    page = signed_in().get(f"{reverse('target_walk', args=[host.pk])}?on={TODAY}").content.decode()

    heads, *rows = table(page, "walk")
    first = dict(zip(heads, rows[0], strict=True))
    assert (first["answer"], first["30 days before"]) == ("not known", "–")
    assert first["where it leads"] == "Instances on this host that are read give it. Ask users, and go on."
