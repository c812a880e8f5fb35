"""Benchmark runs as people bring them and read them."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.advisors.models import Benchmark
from apps.web.tests.scenes import NASTY, signed_in

pytestmark = pytest.mark.django_db

RUNS = (
    "pages,pre page,repetition,reads,MB\n"
    "4 kB,yes,1,10,5\n4 kB,yes,2,11,6\n4 kB,yes,3,12,5.5\n"
    "2 MB,yes,1,20,5.2\n2 MB,yes,2,21,5.6\n2 MB,yes,3,22,5.9\n"
    "4 kB,no,1,12,5\n4 kB,no,2,12.5,6\n4 kB,no,3,13,5.5\n"
)


@pytest.fixture
def planner(db: None) -> Client:
    return signed_in(is_planner=True)


def add(client: Client, **typed: object) -> str:
    return client.post(
        "/benchmarks/add", {"name": "Huge pages", "table": RUNS} | typed, follow=True
    ).content.decode()


def test_runs_are_read_and_compared_by_each_parameter(planner):
    html = add(planner, name=NASTY)

    assert NASTY not in html
    assert "Three runs read." in html
    assert "Pages 2 MB: reads" in html
    made = Benchmark.objects.get()
    rows = list(
        csv.DictReader(
            io.StringIO(planner.get(f"{made.get_absolute_url()}?format=csv").content.decode("utf-8-sig"))
        )
    )
    (huge,) = [row for row in rows if row["pages"] == "2 MB" and row["group"].startswith("reads")]
    assert (float(huge["mean"]), float(huge["effect, %"]), huge["verdict"]) == (
        21,
        pytest.approx(1000 / 11),
        "beyond noise",
    )
    by_other = planner.get(f"{made.get_absolute_url()}?by=pre+page").content.decode()
    assert "pages 4 kB" in by_other
    assert "One benchmark" in planner.get("/benchmarks").content.decode()


def test_a_parameter_that_is_none_is_the_first(planner):
    add(planner)

    assert (
        "Pages 2 MB" in planner.get(f"{Benchmark.objects.get().get_absolute_url()}?by=luck").content.decode()
    )


def test_runs_come_as_a_file_too(planner):
    file = SimpleUploadedFile("runs.csv", f"\ufeff{RUNS}".encode())

    assert "Three runs read." in add(planner, table="", file=file)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": ""}, "Name is missing."),
        ({"table": ""}, "The table has no rows"),
        ({"table": "pages,repetition,reads\na,1,fast\n"}, "Row 2: “fast” under “reads” is no number"),
        ({"table": "pages,repetition,reads\na,1,1\nb,1,2\n"}, "a has one repetition, which has no spread"),
        (
            {"table": "", "file": SimpleUploadedFile("runs.csv", b"\xff\xfe\x00")},
            "The file is no text in UTF-8",
        ),
        ({"target": "999999"}, "is not one of those offered"),
    ],
)
def test_runs_that_cannot_be_read_get_a_sentence_and_nothing_is_stored(planner, typed, sentence):
    assert sentence in add(planner, **typed)
    assert not Benchmark.objects.exists()


def test_a_reader_reads_no_runs_in(planner):
    assert (
        signed_in("reader", is_planner=False)
        .post("/benchmarks/add", {"name": "x", "table": RUNS})
        .status_code
        == 403
    )
    assert not Benchmark.objects.exists()
