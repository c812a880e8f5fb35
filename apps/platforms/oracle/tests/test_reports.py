"""Reports of Statspack and AWR: the samples' figures by the way of an import, and what cannot be taken."""

import gzip
import io
from datetime import UTC, date, datetime

import pytest

from apps.catalog.registry import get_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import store_file
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.platforms.oracle.reports.read_report import NOT_LICENSED, OWN_ACT
from apps.platforms.tests.samples import sample_path
from apps.snapshots import dictionary
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage, Fact, Sample

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
def target(settings) -> Target:
    settings.HEADROOM_FIGURE_DAYS = 20_000
    return Target.objects.create(
        name="IGT", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )


def store(target: Target, content: bytes, name: str = "report.txt"):
    return store_file(target, io.BytesIO(content), name, NOW)


def figures(target: Target) -> dict[tuple[str, str], float | None]:
    rows = Sample.objects.filter(target=target.name, value__isnull=False)
    return {(row.metric, row.component): row.value for row in rows}


@pytest.fixture(autouse=True)
def _forget():
    dictionary.forget()


def sample(path: str) -> bytes:
    return sample_path(path).read_bytes()


def per_day(total: float, seconds: float) -> float:
    return total / seconds * 86400


def test_the_figures_of_a_statspack_report(target):
    report = store(target, sample("statspack/statspack_11.2.0.4_24h_6693_6723.txt"))

    assert (report.file.format, report.file.host_label) == (
        "Statspack report",
        "igt on my_server-aps-1, 11.2.0.4.0",
    )
    assert [(day.on.isoformat(), day.share) for day in report.outcomes] == [
        ("2016-01-31", pytest.approx(1, abs=1e-4))
    ]
    have, seconds = figures(target), 86399
    counted = {
        "redo_size": 987_650_724 / 2**30 / seconds * 86400,
        "session_logical_reads": per_day(26_112_113, seconds),
        "user_calls": 624_293 / seconds,
        "user_commits": 49_332 / seconds,
        "execute_count": 1_829_377 / seconds,
        "pga_allocated": 435.7,
        "cpu_count": 12,
        "cpu_cores": 6,
        "logons_current": 153,
        "os_busy_pct": 100 * 1_490_571 / (1_490_571 + 101_992_240),
    }
    assert {key: have[key, ""] for key in counted} == pytest.approx(counted, rel=1e-6)
    waits = {
        "control file parallel write": 74_394,
        "log file parallel write": 61_304,
        "log file sync": 27_068,
        "db file sequential read": 237_810,
    }
    assert {event: have["wait_count", event] for event in waits} == pytest.approx(
        {event: per_day(count, seconds) for event, count in waits.items()}, rel=1e-6
    )
    assert have["wait_count_fg", "log file sync"] == pytest.approx(per_day(27_042, seconds))
    assert ("wait_time", "log file sync") not in have  # 6 seconds, printed without decimals, say too little


@pytest.mark.parametrize(
    ("path", "on", "seconds", "counted", "event"),
    [
        (
            "awr/awr_12.2_single_slob2_400_401.html", "2018-10-11", 1309,
            {"session_logical_reads": 89_172_433, "user_calls": 796, "user_commits": 161},
            ("direct path read", 6_904_693, 3.82),
        ),
        (
            "awr/awr_19c_single_lab_5_7_spooled.html", "2024-10-20", 7059,
            {"session_logical_reads": 237_529, "user_commits": 24, "parse_count_hard": 1115},
            ("SQL*Net message from client", None, 18_730),
        ),
        (
            "awr/awr_11.2.0.4_rac_lab_2_3.html", "2014-07-10", 3613,
            {"session_logical_reads": 21_247, "user_calls": 309, "user_commits": 29, "execute_count": 3758},
            ("gc current block 2-way", 97, None),
        ),
        (
            "awr/awr_11.2.0.4_rac_lab_2_3.txt", "2014-07-10", 3613,
            {"session_logical_reads": 21_247, "user_calls": 309, "user_commits": 29, "execute_count": 3758},
            ("log file sync", 2, None),  # 21 ms is printed too coarsely
        ),
    ],
)  # fmt: skip
def test_the_figures_of_awr_reports(target, path, on, seconds, counted, event):
    report = store(target, sample(path))

    assert report.file.notes[0] == "It was brought by somebody: Headroom itself reads no view of AWR."
    assert [day.on.isoformat() for day in report.outcomes] == [on]
    have = figures(target)
    expected = {
        key: per_day(total, seconds) if get_metric(key).unit.endswith("/day") else total / seconds
        for key, total in counted.items()
    }
    assert {key: have[key, ""] for key in counted} == pytest.approx(expected, rel=1e-6)
    name, waits, milliseconds = event
    if waits:
        assert have["wait_count_fg", name] == pytest.approx(per_day(waits, seconds))
    if milliseconds:
        assert have["wait_avg_fg_ms", name] == pytest.approx(milliseconds, rel=0.03)
    assert Coverage.objects.get().is_partial  # of an hour or two of its day, so that no limit judges it


