"""What Zabbix kept of an instance: days beside what others tell, taken back whole, and a sentence for what goes wrong."""

import io
import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from apps.catalog.registry import find_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import look_into, store_file, take_back_days
from apps.collection.models import CollectionRun
from apps.collection.monitors.zabbix import FORMAT
from apps.inventory.models import Target
from apps.platforms.oracle import categories
from apps.platforms.oracle.monitors import monitor_file
from apps.snapshots import dictionary
from apps.snapshots.engine.days import day_of
from apps.snapshots.engine.readings import Shot
from apps.snapshots.given_days import store_given
from apps.snapshots.imported_days import DayOfFile, record_imported_days
from apps.snapshots.models import Coverage, Fact, Sample
from apps.web.pages.history.history_lines import known_days

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ON = date(2026, 11, 18)
MIDNIGHT = int(datetime(2026, 11, 18, tzinfo=UTC).timestamp())
MB = 2**20
ITEMS = {  # the key of an item: its unit, and its mean in an hour
    "oracle.physical_reads_rate": ("Rps", lambda hour: 100 + hour),
    "oracle.physical_read_bytes_rate": ("Bps", lambda hour: 8192 * (100 + hour)),
    "oracle.logons_rate": ("Rps", lambda hour: 0.5),
    "oracle.active_sessions": ("", lambda hour: 6 if hour == 10 else 2),
    "oracle.session_active_user": ("", lambda hour: 7),
    "oracle.session_count": ("", lambda hour: 60),
    "oracle.processes_limit": ("", lambda hour: 800),
    "oracle.total_pga_allocated": ("B", lambda hour: (500 + hour) * MB),
    "oracle.pga_target": ("Rps", lambda hour: 1),
    'oracle.tbs_alloc_bytes["NOCDB","APP_DATA"]': ("B", lambda hour: 1000 * MB),
    'oracle.tbs_used_bytes["NOCDB","APP_DATA"]': ("B", lambda hour: (600 + hour) * MB),
    'oracle.tbs_max_bytes["APP_DATA"]': ("B", lambda hour: 2000 * MB),
    'oracle.tbs_used_bytes["UNDOTBS1"]': ("B", lambda hour: 300 * MB),
    'oracle.tbs_alloc_bytes["SALES","USERS"]': ("B", lambda hour: 50 * MB),
    'oracle.asm_free_size["DATA"]': ("B", lambda hour: 4096 * MB),
    "agent.ping": ("", lambda hour: 1),
}  # fmt: skip


def answer(result) -> str:
    return json.dumps({"jsonrpc": "2.0", "result": result, "id": 1})


def items(instance: str = "PAYPRD") -> str:
    rows = [
        {"itemid": str(number), "key_": key, "units": unit, "hosts": [{"hostid": "1", "host": "pay-db"}]}
        for number, (key, (unit, _)) in enumerate(ITEMS.items())
    ]
    return answer([*rows, {"itemid": "900", "key_": "oracle.instance_name", "lastvalue": instance}])


def trends(hours: Sequence[int] = range(24)) -> str:
    return answer(
        [
            {"itemid": str(number), "clock": str(MIDNIGHT + 3600 * hour), "value_avg": str(mean(hour))}
            for number, (_, mean) in enumerate(ITEMS.values())
            for hour in hours
        ]
    )


@pytest.fixture
def target() -> Target:
    dictionary.forget()
    target = Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )
    Fact.objects.create(target=target, name="instance_name", component="", since=NOW, value="PAYPRD")
    return target


def store(target: Target, text: str, name: str = "zabbix.json"):
    return store_file(target, io.BytesIO(text.encode()), name, NOW)


def figures() -> dict[tuple[str, str], float]:
    rows = Sample.objects.filter(day=ON, value__isnull=False)
    return {(row.metric, row.component): row.value for row in rows if row.value is not None}


def test_hourly_means_become_the_figures_of_a_day(target):
    report = store(target, items() + trends())

    assert report.file.host_label == "PAYPRD, pay-db in Zabbix"
    assert [(outcome.on, outcome.is_stored, outcome.sentence) for outcome in report.outcomes] == [
        (ON, True, "a new day")
    ]
    have = figures()
    assert have["io_phys_reads", ""] == pytest.approx(111.5)
    assert have["io_app_read_bytes", ""] == pytest.approx(8192 * 111.5 * 86400 / 2**30)
    assert have["logons_cumulative", ""] == pytest.approx(43_200)
    assert have["aas", ""] == pytest.approx(52 / 24)
    assert have["aas:max", ""] == pytest.approx(6)
    assert have["pga_allocated", ""] == pytest.approx(511.5)
    assert have["sessions_active", ""] == pytest.approx(7)
    assert have["ts_size_mb", "APP_DATA"] == pytest.approx(1000)
    assert have["ts_used_mb", "APP_DATA"] == pytest.approx(623)
    assert have["ts_room_mb", "APP_DATA"] == pytest.approx(1377)
    assert have["ts_size_mb", "SALES/USERS"] == pytest.approx(50)
    assert have["asm_usable_mb", "DATA"] == pytest.approx(4)
    assert not CollectionRun.objects.exists()


def test_what_means_something_else_is_left_out_and_says_why(target):
    report = store(target, items() + trends())

    assert (
        "oracle.session_count: counts other sessions or processes than the statistic" in report.file.ignored
    )
    assert "oracle.pga_target in Rps" in report.file.ignored
    assert "agent.ping" in report.file.ignored
    assert monitor_file.UNDO in report.file.notes
    assert ("ts_used_mb", "UNDOTBS1") not in figures()
    assert ("pga_target", "") not in figures()


