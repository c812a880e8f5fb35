"""ACT5: three months of what tells whether a host runs short of processors, from readings to page and file."""

import csv
import io
import json
from datetime import UTC, datetime, time, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from apps.inventory.models import Group, Target
from apps.platforms.linux.metrics.categories import KERNEL, THREADS
from apps.reports.engine.week import parse_week
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

WEEK = "2026-W27"
LAST = parse_week(WEEK).last_day
DAYS, EACH = 90, 6  # hours between readings
CPUS, TICKS = 4, 100.0
PER_SECOND = {"context_switches": 4000.0, "interrupts": 2500.0}


def register_host(name: str = "dbx-dw01", **fields: Any) -> Target:
    return Target.objects.create(
        name=name, kind=Target.Kind.HOST, platform="linux", collector="linux", interval_minutes=60 * EACH,
        registered_at=datetime(2026, 1, 1, tzinfo=UTC), **fields,
    )  # fmt: skip


def live(host: Target, days: int = DAYS) -> None:
    """Days up to the last: each month the host is busier than the month before, with a queue that grows by two threads."""
    ensure_partitions([LAST - timedelta(days=back) for back in range(-1, days + 20, 14)])
    booted = datetime(2026, 1, 1, tzinfo=UTC)
    counters = dict.fromkeys(("cpu_unused_ticks", "cpu_total_ticks", *PER_SECOND), 1e6)
    first = datetime.combine(LAST - timedelta(days=days - 1), time(), UTC)
    for step in range(days * 24 // EACH + 1):
        at = first + timedelta(hours=step * EACH)
        month = (LAST - at.date()).days // 30  # 2 in the first of the three months, 0 in the last
        if step:
            seconds = EACH * 3600.0
            counters["cpu_total_ticks"] += CPUS * TICKS * seconds
            counters["cpu_unused_ticks"] += CPUS * TICKS * seconds * (0.4 + 0.1 * month)
            for key, rate in PER_SECOND.items():
                counters[key] += rate * seconds * (3 - month)
        values = {(key, ""): value for key, value in counters.items()}
        values |= {("procs_running", ""): 9.0 - 2 * month, ("host_cpus", ""): float(CPUS)}
        threads = {("thread_voluntary_per_s", ""): 80.0, ("thread_involuntary_per_s", ""): 20.0}
        sources = [ReadSource(category=KERNEL, values=values), ReadSource(category=THREADS, values=threads)]
        record_snapshot(host, sources, slot=at, captured_at=at, started_at=booted)
    for back in range(days):
        on = LAST - timedelta(days=back)
        roll_up_day(host, on, datetime.combine(on + timedelta(days=2), time(), UTC))


def facts(**options: str) -> dict[str, Any]:
    out = StringIO()
    call_command("report", "processor_trends", week=WEEK, format="json", stdout=out, **options)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def trends_of(read: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {trend["statistic"]: trend for trend in read["trends"]}


def test_act5_three_months_of_a_host_have_their_means_their_highest_days_and_their_change():
    live(register_host())

    read = facts()

    trends = trends_of(read)
    means = {statistic: [month["mean"] for month in trend["months"]] for statistic, trend in trends.items()}
    assert means["CPU busy"] == pytest.approx([40, 50, 60], abs=0.5)
    assert means["context switches"] == pytest.approx([4000, 8000, 12000], rel=0.02)
    assert means["interrupts"] == pytest.approx([2500, 5000, 7500], rel=0.02)
    assert means["involuntary context switches"] == pytest.approx([20, 20, 20])
    assert trends["CPU busy"]["change"] == pytest.approx(50, abs=2)
    assert trends["thread migrations"]["why"] == "Linux keeps no count for the host as a whole."
    assert read["sentence"].startswith(
        ("Interrupts of dbx-dw01 rose most, by 2", "Context switches of dbx-dw01")
    )


def test_act5_the_page_and_its_file_say_the_same():
    live(register_host())
    address = f"{reverse('report', args=['processor_trends'])}?week={WEEK}"

    page = " ".join(signed_in().get(address).content.decode().split())
    rows = list(csv.DictReader(io.StringIO(signed_in().get(f"{address}&format=csv").content.decode())))

    busy = [row for row in rows if row["statistic"] == "CPU busy"]
    assert [round(float(row["mean"])) for row in busy] == [40, 50, 60]
    assert [row["days"] for row in busy] == ["30", "30", "30"]
    for row in busy:
        assert f'<td class="num">{float(row["mean"]):.3g}' in page
    assert "No data: Linux keeps no count for the host as a whole." in page
    assert 'href="?week=2026-W27&amp;format=csv"' in page


def test_a_month_with_too_few_days_has_no_mean():
    live(register_host(), days=40)  # the whole last month, ten days of the one before

    busy = trends_of(facts())["CPU busy"]

    assert [month["mean"] is None for month in busy["months"]] == [True, True, False]
    assert busy["change"] is None


def test_hosts_of_a_group_alone_and_none_at_all():
    register_host(group=Group.objects.create(name="DW"))
    Group.objects.create(name="EMPTY")

    assert {trend["host"] for trend in facts(group="DW")["trends"]} == {"dbx-dw01"}
    assert facts(group="EMPTY")["trends"] == []
    assert facts(group="EMPTY")["sentence"] == "No host has three months of figures yet."