HEAD = """STATSPACK report for

Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC
~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---
           123456789 pay1                1 01-Jan-26 08:45 19.0.0.0.0  NO

Host Name             Platform                CPUs Cores Sockets   Memory (G)
~~~~ ---------------- ---------------------- ----- ----- ------- ------------
     db01             Linux x86 64-bit           4     2       1         15.5

Snapshot       Snap Id     Snap Time      Sessions Curs/Sess Comment
~~~~~~~~    ---------- ------------------ -------- --------- ------------------
Begin Snap:         11 01-Feb-26 00:00:00      153       5.5
  End Snap:         21 02-Feb-26 00:00:00      153       5.5
   Elapsed:   1,440.00 (mins) Av Act Sess:       0.0
"""
BODY = """
Foreground Wait Events  DB/Inst: PAY/pay1  Snaps: 11-21
-> ordered by Total Wait Time desc, Waits desc (idle events last)

                                                             Avg          %Total
                                          %Tim Total Wait   wait    Waits   Call
Event                               Waits  out   Time (s)   (ms)     /txn   Time
---------------------------- ------------ ---- ---------- ------ -------- ------
log file sync                      10,000    0        250     25      0.5    1.1
control file sequential read          900    0          1      1      0.5    1.1
SQL*Net more data from clien          700    0          1      1      0.5    1.1
          -------------------------------------------------------------

Instance Activity Stats  DB/Inst: PAY/pay1  Snaps: 11-21

Statistic                                      Total     per Second    per Trans
--------------------------------- ------------------ -------------- ------------
redo size                              1,073,741,824       12,427.6     20,020.5
user commits                                  86,400            1.0          1.0
          -------------------------------------------------------------
\fInstance Activity Stats  DB/Inst: PAY/pay1  Snaps: 11-21

Statistic                                      Total     per Second    per Trans
--------------------------------- ------------------ -------------- ------------
user rollbacks                                     7            0.0          0.0
          -------------------------------------------------------------
"""
END = "\nEnd of Report ( sp_11_21.lst )\n"


def test_a_report_of_ones_own(target):
    report = store(target, gzip.compress((HEAD + BODY + END).encode()), "sp.gz")

    have = figures(target)
    assert have["redo_size", ""] == pytest.approx(1)
    assert (have["user_commits", ""], have["user_rollbacks", ""]) == (
        1,
        pytest.approx(7 / 86400),
    )  # after a page break
    assert have["wait_count", "log file sync"] == 10_000
    assert have["wait_avg_ms", "log file sync"] == pytest.approx(25)
    assert "SQL*Net more data from clien" in report.file.notes[0]
    assert Coverage.objects.get(target=target).origin == "file sp.gz"
    store(target, (HEAD + BODY + END).encode(), "sp.gz")
    assert figures(target) == have


def test_what_a_report_leaves_out_is_not_said_to_have_not_occurred(target):
    store(target, (HEAD + BODY + END).encode())

    day = date(2026, 2, 1)
    [measured] = read_series([target], [("wait_time", "db file sequential read")], day, day).values()
    assert not measured.is_absent.any()


def table(*rows: str, summary: str = "") -> str:
    """A table of HTML; cells are cut at bars."""
    cells = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row.split("|")) + "</tr>" for row in rows]
    return f'<table summary="{summary}">{"".join(cells)}</table>'


