"""Files of a host on their page: looked into, stored, dropped, refused."""

import csv
import gzip
import html
import io
import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from apps.catalog.registry import get_metric
from apps.collection.host_uploads import HELD, forget_old_uploads
from apps.collection.models import HostUpload
from apps.forecasting.target_forecast import forecast_target
from apps.inventory.models import Target
from apps.platforms.linux.tests.test_host_file_formats import sar
from apps.platforms.linux.tests.test_solaris_reports import MPSTAT
from apps.platforms.tests.samples import sample_path
from apps.profiles.build import build_profile
from apps.snapshots.models import Coverage
from apps.snapshots.presence import Presence
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db


def text(response):
    """What a person reads of an answer."""
    words = html.unescape(re.sub(r"<[^>]+>", "", response.content.decode()))
    return re.sub(r"[\s\u202f]+", " ", words)


TIMES = ("08:00:00", "08:10:00", "08:20:00")


@pytest.fixture
def host():
    return Target.objects.create(
        name="db01", kind="host", platform="linux", collector="linux-files", interval_minutes=5,
        registered_at=timezone.now(),
    )  # fmt: skip


@pytest.fixture
def planner():
    return signed_in(is_planner=True)


@pytest.fixture(autouse=True)
def _worker(settings):
    """Tasks are done at once, as by a worker that has nothing else to do."""
    settings.CELERY_TASK_ALWAYS_EAGER = True
    from worker.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def give(client, host, content, name="sa20", **more):
    files = SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())
    return client.post(reverse("target_files", args=[host.pk]), {"files": files} | more, follow=True)


def page(client, host, **fields):
    address = reverse("target_files", args=[host.pk])
    return text(client.post(address, fields, follow=True) if fields else client.get(address))


def test_what_is_in_a_file_is_listed_before_anything_is_stored(planner, host):
    markup = text(give(planner, host, gzip.compress(sar(*TIMES).encode())))

    assert "One day can be stored from one file; nothing is stored yet." in markup
    assert "sar, db01.example.com, Linux 5.14.0-1.el9.x86_64" in markup
    assert "20 Nov 2026" in markup, re.findall("Days of.{200}", markup)
    assert "Understood: processors (-u)." in markup
    assert not Coverage.objects.exists()


def test_the_days_are_stored_and_their_page_names_the_file(planner, host):
    give(planner, host, sar(*TIMES))

    assert "what became of it" in page(planner, host, store="1")
    assert Coverage.objects.get(target=host).origin == "file sa20"
    assert HostUpload.objects.get().content == b""
    markup = text(planner.get(f"{host.get_absolute_url()}?on=2026-11-20"))
    assert "figures from" in markup
    assert "file sa20, 1 % of the day".replace(" ", "") in markup.replace("\u202f", "").replace(
        "\xa0", ""
    ).replace(" ", "")


def test_the_same_file_again_is_not_stored(planner, host):
    for _ in range(2):
        give(planner, host, sar(*TIMES))
        page(planner, host, store="1")

    assert "not stored: already there, unchanged" in page(planner, host)


def test_a_file_of_another_host_needs_a_tick(planner, host):
    other = sar(*TIMES).replace("db01", "hr07")

    assert "calls itself db01" in text(give(planner, host, other))
    assert "hr07.example.com" in page(planner, host, store="1")
    assert not Coverage.objects.exists()
    page(planner, host, drop="1")
    give(planner, host, other)
    page(planner, host, store="1", confirmed="1")
    assert Coverage.objects.exists()


def test_the_days_of_a_file_are_taken_back(planner, host):
    give(planner, host, sar(*TIMES))
    assert "Take back these days" not in page(planner, host)
    assert "Take back these days" in page(planner, host, store="1")
    [upload] = HostUpload.objects.all()

    words = page(planner, host, **{"take-back": upload.pk})

    assert "One day taken back; what Headroom measured itself stays." in words
    assert "Take back these days" not in words
    assert not Coverage.objects.exists()
    for again in (str(upload.pk), "9" * 5000, "x"):
        assert "No days taken back" in page(planner, host, **{"take-back": again})


def test_a_bad_file_is_refused_with_its_reason_and_can_be_dropped(planner, host):
    assert "This is none of the formats that are read" in text(give(planner, host, "hello"))
    assert "hello" not in page(planner, host, drop="1")
    assert not HostUpload.objects.exists()


