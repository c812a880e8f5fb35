"""One world: what the instances do is what their hosts show, and every account of it adds up, on every day (W13)."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import pytest

from apps.demo.estate import HOSTS, INSTANCES, find_member
from apps.demo.generator import timeline_of
from apps.demo.parts import DemoHost, DemoInstance
from apps.demo.traffic import BLOCK, REDO_BLOCK

LAST_DAY = date(2026, 2, 17)
FIRST_DAY = LAST_DAY - timedelta(days=119)
AGES = range(-118, 8)
Growth = dict[tuple[str, str], float]
ONE_BLOCK, COMMIT, LOG_WRITE = "db file sequential read", "log file sync", "log file parallel write"


@lru_cache(maxsize=20_000)
def values_at(name: str, age: int, clock: time = time(0, 5)) -> Growth:
    """What stands there at a moment, whether or not somebody could sign in."""
    timeline = timeline_of(name, FIRST_DAY, LAST_DAY, 0)
    moment = datetime.combine(LAST_DAY + timedelta(days=age), clock, ZoneInfo(find_member(name).time_zone))
    return {
        (reading.metric, reading.component): reading.value
        for source in timeline.sources
        for reading in timeline.read(source, moment)
    }


def grown(before: Growth, after: Growth) -> Growth:
    return {key: value - before.get(key, 0.0) for key, value in after.items()}


def days_of(instance: DemoInstance | DemoHost) -> Iterator[tuple[int, Growth]]:
    """Each day that lies within one start-up, with what it added."""
    restarts = {restart.age for restart in instance.restarts}
    first = AGES[0] if instance.first_age is None else max(AGES[0], instance.first_age + 1)
    for age in range(first, AGES[-1]):
        if age not in restarts:
            yield age, grown(values_at(instance.name, age), values_at(instance.name, age + 1))


def total(day: Growth, *metrics: str) -> float:
    return sum(value for (metric, _), value in day.items() if metric in metrics)


each_instance = pytest.mark.parametrize("instance", INSTANCES, ids=[instance.name for instance in INSTANCES])
each_host = pytest.mark.parametrize("host", HOSTS, ids=[host.name for host in HOSTS])


@each_instance
def test_logical_reads_are_consistent_and_current_ones_from_the_cache_or_past_it(instance: DemoInstance):
    for age, day in days_of(instance):
        logical, consistent = day["session_logical_reads", ""], day["consistent_gets", ""]
        past_the_cache = day["io_reads_direct", ""] - day["io_reads_direct_temp", ""]

        assert consistent < logical, age
        assert day["consistent_gets_cache", ""] + past_the_cache == pytest.approx(consistent, rel=1e-6), age
        assert 0 < day["db_block_gets_cache", ""] <= logical - consistent, age
        read_into = day["physical_reads_cache", ""]
        hits = 1 - read_into / (day["consistent_gets_cache", ""] + day["db_block_gets_cache", ""])
        assert 0.9 < hits < 1, age


@each_instance
def test_blocks_read_and_written_are_those_of_the_cache_and_those_past_it(instance: DemoInstance):
    for age, day in days_of(instance):
        blocks, direct = day["io_phys_reads", ""], day["io_reads_direct", ""]
        written, past = day["io_phys_writes", ""], day["io_writes_direct", ""]

        assert day["physical_reads_cache", ""] + direct == pytest.approx(blocks, rel=1e-6), age
        assert day["io_reads_direct_temp", ""] <= direct <= blocks < day["session_logical_reads", ""], age
        assert day["io_writes_direct_temp", ""] <= past <= written, age
        assert day["io_app_read_bytes", ""] == pytest.approx(blocks * BLOCK, rel=1e-6), age
        assert day["io_app_write_bytes", ""] == pytest.approx(written * BLOCK, rel=1e-6), age
        assert day["io_read_bytes", ""] >= day["io_app_read_bytes", ""], age
        assert day["io_write_bytes", ""] >= day["io_app_write_bytes", ""] + day["redo_size", ""], age
        assert day["io_read_multi", ""] <= day["io_read_requests", ""] < blocks * 1.5, age
        assert day["io_write_multi", ""] <= day["io_write_requests", ""], age


@each_instance
def test_files_and_segments_are_parts_of_the_instance(instance: DemoInstance):
    for age, day in days_of(instance):
        of_files, of_instance = total(day, "file_reads"), day["io_read_requests", ""]
        waited = sum(day.get(("wait_count", event), 0) for event in (ONE_BLOCK, "db file scattered read"))

        assert waited <= of_files <= of_instance, age
        assert 0.7 * of_instance <= of_files, age
        assert total(day, "file_single_reads") <= of_files, age
        assert total(day, "file_writes") <= day["io_write_requests", ""], age
        assert total(day, "file_read_time") >= total(day, "file_single_read_time"), age
        for of_segments, of_all in (
            ("segment_logical_reads", "session_logical_reads"),
            ("segment_physical_reads", "io_phys_reads"),
            ("segment_physical_writes", "io_phys_writes"),
            ("segment_block_changes", "db_block_changes"),
        ):
            assert 0 < total(day, of_segments) < day[of_all, ""], (age, of_segments)


@each_instance
def test_redo_written_is_what_was_made_and_what_was_left_empty(instance: DemoInstance):
    for age, day in days_of(instance):
        written, made = day["redo_blocks_written", ""] * REDO_BLOCK, day["redo_size", ""]

        # each block has a header of 16 of its 512 bytes
        assert made + day["redo_wastage", ""] == pytest.approx(written * (1 - 16 / 512), rel=1e-3), age
        switches = values_at(instance.name, age + 1)["log_switches_per_day", ""]
        size = values_at(instance.name, age + 1)["redo_log_member_bytes", ""]
        assert 0 <= switches * size - made <= size, age


@each_instance
def test_commits_wait_for_the_log_writer_as_often_as_there_are_any(instance: DemoInstance):
    for age, day in days_of(instance):
        syncs, writes = day.get(("wait_count", COMMIT), 0), day.get(("wait_count", LOG_WRITE), 0)

        assert syncs == day["redo_synch_writes", ""], age
        assert syncs <= day["user_commits", ""] + day["user_rollbacks", ""], age
        assert day["redo_synch_time_usec", ""] == day.get(("wait_time", COMMIT), 0), age
        assert abs(10_000 * day["redo_synch_time", ""] - day["redo_synch_time_usec", ""]) <= 20_000, age
        if writes:  # the story of the warehouse begins without
            assert writes == day["redo_writes", ""], age
            assert day["redo_write_time_usec", ""] == pytest.approx(day["wait_time", LOG_WRITE], rel=0.05), (
                age
            )


@each_instance
def test_db_time_is_cpu_and_what_users_waited_for(instance: DemoInstance):
    for age, day in days_of(instance):
        waited = sum(
            value
            for (metric, event), value in day.items()
            if metric == "wait_time_fg" and event not in idle(instance)
        )

        assert day["tm_db_cpu", ""] + waited == pytest.approx(day["tm_db_time", ""], rel=0.02), age


def idle(instance: DemoInstance) -> frozenset[str]:
    timeline = timeline_of(instance.name, FIRST_DAY, LAST_DAY, 0)
    return frozenset(
        event for source in timeline.sources for event, group in source.classes.items() if group == "Idle"
    )


@each_instance
def test_figures_a_dba_would_look_at_twice_are_within_their_bounds(instance: DemoInstance):
    for age, day in days_of(instance):
        now = values_at(instance.name, age + 1)

        assert (
            day["session_cursor_cache_hits", ""] <= day["parse_count_total", ""] <= day["execute_count", ""]
        ), age
        assert day["parse_count_hard", ""] < 0.1 * day["parse_count_total", ""], age
        assert 0 < day["undo_change_vector_size", ""] < day["redo_size", ""], age
        assert 50 < day["redo_size", ""] / day["redo_entries", ""] < 4096, age
        assert day["user_commits", ""] <= day["user_calls", ""] + day["recursive_calls", ""], age
        assert now["pga_inuse", ""] <= now["pga_allocated", ""] <= now["pga_target", ""], age
        assert day["wait_count", "SQL*Net message to client"] == pytest.approx(
            day["sqlnet_roundtrips", ""], rel=0.5
        ), age


def days_with_guests(host: DemoHost) -> Iterator[tuple[int, Growth, dict[str, Growth]]]:
    """Each day of a host with what it added, and what those of its instances did that were there already."""
    guests = {instance.name: dict(days_of(instance)) for instance in INSTANCES if instance.host == host.name}
    for age, day in days_of(host):
        yield age, day, {name: days[age] for name, days in guests.items() if age in days}


def whole_days(host: DemoHost) -> Iterator[tuple[int, Growth, dict[str, Growth]]]:
    """Each day on which all of a host and its instances can be looked at, with what they added."""
    everybody = {instance.name for instance in INSTANCES if instance.host == host.name}
    days = [(age, day, guests) for age, day, guests in days_with_guests(host) if guests.keys() == everybody]
    assert len(days) > 10
    yield from days


@each_host
def test_a_host_has_the_processor_time_of_its_instances_and_a_little_of_its_own(host: DemoHost):
    for age, day, guests in whole_days(host):
        busy = (day["cpu_total_ticks", ""] - day["cpu_unused_ticks", ""]) / 100
        of_guests = sum(total(guest, "tm_db_cpu", "tm_background_cpu") / 1e6 for guest in guests.values())

        assert 0.95 * busy <= of_guests <= busy, age
        for name, guest in guests.items():
            assert guest["os_busy_time", ""] / 100 == pytest.approx(busy, rel=0.001), (age, name)
            elapsed = guest["os_busy_time", ""] + guest["os_idle_time", ""]
            assert elapsed == pytest.approx(day["cpu_total_ticks", ""], rel=1e-3), (age, name)
            assert guest["tm_db_cpu", ""] / 1e6 < busy < host.cores * host.threads_per_core * 90_000, (
                age,
                name,
            )


@each_host
def test_its_processes_and_its_accounts_have_the_processor_time_of_the_host(host: DemoHost):
    for age, day in days_of(host):
        busy = (day["cpu_total_ticks", ""] - day["cpu_unused_ticks", ""]) / 100

        assert total(day, "process_cpu_s") == pytest.approx(busy, rel=1e-3), age
        assert total(day, "account_cpu_s") == pytest.approx(busy, rel=1e-3), age


@each_host
def test_its_devices_carry_what_its_instances_read_and_write_and_a_little_of_its_own(host: DemoHost):
    for age, day, guests in whole_days(host):
        requests = total(day, "host_disk_reads", "host_disk_writes")
        megabytes = total(day, "disk_read_sectors", "disk_write_sectors") * 512
        requested = sum(total(guest, "io_read_requests", "io_write_requests") for guest in guests.values())
        moved = sum(total(guest, "io_read_bytes", "io_write_bytes") for guest in guests.values())

        assert requested <= requests * 1.001, age
        assert requests <= 1.05 * requested, age
        assert moved <= megabytes * 1.001, age
        assert megabytes <= 1.05 * moved, age


@each_host
def test_its_devices_answer_no_later_than_its_instances_say(host: DemoHost):
    data = next(disk.name for disk in host.disks if disk.holds == "data")
    for age, day, guests in days_with_guests(host):
        response = day["disk_read_ms", data] / day["host_disk_reads", data]
        for name, guest in guests.items():
            waited = guest["wait_time", ONE_BLOCK] / guest["wait_count", ONE_BLOCK] / 1000
            assert response <= waited < 1.6 * response, (age, name, response, waited)
        for disk in host.disks:
            outstanding = day["disk_read_ms", disk.name] + day["disk_write_ms", disk.name]
            assert 0 < day["disk_busy_ms", disk.name] <= min(outstanding, 86_400_000), (age, disk.name)
            assert outstanding / 86_400_000 < 32, (age, disk.name)  # of its queue


@each_host
def test_its_network_carries_what_its_instances_send_and_receive(host: DemoHost):
    for age, day, guests in whole_days(host):
        for of_host, of_guest in (
            ("net_tx_bytes", "sqlnet_bytes_to_client"),
            ("net_rx_bytes", "sqlnet_bytes_from_client"),
        ):
            sent = sum(guest[of_guest, ""] for guest in guests.values())
            assert sent <= total(day, of_host) <= 1.05 * sent, (age, of_host)


@each_host
def test_its_memory_holds_that_of_its_instances_and_they_know_its_size(host: DemoHost):
    guests = [instance for instance in INSTANCES if instance.host == host.name]
    for age, *_ in whole_days(host):
        now = values_at(host.name, age)
        inside = {instance.name: values_at(instance.name, age) for instance in guests}
        shared = sum(values["sga_max", ""] for values in inside.values()) / 1024
        own = sum(values["pga_allocated", ""] for values in inside.values()) / 1024

        pool = now["host_hugepages_total", ""] * now["host_hugepage_size_kb", ""]
        used = now["host_mem_total_kb", ""] - now["mem_available_kb", ""]
        assert shared <= pool, age
        if now["mem_pagetables_kb", ""] < 0.02 * used:  # else the shared memory lies beside its huge pages
            assert pool + own + now["mem_pagetables_kb", ""] <= used <= now["host_mem_total_kb", ""], age
        for name, values in inside.items():
            assert values["os_physical_memory", ""] == pytest.approx(1024 * now["host_mem_total_kb", ""]), (
                name
            )
            assert (values["cpu_cores", ""], values["cpu_count", ""]) == (
                now["host_cores", ""],
                now["host_cpus", ""],
            ), name
            assert values["os_load", ""] == pytest.approx(now["load_1", ""], rel=0.01), (age, name)


@each_host
def test_in_the_middle_of_a_day_both_tell_of_the_same_hours(host: DemoHost):
    name = next(instance.name for instance in INSTANCES if instance.host == host.name)
    for first, last in ((time(2), time(4)), (time(9), time(11)), (time(20), time(23))):
        of_host = grown(values_at(host.name, -3, first), values_at(host.name, -3, last))
        of_guest = grown(values_at(name, -3, first), values_at(name, -3, last))

        busy = 1 - of_host["cpu_unused_ticks", ""] / of_host["cpu_total_ticks", ""]
        whole = of_guest["os_busy_time", ""] + of_guest["os_idle_time", ""]
        assert of_guest["os_busy_time", ""] / whole == pytest.approx(busy, rel=0.01), first
