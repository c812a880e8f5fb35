"""Benchmark runs as people bring them and read them."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from apps.advisors.benchmarks import renew_benchmark_token
from apps.advisors.models import Benchmark, BenchmarkToken
from apps.collection.sender_tokens import MOST_AN_HOUR
from apps.people.models import User
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
            "is not text in UTF-8",
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


@pytest.fixture
def token(planner: Client) -> str:
    planner.post("/benchmarks/add", {"name": "Pages", "table": TABLE})
    maker = User.objects.create(username="maker")
    return renew_benchmark_token(Benchmark.objects.get(), maker, timezone.now())


def push(token: str, content: str | bytes) -> tuple[int, dict[str, object]]:
    client = Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = client.post("/push/run", content, content_type="text/csv", headers=headers)
    return answer.status_code, answer.json()


HEADS = "pages,repetition,reads"
TABLE = f"{HEADS}\n4 kB,1,100\n4 kB,2,101\n2 MB,1,110\n2 MB,2,111\n"


def test_a_program_sends_runs_and_sent_again_they_change_nothing(token):
    more = f"{HEADS}\n1 GB,1,120\n1 GB,2,122\n4 kB,2,99\n4 kB,3,98\n"

    answers = [push(token, more), push(token, more)]

    assert answers == [(200, {"runs": 2, "repetitions": 4})] * 2
    runs = {
        run["parameters"][0]: (run["repetitions"], run["figures"]) for run in Benchmark.objects.get().runs
    }
    assert runs == {
        "4 kB": (["1", "2", "3"], {"reads": [100.0, 99.0, 98.0]}),
        "2 MB": (["1", "2"], {"reads": [110.0, 111.0]}),
        "1 GB": (["1", "2"], {"reads": [120.0, 122.0]}),
    }
    assert BenchmarkToken.objects.get().outcome == "Two runs stored."


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "The table has no rows"),
        (b"\xff\xfe1", "is not text in UTF-8"),
        (f"{HEADS}\n1 GB,1,120\n", "1 GB has one repetition, which has no spread"),
        (f"{HEADS}\n1 GB,1\n", "Row 2 has 2 columns, the heads have 3."),
        (f"{HEADS}\n1 GB,1,many\n", "is no number"),
        (f"{HEADS}\n1 GB,1,1\n1 GB,1,2\n", "Row 3 is repetition 1 of 1 GB a second time."),
        ("pages,repetition,writes\n1 GB,1,1\n", "this benchmark has pages,repetition,reads, in this order."),
        (
            f"{HEADS}\n" + "".join(f"1 GB,{n},{n}\n" for n in range(4998)),
            "5,000 are taken. Begin another one.",
        ),
    ],
)
def test_runs_that_are_none_are_refused_with_a_sentence_and_nothing_is_stored(token, content, sentence):
    before = Benchmark.objects.get().runs

    status, answer = push(token, content)

    assert status == 400
    assert sentence in str(answer["error"])
    assert Benchmark.objects.get().runs == before
    assert BenchmarkToken.objects.get().outcome == f"Refused: {answer['error']}"


def test_without_its_token_nothing_is_taken(token):
    assert [push(wrong, TABLE)[0] for wrong in ("", "wrong")] == [401, 401]
    BenchmarkToken.objects.update(counted_since=timezone.now(), sendings=MOST_AN_HOUR)
    assert push(token, TABLE)[0] == 429


def test_the_page_of_a_benchmark_makes_its_token_and_shows_it_once(planner, token):
    address = Benchmark.objects.get().get_absolute_url()

    made, later = planner.post(address, {"token": "1"}).text, planner.get(address).text

    assert "Authorization: Bearer " in made
    assert "Authorization: Bearer " not in later
    assert "--data-binary @runs.csv http://testserver/push/run" in later
    assert push(token, TABLE)[0] == 401  # renewed
    reader = signed_in("reader", is_planner=False)
    assert "Renew the token" not in reader.get(address).text
    assert reader.post(address, {"token": "1"}).status_code == 403


def test_runs_of_before_their_repetitions_were_stored_are_numbered(token):
    benchmark = Benchmark.objects.get()
    benchmark.runs = [{name: run[name] for name in ("parameters", "figures")} for run in benchmark.runs]
    benchmark.save()

    assert push(token, f"{HEADS}\n4 kB,2,105\n4 kB,3,104\n")[0] == 200
    assert Benchmark.objects.get().runs[0]["figures"] == {"reads": [100.0, 105.0, 104.0]}
