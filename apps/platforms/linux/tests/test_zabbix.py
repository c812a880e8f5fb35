"""What Zabbix kept of a host: hourly means of its items under our names, and a sentence for what goes wrong."""

import json
from datetime import UTC, datetime

import pytest

from apps.catalog.registry import find_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.monitors.zabbix import FORMAT
from apps.platforms.linux.files.monitor_items import MAPPINGS
from apps.platforms.linux.tests.host_files import figures_by_day, read, series

MIDNIGHT = int(datetime(2026, 11, 18, tzinfo=UTC).timestamp())
ITEMS = {  # the key of an item: its unit, and its mean in an hour
    "system.cpu.util[,user]": ("%", lambda hour: 20 + hour),
    "system.cpu.util[,nice]": ("%", lambda hour: 1),
    "system.cpu.util[,system]": ("%", lambda hour: 5),
    "system.cpu.util[,softirq]": ("%", lambda hour: 0.5),
    "system.cpu.util[,iowait]": ("%", lambda hour: 2),
    "system.cpu.util[,steal]": ("%", lambda hour: 0),
    "system.cpu.util[,idle]": ("%", lambda hour: 71.5 - hour),
    "system.cpu.load[all,avg1]": ("", lambda hour: 3.5),
    "vm.memory.size[total]": ("B", lambda hour: 16 * 2**30),
    "vm.memory.size[available]": ("B", lambda hour: 4 * 2**30),
    "vfs.dev.read.rate[sda]": ("!r/s", lambda hour: 100),
    "vfs.dev.write.rate[sda]": ("!w/s", lambda hour: 50),
    "vfs.dev.read.rate[sdb]": ("!r/s", lambda hour: 7),
    'net.if.in["eth0"]': ("bps", lambda hour: 8 * 1024 * 300),
    'net.if.in["lo"]': ("bps", lambda hour: 8 * 1024),
    "net.if.out[eth0]": ("packets", lambda hour: 1),
    "vfs.fs.dependent.size[/u01/my data,pused]": ("%", lambda hour: 60 + hour / 10),
    'vfs.fs.inode["/u01/my data",pfree]': ("%", lambda hour: 75),
    "agent.ping": ("", lambda hour: 1),
}


def answer(result, **more) -> str:
    return json.dumps({"jsonrpc": "2.0", "result": result, "id": 1} | more)


def items(host: str = "db01") -> str:
    return answer(
        [
            {"itemid": str(number), "key_": key, "units": unit, "hosts": [{"hostid": host, "host": host}]}
            for number, (key, (unit, _)) in enumerate(ITEMS.items())
        ]
    )


def trends(hours: int = 24) -> str:
    return answer(
        [
            {
                "itemid": str(number), "clock": str(MIDNIGHT + 3600 * hour), "num": "60",
                "value_min": "0", "value_avg": str(mean(hour)), "value_max": "100",
            }
            for number, (_, mean) in enumerate(ITEMS.values())
            for hour in range(hours)
        ]
    )  # fmt: skip


def test_hourly_means_become_the_figures_of_a_day():
    records = read(items() + "\n" + trends())
    [figures] = figures_by_day(records)

    assert (records.format, records.host.name) == ("trend.get of Zabbix", "db01")
    assert figures["host_cpu_user_pct", ""] == pytest.approx(21 + 11.5)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(5.5)
    assert figures["host_cpu_busy_pct:max", ""] == pytest.approx(26.5 + 23)
    assert figures["host_load1", ""] == pytest.approx(3.5)
    assert figures["host_mem_used_pct", ""] == pytest.approx(75)
    assert figures["host_disk_iops", "sda"] == pytest.approx(150)
    assert figures["host_net_rx_kb", "eth0"] == pytest.approx(300)
    assert figures["host_fs_used_pct", "/u01/my data"] == pytest.approx(61.15)
    assert figures["host_fs_inodes_pct", "/u01/my data"] == pytest.approx(25)


def test_what_is_half_there_or_in_another_unit_has_no_figure():
    records = read(trends() + items())  # in any order
    [figures] = figures_by_day(records)

    assert ("host_disk_iops", "sdb") not in figures  # its writes are not kept
    assert ("host_net_rx_kb", "lo") not in figures
    assert ("host_net_tx_kb", "eth0") not in figures
    assert set(records.ignored) == {"agent.ping", "net.if.out[eth0] in packets"}


def test_an_hour_without_a_trend_is_a_gap():
    both = json.loads(trends())
    both["result"] = [
        row for row in both["result"] if not MIDNIGHT + 3600 * 8 <= int(row["clock"]) < MIDNIGHT + 3600 * 12
    ]

    records = read(items() + json.dumps(both))

    assert len(records.intervals) == 20
    assert len(series(records, "sysstat_cpu_user_pct")) == 20


def test_processors_that_are_told_once_a_day_hold_on():
    text = items() + trends()
    text += answer([{"itemid": "99", "key_": "system.cpu.num", "units": ""}])
    text += answer(
        [
            {"itemid": "99", "clock": str(MIDNIGHT + 3600 * at), "value_avg": cpus}
            for at, cpus in ((0, "8"), (12, "16"))
        ]
    )

    assert series(read(text), "host_cpus") == [8.0] * 11 + [16.0] * 13


def test_each_item_leads_to_a_statistic_of_ours():
    mapping = MAPPINGS[FORMAT]
    for name, statistic in mapping.by_name.items():
        metric = find_metric(statistic.statistic)
        assert metric is not None, name
        assert metric.category == statistic.category
        assert bool(metric.component_kind) == any("{}" in part for part in name)
    assert mapping.find("vfs.fs.size[,pused]") is None
    assert mapping.find("vfs.fs.size") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params.","data":"Not authorized."},"id":1}',
            "Zabbix refused the question: Invalid params. Not authorized.",
        ),
        (trends(), "No item is named: add the answer of item.get"),
        (items(), "There are items and no trends of them"),
        (answer([]), "No item is named"),
        (items() + items("db02") + trends(), "items of several hosts, db01 and db02"),
        (items() + trends()[:-40], "ends in the middle"),
        (items() + answer([{"itemid": "1", "clock": "soon", "value_avg": "1"}]), "These are not what Zabbix answers"),
        (items() + answer([{"itemid": "1", "clock": "1"}]), "These are not what Zabbix answers"),
        (items() + answer([{"itemid": "0", "clock": "9" * 17, "value_avg": "1"}]), "of a trend is none"),
        (answer(True), "ends in the middle|These are not"),
        (items() + answer([{"itemid": "18", "clock": "1", "value_avg": "1"}]), "no interval with figures"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(UnreadableFile, match=sentence):
        read(text)
