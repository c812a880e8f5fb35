"""What Prometheus kept of a host: the figures that its node_exporter would have given, and a sentence for what goes wrong."""

import io
import json
import math
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from prometheus_client.parser import text_string_to_metric_families

from apps.catalog.registry import find_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import look_into, store_file
from apps.inventory.models import Target
from apps.platforms.linux.files.host_file import read_for
from apps.platforms.linux.metrics import METRICS
from apps.platforms.linux.node_exporter.collector import collected_of
from apps.platforms.linux.node_exporter.metrics_page import read_page
from apps.platforms.linux.tests.exporter_server import PAGE
from apps.platforms.linux.tests.measured import sample
from apps.platforms.linux.tests.test_collector import skip_aloud
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.engine.figures import day_figures
from apps.snapshots.engine.readings import Shot
from apps.snapshots.history import read_days
from apps.snapshots.imported_days import DayOfFile
from apps.snapshots.models import Coverage
from conftest import free_port

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
FIRST = datetime(2026, 11, 18, tzinfo=UTC)
ON = date(2026, 11, 19)
INSTANCE = "db01:9100"
HOUR = timedelta(hours=1)
FIGURES = [metric for metric in METRICS if metric.is_figure]


def page_at(moment: datetime) -> str:
    """The page of the host at a moment: what it counts grows, by day more than by night."""
    seconds = (moment - FIRST).total_seconds()
    grown = seconds + 1800 * math.sin(2 * math.pi * seconds / 86400)
    lines = []
    for row, line in enumerate(PAGE.splitlines()):
        name, _, value = line.rpartition(" ")
        if not line.startswith("#") and (
            "_total" in name or name.startswith(("node_vmstat", "node_netstat"))
        ):
            line = f"{name} {float(value) + grown * (row % 7 + 1) / 4}"
        if name == "node_time_seconds":
            line = f"{name} {moment.timestamp()}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def moments(hours: int, step: timedelta = HOUR) -> list[datetime]:
    return [FIRST + number * step for number in range(int(hours * HOUR / step) + 1)]


def answer_of(pages: Mapping[datetime, str], instance: str = INSTANCE) -> str:
    """What query_range says of a host that showed these pages."""
    series: dict[tuple[tuple[str, str], ...], list[list[object]]] = {}
    for moment, page in pages.items():
        for family in text_string_to_metric_families(page):
            for sampled in family.samples:
                labels = {"__name__": sampled.name, "instance": instance, **sampled.labels}
                values = series.setdefault(tuple(sorted(labels.items())), [])
                values.append([moment.timestamp(), str(sampled.value).replace("inf", "Inf")])
    result = [{"metric": dict(labels), "values": values} for labels, values in series.items()]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}})


def of_hours(hours: int, instance: str = INSTANCE) -> str:
    return answer_of({moment: page_at(moment) for moment in moments(hours)}, instance)


def host_at(zone: str = "UTC") -> Target:
    return Target(
        name="db01", kind="host", platform="linux", collector="linux-files", interval_minutes=5,
        time_zone=zone, registered_at=NOW,
    )  # fmt: skip


def read(text: str, zone: str = "UTC"):
    return read_for(io.BytesIO(text.encode()), host_at(zone), NOW)


def figures(day: DayOfFile) -> dict[tuple[str, str], float]:
    computed = day_figures(day.shots, day.stretch, FIGURES, find_metric, slot_seconds=day.interval)
    return {
        key: value
        for part in computed.parts.values()
        for key, value in zip(part.keys, part.values.tolist(), strict=True)
        if value == value
    }


def collected_day(on: date, step: timedelta) -> dict[tuple[str, str], float]:
    """The figures of a day by a collector that fetched each page."""
    day = day_of(on, host_at().zone)
    shots: dict[int, dict[datetime, Shot]] = {}
    for moment in moments(72, step):
        if not day.began_at <= moment <= day.ended_at:
            continue
        collected = collected_of(read_page(page_at(moment)), "db01", moment, 0.0)
        for run in (run for run in collected.sources if run.readings):
            keys = [(reading.metric, reading.component) for reading in run.readings]
            values = np.array([reading.value for reading in run.readings])
            shots.setdefault(run.category, {})[moment] = Shot(
                collected.captured_at, collected.started_at, keys, values
            )
    return figures(DayOfFile(day, Day(on, day.began_at, day.ended_at), shots, 24))