AWR_HTML = (
    "<html><h1>WORKLOAD REPOSITORY report for</h1>"
    + table("DB Name|DB Id|Edition|Release", "PAY|123456789|SE|19.0.0.0.0")
    + table("Instance|Inst Num|Startup Time", "pay1|1|01-Jan-26 08:45")
    + table("Host Name|Platform|CPUs", "db01|Linux x86 64-bit|4")
    + table("|Snap Id|Snap Time", "Begin Snap:|11|01-Feb-26 00:00:00", "End Snap:|12|01-Feb-26 12:00:00")
    + table(
        "Event|Waits|%Time -outs|Total Wait Time (s)|Avg wait",
        "log file sync|1,000|0|3|2.513ms",
        summary="foreground wait events",
    )
    + table("Statistic|Value|End Value", "BUSY_TIME|100|", "IDLE_TIME|300|", "NUM_CPUS|4|8")
    + table("Statistic Name|Time (s)", "DB CPU|4,320.00")
    + table("Tablespace|Filename|Reads|Writes", "DATA|/u01/data.dbf|500|7")
    + "<p>PGA use (MB): 10.0 20.0</p>End of Report</html>"
)


def test_an_awr_report_of_standard_edition_is_read_and_says_what_it_is(target):
    report = store(target, AWR_HTML.encode())

    assert report.file.notes == [OWN_ACT, NOT_LICENSED]
    assert report.file.host_label == "pay1 on db01, 19.0.0.0.0"
    have = figures(target)
    assert have["wait_avg_fg_ms", "log file sync"] == pytest.approx(2.513)
    assert have["os_busy_pct", ""] == 25
    assert have["cpu_count", ""] == 8  # as it stood at the end
    assert have["tm_db_cpu", ""] == pytest.approx(2.4)  # hours a day
    assert have["pga_allocated", ""] == 20
    assert have["file_reads", "/u01/data.dbf"] == pytest.approx(1000)  # a day
    assert Coverage.objects.get().hours == 12


BAD = {
    "hello": "This is neither a Statspack report",
    HEAD + BODY: "The report ends in the middle: its last line",
    HEAD.replace("01-Feb-26", "01-Févr.-26") + BODY + END: "The month “Févr” is not English",
    HEAD.replace("01-Feb-26", "01-MRZ-26") + BODY + END: "The month “MRZ” is not English",
    HEAD.replace("1,440.00", "1.440,00") + BODY + END: "Decimals have a comma in this report",
    HEAD.replace("02-Feb-26 00", "05-Feb-26 00") + BODY + END: "The report covers 96 hours",
    HEAD.replace("02-Feb-26 00", "31-Jan-26 00") + BODY + END: "The report ends before it begins.",
    HEAD.replace("01-Jan-26", "01-Feb-26") + BODY + END: "The instance was started within the interval",
    HEAD.replace("Begin Snap:", "Anfang:") + BODY + END: "The head of the report has no line “Begin Snap:”",
    HEAD.replace("123456789", "98") + BODY + END: "The head of the report says neither of which database",
    HEAD + END: "None of the tables of this report is known",
    "WORKLOAD REPOSITORY REPORT (RAC)" + BODY + END: "This is a report of all instances together",
    "WORKLOAD REPOSITORY COMPARE PERIOD REPORT" + BODY + END: "This report compares two periods",
}


@pytest.mark.parametrize("text", BAD)
def test_a_report_that_cannot_be_taken_says_why(target, text: str):
    with pytest.raises(UnreadableFile) as refused:
        store(target, text.encode())

    assert str(refused.value).startswith(BAD[text])
    assert not Coverage.objects.exists()


def test_a_packed_report_that_is_cut_says_so(target):
    with pytest.raises(UnreadableFile, match="damaged, or cut"):
        store(target, gzip.compress((HEAD + BODY + END).encode())[:200])


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("dbid", "42", "The report is of the database with DBID 123456789, and IGT is DBID 42."),
        ("instance_name", "hr1", "The report is of the instance pay1, and IGT is hr1."),
    ],
)
def test_a_report_of_another_database_is_refused(target, name, value, sentence):
    Fact.objects.create(target=target, name=name, since=NOW, value=value)

    with pytest.raises(UnreadableFile) as refused:
        store(target, (HEAD + BODY + END).encode())

    assert str(refused.value) == sentence


def test_a_report_is_no_reading_and_nothing_is_reviewed_again(target):
    Target.objects.filter(pk=target.pk).update(reviewed_through=date(2026, 3, 9))

    store(target, (HEAD + BODY + END).encode())

    assert not CollectionRun.objects.exists()
    assert Target.objects.get().reviewed_through == date(2026, 3, 9)
