"""Files of a host on their page: looked into, stored, dropped, refused."""

import gzip
import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from apps.collection.host_uploads import HELD, forget_old_uploads
from apps.collection.models import HostUpload
from apps.inventory.models import Target
from apps.platforms.linux.tests.test_host_file_formats import sar
from apps.snapshots.models import Coverage
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
    assert (
        "file sa20 does not have it"
        in planner.get(f"{host.get_absolute_url()}?on=2026-11-20").content.decode()
    )


def test_an_instance_takes_reports_and_says_whose_act_that_is(planner):
    instance = Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=timezone.now()
    )

    markup = page(planner, instance)

    assert "Bringing an AWR report is your own act" in markup
    assert "send its records" not in markup
    assert "This is neither a Statspack report (spreport.sql) nor" in text(give(planner, instance, "hello"))
    assert "Files of Statspack and AWR" in text(planner.get(instance.get_absolute_url()))