def test_what_is_too_large_or_missing_is_said(planner, host, monkeypatch):
    assert "Choose one or more files first." in page(planner, host, look="1")
    monkeypatch.setattr("apps.web.pages.host_files.views.LARGEST", 10)
    assert "MB are taken at once" in text(give(planner, host, sar(*TIMES)))


def test_an_instance_takes_no_files(planner, host):
    Target.objects.update(kind="instance")

    assert "db01 takes no files" in page(planner, host)
    give(planner, host, sar(*TIMES))
    assert not HostUpload.objects.exists()


def test_no_more_files_are_taken_than_can_wait(planner, host, monkeypatch):
    monkeypatch.setattr("apps.collection.host_uploads.MOST_FILES", 0)

    assert "wait at most" in text(give(planner, host, sar(*TIMES)))


def test_files_that_nobody_stores_are_forgotten(planner, host):
    give(planner, host, sar(*TIMES))

    forget_old_uploads(timezone.now())
    assert HostUpload.objects.exists()
    forget_old_uploads(timezone.now() + HELD)
    assert not HostUpload.objects.exists()


def test_readers_give_no_files(host):
    assert give(signed_in(is_planner=False), host, sar(*TIMES)).status_code == 403


def test_a_host_by_files_is_registered_and_not_asked(planner):
    address = reverse("target_add", args=["host-by-files"])

    assert "Test connection" not in text(planner.get(address))
    markup = text(planner.post(address, {"name": "sol1", "time_zone": "Europe/Berlin"}, follow=True))

    assert "sol1 is registered. Its figures come with its files." in markup
    assert "the first figures come with its first file" in markup
    assert Target.objects.get().collector == "linux-files"


def test_hst13_what_its_tools_cannot_give_is_listed_with_what_would(planner, host):
    solaris = "SunOS db01 5.10 Generic_1 sun4u    11/20/2026\n\n08:00:00    %usr    %sys    %wio   %idle\n08:10:00 4 6 0 90\n"
    give(planner, host, solaris)
    page(planner, host, store="1")

    profile = text(planner.get(f"{host.get_absolute_url()}?on=2026-11-20"))

    assert "Not measurable here" in profile
    assert "Time in TLB and TSB misses trapstat -T prints it, as root, on SPARC." in profile
    assert "memory used" not in profile
    assert "run queue" in profile
    assert "file sa20 does not have it" in statistic(planner, host, "host_runq:p95")


SOLARIS = """SunOS db01 5.10 Generic_1 sun4u    11/20/2026

08:00:00    %usr    %sys    %wio   %idle
08:10:00       4       6       0      90

08:00:00   device        %busy   avque   r+w/s  blks/s  avwait  avserv
08:10:00   sd0              10     0.5      20     200     1.0     5.0

08:00:00 runq-sz %runocc swpq-sz %swpocc
08:10:00     1.0      50     0.0       0

08:00:00 freemem freeswap
08:10:00  100000  2000000
"""


def statistic(client, host, key):
    """What the page of a statistic says of the day, with what stands in its tooltips."""
    page = client.get(reverse("statistic", args=[host.pk, key]) + "?on=2026-11-20")
    return html.unescape(page.content.decode())


def test_hst13_what_a_system_cannot_tell_has_no_row_and_says_so_where_it_is_asked_for(planner, host):
    give(planner, host, SOLARIS)
    page(planner, host, store="1")

    profile = text(planner.get(f"{host.get_absolute_url()}?on=2026-11-20"))

    assert {row.today.presence for row in build_profile(host, date(2026, 11, 20)).rows} == {Presence.PRESENT}
    for absent in ("read response", "write response", "memory used", "page tables", "swap used"):
        assert absent not in profile
    assert "Swap used swap -s prints it; sar prints what is free alone." in profile
    memory_page = statistic(planner, host, "host_mem_used_pct")
    assert "Not measurable" in memory_page
    assert "Memory used, share on db01</strong> is not measurable here: prtconf prints" in memory_page
    assert "This day has no figure, and no readings that would give one." in memory_page
    assert "No data" in statistic(planner, host, "host_blocked")


def test_hst13_what_a_system_tells_together_has_its_row_in_the_place_of_what_it_cannot_tell_apart(
    planner, host
):
    give(planner, host, SOLARIS)
    page(planner, host, store="1")

    rows = {row.key: row.today.value for row in build_profile(host, date(2026, 11, 20)).rows}

    assert rows["host_disk_await_ms:p95", "sd0"] == pytest.approx(1.0 + 5.0)
    assert rows["host_mem_free_kb", ""] == pytest.approx(100_000 * 8 / 1024**2)


