"""Processes of a host, from two readings of /proc to the tables of its page and their files."""

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse

from apps.collection.collect import collect_target
from apps.collection.collector import add_collector
from apps.collection.models import CountedMembers
from apps.inventory.models import Target
from apps.platforms.linux import switches
from apps.platforms.linux.tests.machine_tree import MachineTree
from apps.platforms.linux.tests.process_tree import write_process
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT
from apps.snapshots.retention import ensure_partitions
from apps.web.tests.scenes import signed_in
from apps.web.tests.test_method_pages import table

pytestmark = pytest.mark.django_db

HOUR = 3600


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setattr(switches, "PAUSE", 0)
    machine = MachineTree(tmp_path, MIDNIGHT - timedelta(days=30), {}, {}, busy=0.5)
    write_process(tmp_path, 1, "systemd", "/sbin/init", user=9.0, system=9.0)
    add_collector("tree", machine)
    return machine


@pytest.fixture
def host():
    ensure_partitions([DAY])
    return Target.objects.create(
        name="dbx-gis01", kind=Target.Kind.HOST, platform="linux", collector="tree", interval_minutes=60,
        registered_at=MIDNIGHT - timedelta(days=1),
    )  # fmt: skip


def live(machine: MachineTree, host: Target, hours: int, anew: int = 24) -> None:
    """
    Hours in which 5221 is alone with a processor and loses it 11 times a second, and 5400 waits and works by turns.

    After the hour `anew` 5221 is the number of another process, which works half of the time.
    """
    for hour in range(hours + 1):
        if hour:
            machine.live(1)
        seconds = hour * HOUR
        alone, began = (seconds, 700) if hour <= anew else ((hour - anew) * HOUR / 2, 9000)
        write_process(
            machine.root,
            5221,
            "oracle_5221_gis",
            "oracleGISPRD",
            user=alone,
            involuntary=11 * seconds,
            began=began,
        )
        write_process(
            machine.root, 5400, "ora_lgwr_GISPRD", "ora_lgwr_GISPRD", user=0.1 * seconds, system=0.3 * seconds,
            voluntary=235 * seconds, involuntary=28 * seconds, account=54321, began=800,
        )  # fmt: skip
        slot = MIDNIGHT + timedelta(hours=hour)
        collect_target(host, slot, slot, captured_at=slot)


def rows(host: Target, key: str) -> dict[str, list[str]]:
    page = signed_in().get(f"{reverse('target_report', args=[host.pk, 'cpu'])}?on={DAY}&days=7")
    return {cells[0]: cells[1:] for cells in table(page.content.decode(), key)}


def file_rows(host: Target, key: str) -> dict[str, dict[str, str]]:
    address = f"{reverse('target_report', args=[host.pk, 'cpu'])}?on={DAY}&days=7&format=csv&table={key}"
    made = csv.DictReader(io.StringIO(signed_in().get(address).content.decode()))
    return {next(iter(row.values())): row for row in made}


def test_cor5_the_page_of_a_host_says_who_uses_its_processors_with_switches_by_kind(machine, host):
    live(machine, host, 24)

    by_name, by_account = rows(host, "processes"), rows(host, "accounts")
    of_file = file_rows(host, "processes")["GISPRD log writer"]

    assert by_name["GISPRD shadow"][1:] == ["1", "1", "100", "0", "0", "11"]
    assert by_name["GISPRD log writer"][1:] == ["0.4", "0.4", "25", "75", "235", "28"]
    assert by_account["uid 54321"][1:] == ["0.4", "0.4", "25", "75", "235", "28"]
    assert list(by_name)[1:3] == ["GISPRD shadow", "GISPRD log writer"]  # largest first
    assert list(of_file.values())[3:] == ["0.4", "0.4", "25", "75", "235", "28"]


def test_a_process_that_was_started_anew_within_a_day_leaves_its_figure_whole(machine, host):
    live(machine, host, 24, anew=12)

    assert float(file_rows(host, "processes")["GISPRD shadow"]["CPUs at work (CPUs)"]) == pytest.approx(
        18 / 24
    )


def test_a_reading_that_comes_late_counts_nothing_twice(machine, host):
    live(machine, host, 24)
    counted = CountedMembers.objects.get(target=host).counts

    late = MIDNIGHT + timedelta(hours=4)
    collect_target(host, late, late, captured_at=late)

    assert CountedMembers.objects.get(target=host).counts == counted
    assert rows(host, "processes")["GISPRD shadow"][1] == "1"