def test_a_day_has_the_figures_of_a_collector_that_fetched_the_same_pages():
    file = read(of_hours(72))
    expected = collected_day(ON, HOUR)

    [own] = [day for day in file.days if day.day.on == ON]
    assert figures(own) == pytest.approx(expected)
    assert {"host_cpu_busy_pct", "host_disk_iops", "host_fs_used_pct", "host_mem_used_pct"} <= {
        key for key, _ in expected
    }
    assert ("host_cpu_busy_pct:p95", "") in expected
    assert [(day.day.on.day, day.hours) for day in file.days] == [(18, 24), (19, 24), (20, 24)]


def test_an_answer_says_of_which_host_it_is_and_what_it_lacks():
    text = of_hours(3)
    without = json.loads(text)
    result = without["data"]["result"]
    without["data"]["result"] = [own for own in result if "netstat" not in own["metric"]["__name__"]]

    file = read(json.dumps(without))

    assert (file.format, file.host_name) == ("query_range of Prometheus", "dbhost1")
    assert file.host_label == "Rocky Linux 9.4 5.14.0"
    assert "The answer has nothing of netstat." in file.notes
    assert file.understood["cpu, meminfo, stat, vmstat, loadavg, pressure"] == 4


def test_several_answers_in_one_file_are_put_together():
    whole = json.loads(of_hours(48))
    halves = [
        json.dumps({"status": "success", "data": {"resultType": "matrix", "result": part}})
        for part in (whole["data"]["result"][::2], whole["data"]["result"][1::2])
    ]

    file = read("\n".join(halves))

    assert [figures(day) for day in file.days] == [figures(day) for day in read(json.dumps(whole)).days]


def test_days_are_those_of_the_target():
    file = read(of_hours(72), "Asia/Kolkata")

    assert [(day.day.on.day, round(day.hours, 1)) for day in file.days] == [
        (18, 19.0), (19, 24.0), (20, 24.0), (21, 5.0),
    ]  # fmt: skip


def test_a_gap_and_a_restart_leave_out_what_nobody_knows():
    pages = {moment: page_at(moment) for moment in moments(48) if not 6 <= moment.hour < 12}
    boot = FIRST + timedelta(hours=40, minutes=30)
    restarted = {
        moment: page.replace("node_boot_time_seconds 1.7e+09", f"node_boot_time_seconds {boot.timestamp()}")
        for moment, page in pages.items()
        if moment > boot
    }

    first, second = read(answer_of(pages | restarted)).days[:2]
    with_gap = day_figures(first.shots, first.stretch, FIGURES, find_metric, slot_seconds=3600)

    assert first.hours == 17
    assert min(part.hours for part in with_gap.parts.values() if part.hours) == 17
    after = day_figures(second.shots, second.stretch, FIGURES, find_metric, slot_seconds=3600)
    assert max(part.restarts for part in after.parts.values()) == 1