def test_hst13_what_a_limit_names_keeps_its_row(planner, host):
    give(planner, host, SOLARIS)
    page(planner, host, store="1")
    add_threshold("host_disk_read_await_ms:p95", "<=10", target=host, component="sd0", now=timezone.now())

    profile = planner.get(f"{host.get_absolute_url()}?on=2026-11-20").content.decode()

    assert "Not measurable" in text(planner.get(f"{host.get_absolute_url()}?on=2026-11-20"))
    assert 'title="not measurable here: sar prints the two together, wait and service apart"' in profile


def test_hst13_what_one_of_two_days_cannot_have_is_not_measurable_where_they_are_compared(planner, host):
    give(planner, host, MPSTAT.replace("Nov 20", "Nov 19"), "mpstat.txt")
    page(planner, host, store="1")
    give(planner, host, SOLARIS)
    page(planner, host, store="1")
    days = "then_first=2026-11-19&then_last=2026-11-19&first=2026-11-20&last=2026-11-20&verdict=all&rows=statistics"
    address = f"{reverse('target_compare', args=[host.pk])}?{days}"

    markup = planner.get(address).content.decode()
    lines = csv.DictReader(io.StringIO(planner.get(f"{address}&format=csv").text))

    assert (
        'title="not measurable here: mpstat counts them for each processor (icsw, migr); sar does not"'
        in markup
    )
    sides = {row["statistic"]: (row["earlier mean"], row["later mean"]) for row in lines}
    assert sides["involuntary context switches per second"] == ("29", "not measurable")
    assert sides["memory free"][0] == "no data"  # mpstat was given, and vmstat would have had it


def test_hst13_a_limit_on_what_cannot_be_measured_has_that_for_its_reason(planner, host):
    give(planner, host, SOLARIS)
    page(planner, host, store="1")
    key = ((get_metric("host_mem_used_pct:p95").category, "host_mem_used_pct:p95", ""), False)

    forecast = forecast_target(host, [], date(2026, 11, 20), also=[key])

    assert forecast.plain.reasons == (
        "not measurable here: prtconf prints what is installed; sar prints what is free alone",
    )


@pytest.mark.parametrize(
    ("sample", "not_asked"),
    [
        ("solaris/sar_solaris10_sun4u_part_day.txt", set()),
        ("solaris/sar_solaris11.3_sun4v.txt", set()),
        ("aix-hpux/sar_aix7.2_24h_1min.txt.gz", set()),
        ("aix-hpux/sar_hpux_11.31_part_day.txt", {"host_runq:p95"}),
    ],
)
def test_hst13_real_days_of_unix_say_no_data_of_what_sar_was_not_asked_for_alone(
    planner, host, sample, not_asked, settings
):
    settings.HEADROOM_FIGURE_DAYS = 10000
    give(planner, host, sample_path(sample).read_bytes(), sample.rpartition("/")[2])
    page(planner, host, store="1", confirmed="1")
    day = Coverage.objects.filter(target=host).latest("day").day

    rows = build_profile(host, day).rows

    assert {row.metric.key for row in rows if row.today.presence is Presence.NO_DATA} == not_asked
    assert all(row.today.presence is not Presence.NOT_MEASURABLE for row in rows)
    assert "host_cpu_busy_pct:p95" in {
        row.metric.key for row in rows if row.today.presence is Presence.PRESENT
    }


def test_hst13_what_a_day_has_by_another_tool_is_not_listed_as_not_measurable(planner, host):
    give(planner, host, MPSTAT.replace("Nov 20", "Nov 19"), "mpstat.txt")
    page(planner, host, store="1")

    profile = text(planner.get(f"{host.get_absolute_url()}?on=2026-11-19"))

    listed = profile[profile.index("Not measurable here") :]
    assert "Time in TLB and TSB misses" in listed
    for what in ("Interrupts", "Involuntary switches and thread migrations", "Minor and major faults"):
        assert what not in listed


def test_an_instance_takes_reports_and_says_whose_act_that_is(planner):
    instance = Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=timezone.now()
    )

    markup = page(planner, instance)

    assert "Bringing an AWR report is your own act" in markup
    assert "send its records" not in markup
    assert "This is neither a Statspack report (spreport.sql) nor" in text(give(planner, instance, "hello"))
    assert "Files of Statspack, AWR and monitors" in text(planner.get(instance.get_absolute_url()))