def test_hours_that_are_lacking_are_in_no_figure(target):
    hours = [hour for hour in range(24) if hour not in (3, 4)]

    [outcome] = store(target, items() + trends(hours)).outcomes

    assert outcome.share == pytest.approx(22 / 24)
    assert figures()["io_phys_reads", ""] == pytest.approx(sum(100 + hour for hour in hours) / 22)
    assert figures()["pga_allocated", ""] == pytest.approx(sum(500 + hour for hour in hours) / 22)


def test_the_history_page_tells_what_is_known_in_part(target):
    store(target, items() + trends())

    rows = known_days(target, ON + timedelta(days=7))

    assert {(row.section, row.at(7)) for row in rows} >= {("Space", "in part"), ("Workload", "in part")}
    assert "Redo" not in {row.section for row in rows}
    assert all(row.count == 1 for row in rows)


def test_a_part_of_a_day_is_left_out(target):
    [outcome] = store(target, items() + trends(range(12))).outcomes

    assert (outcome.is_stored, outcome.sentence) == (False, "the file has 50 % of the day alone")
    assert not Coverage.objects.exists()


def test_it_stands_beside_what_others_tell_and_is_taken_back_alone(target):
    store_given(target, {ON: {categories.PGASTAT: {("pga_allocated", ""): 99.0}}}, "CSV own.csv")
    before = figures()

    [outcome] = store(target, items() + trends()).outcomes
    both = figures()
    gone = take_back_days(target, "zabbix.json", None, NOW)

    assert outcome.sentence == "beside CSV own.csv"
    assert (both["pga_allocated", ""], both["ts_size_mb", "APP_DATA"]) == (99.0, 1000)
    cover = Coverage.objects.get()
    assert gone == [ON]
    assert figures() == before
    assert cover.source_of(categories.PGASTAT) == "CSV own.csv"


def test_bounds_by_backups_give_way_whatever_comes_first(target):
    day = day_of(ON, target.zone)
    keys = [("ts_size_mb", "APP_DATA")]
    bound = Shot(day.ended_at, None, keys, np.array([9999.0 * MB]))
    bounds = DayOfFile(
        day, day, {categories.TABLESPACES: {day.ended_at: bound}}, 24, float("inf"), {},
        at_most=frozenset({categories.TABLESPACES}),
    )  # fmt: skip
    record_imported_days(target, [bounds], "backups (at most)", {}, NOW)
    assert figures()["ts_size_mb", "APP_DATA"] == 9999

    store(target, items() + trends())
    after = figures()
    [outcome] = record_imported_days(target, [bounds], "backups (at most)", {}, NOW)

    assert (outcome.is_stored, outcome.sentence) == (False, "stays with what was given")
    assert figures() == after
    assert after["ts_size_mb", "APP_DATA"] == 1000
    assert not Coverage.objects.get().is_at_most(categories.TABLESPACES)


def test_a_day_that_was_measured_stays(target):
    Coverage.objects.create(target=target, day=ON, hours=24, categories={})

    [outcome] = look_into(target, io.BytesIO((items() + trends()).encode()), "zabbix.json", NOW).outcomes

    assert (outcome.is_stored, outcome.sentence) == (False, "stays with the collector")


def test_the_same_file_again_changes_nothing(target):
    store(target, items() + trends())
    before = figures()

    store(target, items() + trends())

    assert figures() == before
    assert take_back_days(target, "zabbix.json", [ON], NOW) == [ON]
    assert not figures()


def test_a_pluggable_database_takes_its_own_tablespaces_alone(target):
    Fact.objects.create(target=target, name="container", component="", since=NOW, value="SALES")
    Fact.objects.create(target=target, name="cdb", component="", since=NOW, value="YES")

    text = items().replace("NOCDB", "CRM")

    store(target, text + trends())

    assert figures()["ts_size_mb", "USERS"] == pytest.approx(50)
    assert {name for key, name in figures() if key == "ts_size_mb"} == {"USERS"}


def test_another_zone_has_other_days(target):
    target.time_zone = "Asia/Tokyo"
    target.save()

    outcomes = store(target, items() + trends(range(48))).outcomes

    assert [outcome.is_stored for outcome in outcomes] == [False, True, False]
    assert figures() == {}
    assert Sample.objects.get(day=ON + timedelta(days=1), metric="io_phys_reads").value == pytest.approx(
        sum(100 + hour for hour in range(15, 39)) / 24
    )


def test_each_item_leads_to_a_statistic_of_ours():
    mapping = monitor_file.SERVERS[FORMAT].mapping
    for name, statistic in mapping.by_name.items():
        metric = find_metric(statistic.statistic)
        assert metric is not None, name
        assert metric.category == statistic.category
        assert bool(metric.component_kind) == any("{}" in part for part in name)
        assert metric.is_difference == statistic.is_rate
    assert not mapping.left_out.keys() & {name[0] for name in mapping.by_name}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (items("CRMPRD") + trends(), "of the instance CRMPRD, and PAYPRD is PAYPRD"),
        (items() + answer([]), "There are items and no trends"),
        (trends(), "No item is named"),
        (items() + trends()[:-40], "ends in the middle"),
        (
            answer([{"itemid": "1", "key_": "system.cpu.load[all,avg1]"}])
            + answer([{"itemid": "1", "clock": str(MIDNIGHT), "value_avg": "1"}]),
            "None of its items is one of those of Oracle in Zabbix",
        ),
        (
            '{"status":"success","data":{"resultType":"matrix","result":[]}}',
            "nor what Zabbix or Checkmk answered",
        ),
    ],
)
def test_what_cannot_be_taken_is_refused_with_a_sentence(target, text, sentence):
    with pytest.raises(UnreadableFile, match=sentence):
        store(target, text)