def test_steps_of_six_hours_give_a_day_without_percentiles():
    text = answer_of({moment: page_at(moment) for moment in moments(72, 6 * HOUR)})

    [own] = [figures(day) for day in read(text).days if day.day.on == ON]

    expected = collected_day(ON, HOUR)
    assert own["host_cpu_busy_pct", ""] == pytest.approx(expected["host_cpu_busy_pct", ""])
    assert not {key for key, _ in own if key.endswith((":p95", ":max"))}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution of 11,000 points"}',
            "Prometheus refused the question: exceeded maximum resolution of 11,000 points.",
        ),
        ('{"status":"success","data":{"resultType":"matrix","result":[]}}', "has no series of this host"),
        (
            '{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"2"]}]}}',
            "ask for a stretch of time, with query_range",
        ),
        (
            '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1,"1"]]}]}}',
            "none of its series begins with node_",
        ),
        (
            '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"node_load1"},"values":[["x","1"]]}]}}',
            "These are not what Prometheus answers",
        ),
        (
            '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"node_load1"},"values":[[1e30,"1"]]}]}}',
            "has a moment that is none",
        ),
        ('{"status":"success","data":{"resultType":"matrix","result":[7]}}', "These are not what Prometheus"),
        ('{"status":"success","data":[]}', "there are no result"),
        (of_hours(30)[:-300], "ends in the middle"),
        (of_hours(1, "db01:9100") + of_hours(1, "db02:9100"), "several hosts, db01:9100 and db02:9100"),
        (of_hours(0), "no two steps of one day"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(UnreadableFile, match=sentence):
        read(text)


@pytest.mark.django_db
def test_an_answer_is_looked_into_stored_once_and_names_another_host():
    host = host_at()
    host.save()
    text = of_hours(72).replace("dbhost1", "db01").encode()

    preview = look_into(host, io.BytesIO(text), "prometheus.json", NOW)
    assert [outcome.is_stored for outcome in preview.outcomes] == [True] * 3
    assert not Coverage.objects.exists()

    store_file(host, io.BytesIO(text), "prometheus.json", NOW)
    again = store_file(host, io.BytesIO(text), "prometheus.json", NOW)

    assert {outcome.sentence for outcome in again.outcomes} == {"already there, unchanged"}
    expected = collected_day(ON, HOUR)["host_cpu_busy_pct", ""]
    stored = {
        metric: value for (_, metric, component), value in read_days(host, [ON])[ON].items() if not component
    }
    assert stored["host_cpu_busy_pct"] == pytest.approx(expected)
    assert Coverage.objects.get(day=ON).origin == "file prometheus.json"
    other = look_into(host, io.BytesIO(of_hours(3).encode()), "other.json", NOW)
    assert other.wrong_host.startswith("The file is of dbhost1")


def test_the_pages_of_a_real_host_kept_by_prometheus_have_their_figures():
    scrapes = [sample(f"node_exporter/host-a_scrape{number}.prom.txt") for number in (1, 2, 3)]
    times = [datetime.fromtimestamp(read_page(text).value("node_time_seconds") or 0, UTC) for text in scrapes]

    [day] = read(answer_of(dict(zip(times, scrapes, strict=True)))).days

    expected = (6.4534675456e10 - 6.2602084352e10) / 1024 / (times[-1] - times[0]).total_seconds()
    assert figures(day)["host_disk_write_kb", "vda"] == pytest.approx(expected, rel=1e-6)
    assert figures(day)["host_cpus", ""] == 2


@contextmanager
def prometheus_of(pages: Mapping[datetime, str], folder: Path) -> Iterator[str]:
    """A Prometheus on loopback that kept these pages of a host."""
    lines = []
    for moment, page in pages.items():
        for family in text_string_to_metric_families(page):
            for sampled in family.samples:
                labels = ",".join(
                    f'{name}="{value}"' for name, value in {"instance": INSTANCE, **sampled.labels}.items()
                )
                value = str(sampled.value).replace("inf", "Inf")
                lines.append((f"{sampled.name}{{{labels}}}", f"{moment.timestamp():.0f}", value))
    text = "\n".join(f"{series} {value} {at}" for series, at, value in sorted(lines))
    (folder / "pages.om").write_text(f"{text}\n# EOF\n")
    (folder / "prometheus.yml").write_text("{}\n")
    data = folder / "data"
    make = ["promtool", "tsdb", "create-blocks-from", "openmetrics", str(folder / "pages.om"), str(data)]
    subprocess.run(make, check=True, capture_output=True)
    address = f"127.0.0.1:{free_port()}"
    server = subprocess.Popen(
        [
            "prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={data}",
            "--storage.tsdb.retention.time=100y", f"--web.listen-address={address}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://{address}/-/ready", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://{address}"
    finally:
        server.terminate()
        server.wait(20)


def test_what_a_real_prometheus_kept_is_within_one_percent_of_a_collector(tmp_path):
    if shutil.which("prometheus") is None or shutil.which("promtool") is None:
        skip_aloud("no Prometheus is installed here")
    minutes = timedelta(minutes=5)
    with prometheus_of({moment: page_at(moment) for moment in moments(72, minutes)}, tmp_path) as server:
        question = urllib.parse.urlencode(
            {
                "query": f'{{instance="{INSTANCE}",__name__=~"node_.+"}}',
                "start": FIRST.timestamp(),
                "end": (FIRST + 72 * HOUR).timestamp(),
                "step": 3600,
            }
        )
        with urllib.request.urlopen(f"{server}/api/v1/query_range?{question}", timeout=30) as answer:
            text = answer.read().decode()
        wrong = urllib.parse.urlencode({"query": "node_load1", "start": 0, "end": 1e9, "step": 1})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{server}/api/v1/query_range?{wrong}", timeout=30)

    [own] = [figures(day) for day in read(text).days if day.day.on == ON]
    expected = collected_day(ON, minutes)
    means = {key: value for key, value in expected.items() if ":" not in key[0]}
    assert len(means) > 40
    assert own.keys() == expected.keys()
    assert {key: own[key] for key in means} == pytest.approx(means, rel=0.01)
    with pytest.raises(UnreadableFile, match="Prometheus refused the question: exceeded maximum resolution"):
        read(refused.value.read().decode())
