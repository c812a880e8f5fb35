"""The Space tab, from a database that is read like any other to the page and its file."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.room import is_full_at_limit
from apps.platforms.linux.metrics.categories import FILESYSTEMS
from apps.platforms.oracle.categories import TABLESPACES
from apps.platforms.oracle.tests.conftest import fill
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.snapshots.models import Fact
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold
from testing.oracle_server import Clock, Database

pytestmark = pytest.mark.django_db
GB = 1024**3
CLOSED = MIDNIGHT + timedelta(days=1)


@pytest.fixture
def life() -> Iterator[Life]:
    clock = Clock(MIDNIGHT)
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10)))
    names = ("DATA", "USERS")
    database.set_rows(
        "dba_tablespaces",
        [{"tablespace_name": name, "contents": "PERMANENT", "block_size": 8192} for name in names],
    )
    database.set_rows(
        "dba_tablespace_usage_metrics",
        [
            {"tablespace_name": "DATA", "used_space": 80 * GB // 8192},
            {"tablespace_name": "USERS", "used_space": 10 * GB // 8192},
        ],
    )
    files = [
        ("DATA", "+data/GISPRD/DATAFILE/data.256.1", 60, 200),
        ("DATA", "+DATA/GISPRD/DATAFILE/data.257.1", 40, 200),
        ("USERS", "/u02/oradata/GISPRD/users01.dbf", 20, 60),
    ]
    database.set_rows(
        "dba_data_files",
        [
            {"tablespace_name": name, "file_name": path, "bytes": size * GB, "maxbytes": most * GB}
            for name, path, size, most in files
        ],
    )
    database.set_rows("dba_temp_files", [])
    database.set_rows("dba_temp_free_space", [])
    database.set_rows(
        "v$asm_diskgroup_stat",
        [{"name": "DATA", "total_mb": 900 * 1024, "free_mb": 200 * 1024, "usable_file_mb": 100 * 1024}],
    )
    with life_of(database, clock) as life:
        life.collect()
        life.move_to(CLOSED)
        life.collect()
        yield life


def tell(target: Target, category: int, values: dict[tuple[str, str], float], **facts: str) -> None:
    for moment in (MIDNIGHT, CLOSED):
        record_snapshot(
            target,
            [ReadSource(category=category, values=values)],
            slot=moment,
            captured_at=moment,
            started_at=MIDNIGHT,
            facts={f"lies_on/{name}": place for name, place in facts.items()},
        )
    roll_up_day(target, DAY, CLOSED)


def on_host(life: Life, *, used: float = 50, free: float = 30) -> Target:
    host = Target.objects.create(
        name="db01", kind=Target.Kind.HOST, platform="linux", collector="linux", registered_at=MIDNIGHT
    )
    sizes = {
        ("host_fs_free_mb", "/u02"): free * 1024,
        ("host_fs_used_mb", "/u02"): used * 1024,
        ("host_fs_free_mb", "/"): 5.0 * 1024,
        ("host_fs_used_mb", "/"): 5.0 * 1024,
    }
    tell(host, FILESYSTEMS, sizes)
    life.targets["GISPRD"].runs_on = host
    life.targets["GISPRD"].save()
    return host


def register_instance(host: Target, name: str = "HRPRD", **facts: str) -> Target:
    other = Target.objects.create(
        name=name, kind=Target.Kind.INSTANCE, platform="oracle", collector="oracle",
        registered_at=MIDNIGHT, runs_on=host,
    )  # fmt: skip
    sizes = {"ts_used_mb": 5.0 * GB, "ts_size_mb": 10.0 * GB, "ts_max_mb": 30.0 * GB}
    tell(other, TABLESPACES, {(key, "HR"): value for key, value in sizes.items()}, **facts)
    return other


def address(life: Life, on: date = DAY) -> str:
    return f"{reverse('target_report', args=[life.targets['GISPRD'].pk, 'space'])}?on={on}&days=7"


def page(client: Client, life: Life) -> str:
    response = client.get(address(life))
    assert response.status_code == 200
    return response.content.decode()


def rows(client: Client, life: Life) -> dict[str, dict[str, str]]:
    answer = client.get(f"{address(life)}&format=csv&table=true-headroom")
    assert answer.status_code == 200
    return {row["tablespace"]: row for row in csv.DictReader(io.StringIO(answer.content.decode()))}


def cells(row: dict[str, str]) -> list[str]:
    names = "lies on", "free there (GB)", "over-commit (times)", "true headroom (GB)", "what binds", "note"
    return [row[name] for name in names]


def test_where_files_lie_is_kept_once_and_again_when_it_changes(life):
    places = Fact.objects.filter(name="lies_on").order_by("component", "since")
    assert list(places.values_list("component", "value")) == [
        ("DATA", "+DATA"),
        ("USERS", "/u02/oradata/GISPRD"),
    ]


def test_disk_group_and_filesystem_bind_with_all_that_share_them(life, reader):
    register_instance(on_host(life), HR="/u02/oradata/HRPRD")

    rows_by_name = rows(reader, life)
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page(reader, life)))

    # a sheet would take a name that begins with + for a formula, hence the mark before it
    # 100 - 80 unused in the files, and 100 free: 120 of the 320 to the ceiling; the files may grow by 300
    assert cells(rows_by_name["DATA"]) == ["'+DATA", "100", "3", "120", "free space of +DATA", ""]
    # 20 - 10 unused and 30 free: 40 of the 50 to the ceiling; 40 here and 20 of HRPRD over 30
    assert cells(rows_by_name["USERS"]) == ["/u02", "30", "2", "40", "free space of /u02", ""]
    assert "DATA has the least room : 120 of 200 GB on" in text
    assert "What lies on +DATA may still grow by 3 times what is free there." in text
    assert 'id="true-headroom"' in page(reader, life)


def test_one_that_shares_and_does_not_say_where_it_lies_makes_the_ratio_a_lower_bound(life, reader):
    register_instance(on_host(life))

    assert "Not everything of HRPRD on the same host is known" in page(reader, life)
    assert rows(reader, life)["USERS"]["note"] == "over-commit is at least this, without all of HRPRD"


def test_without_a_host_the_filesystem_is_a_reason_and_the_disk_group_is_known(life, reader):
    rows_by_name = rows(reader, life)

    why = "nobody has said which host it runs on"
    assert cells(rows_by_name["USERS"]) == ["/u02/oradata/GISPRD", "", "", "", "", why]
    assert cells(rows_by_name["DATA"])[1:4] == ["100", "", "120"]
    assert rows_by_name["DATA"]["note"] == f"who shares it is not known: {why}"
    assert f"No data: {why}." in page(reader, life).replace("&#x27;", "'")


def test_a_filesystem_too_small_for_what_lies_there_is_not_taken_for_the_one(life, reader):
    on_host(life, used=9)

    row = rows(reader, life)["USERS"]

    assert row["true headroom (GB)"] == ""
    assert "more is used by what would lie on /u02 than it holds" in row["note"]


def in_a_cluster(life: Life, **frees: float | None) -> None:
    """GISPRD as a database of instances on these hosts, each of which sees so much free on /u02, or does not see it."""
    database = life.targets["GISPRD"]
    database.kind = Target.Kind.DATABASE
    database.save()
    for name, free in frees.items():
        host = Target.objects.create(
            name=name, kind=Target.Kind.HOST, platform="linux", collector="linux", registered_at=MIDNIGHT
        )
        sizes = {("host_fs_free_mb", "/"): 5.0 * 1024, ("host_fs_used_mb", "/"): 5.0 * 1024}
        if free is not None:
            sizes |= {("host_fs_free_mb", "/u02"): free * 1024, ("host_fs_used_mb", "/u02"): 50.0 * 1024}
        tell(host, FILESYSTEMS, sizes)
        Target.objects.create(
            name=f"GIS-{name}", kind=Target.Kind.INSTANCE, platform="oracle", collector="oracle",
            registered_at=MIDNIGHT, runs_on=host, database=database,
        )  # fmt: skip


def test_a_cluster_filesystem_has_free_what_the_least_of_its_hosts_sees(life, reader):
    in_a_cluster(life, db01=30.0, db02=29.0)

    assert cells(rows(reader, life)["USERS"])[:5] == [
        "/u02",
        "29",
        "1.37931034483",
        "39",
        "free space of /u02",
    ]


def test_a_filesystem_that_one_host_of_a_cluster_does_not_see_is_a_reason(life, reader):
    in_a_cluster(life, db01=30.0, db02=None)

    row = cells(rows(reader, life)["USERS"])
    why = "the filesystem of /u02/oradata/GISPRD was not measured on every host of its instances"
    assert row == ["/u02/oradata/GISPRD", "", "", "", "", why]


def test_what_lies_on_several_places_tells_from_what_is_sure_to_what_is_possible(life, reader):
    on_host(life)
    Fact.objects.filter(name="lies_on", component="DATA").update(value="+DATA\n/u02/oradata/GISPRD")

    row = rows(reader, life)["DATA"]

    # 20 unused in the files; 30 free on /u02 are sure, and 100 more in +DATA may be
    assert (row["free there (GB)"], row["true headroom (GB)"]) == ("130", "150")
    assert row["note"] == "at least 50 GB: its files lie on several places, and which of them grow decides"
    assert "50 to 150" in re.sub(r"\s+", " ", page(reader, life))


def test_before_it_was_known_where_files_lie_only_that_is_said(life, reader):
    on_host(life)
    Fact.objects.filter(name="lies_on").update(since=CLOSED + timedelta(days=1))

    assert rows(reader, life)["DATA"]["note"] == "where its files lie was not known then"
    assert "How much room is left is not known" in page(reader, life)


def test_the_queries_do_not_depend_on_how_many_share_a_host(life, reader):
    host = on_host(life)
    counts = []
    for name in ("HR1", "HR2", "HR3"):
        register_instance(host, name, HR="/u02/oradata")
        page(reader, life)
        with CaptureQueriesContext(connection) as caught:
            page(reader, life)
        counts.append(len(caught))

    assert len(set(counts)) == 1


def test_the_tab_has_a_row_a_tablespace_and_the_five_with_least_room_as_drawings(life, reader):
    on_host(life)

    html = page(reader, life)

    table = html.partition('id="true-headroom"')[2].partition("</table>")[0]
    heads = [re.sub("<[^>]+>", "", head) for head in re.findall(r"<th scope=\"col\".*?</th>", table)]
    assert heads == [
        "state", "tablespace", "used", "ceiling", "room left", "%", "growth a day", "30 days, limit", "limit",
        "likely full", "soonest – latest", "what binds",
    ]  # fmt: skip
    assert table.count("<tr>") == 1 + 2
    multiples = html.partition('class="plain multiples"')[2].partition("</ul>")[0]
    assert multiples.count("<svg") >= 2
    assert "ceiling 200" in multiples
    assert 'id="tablespaces"' not in html
    assert "<details" in html.partition('id="tablespaces-by-day"')[0].rpartition("<details")[1]


def test_a_limit_at_the_ceiling_is_where_it_is_full_and_one_before_it_is_reached(life, reader):
    target = life.targets["GISPRD"]
    [at_ceiling] = add_threshold("ts_used_mb", "<=400", now=CLOSED, target=target, component="DATA")
    [before] = add_threshold("ts_used_mb", "<=40", now=CLOSED, target=target, component="USERS")

    def outlook(threshold: Threshold, component: str) -> Outlook:
        return Outlook(
            target=target,
            metric="ts_used_mb",
            component=component,
            figure="value",
            day=DAY,
            threshold=threshold,
        )

    assert is_full_at_limit(outlook(at_ceiling, "DATA"))
    assert not is_full_at_limit(outlook(before, "USERS"))
