"""Studies as people make, read, print and close them."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pypdfium2 import PdfDocument

from apps.advisors.benchmarks import save_benchmark
from apps.advisors.engine.benchmark import parse_runs
from apps.advisors.models import ChangeStudy, StudyAcceptance
from apps.advisors.tests.redo_study import DAYS, NOW, WAITS, tell_redo_study
from apps.collection.tests.scripted import Story, instance
from apps.inventory.models import Target
from apps.reports.pdf import compile_paper, legible
from apps.reports.study_paper import build_document
from apps.web.tests.scenes import NASTY, signed_in
from worker import tasks

pytestmark = pytest.mark.django_db

TYPED = {
    "question": f"Did it help? {NASTY}",
    "change": f"Own LUNs. {NASTY}",
    "before_from": DAYS[0].isoformat(),
    "before_to": DAYS[6].isoformat(),
    "after_from": DAYS[8].isoformat(),
    "after_to": DAYS[14].isoformat(),
}


@pytest.fixture(scope="module")
def target_pk(module_db: None) -> int:
    return tell_redo_study().pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def planner(target: Target) -> Client:
    return signed_in(is_planner=True)


@pytest.fixture
def study(planner: Client, target: Target) -> ChangeStudy:
    planner.post("/studies/add", TYPED | {"target": str(target.pk)})
    made = ChangeStudy.objects.get()
    for event, (_, _, aim) in WAITS.items():
        send(planner, made, "aim", metric=event, aim=aim)
    return made


def send(client: Client, study: ChangeStudy, deed: str, **typed: str) -> str:
    response = client.post(study.get_absolute_url(), {"deed": deed} | typed, follow=True)
    return plain(response.content.decode())


def plain(html: str) -> str:
    return html.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def page(client: Client, study: ChangeStudy) -> str:
    return plain(client.get(study.get_absolute_url()).content.decode())


def test_a_study_shows_each_figure_with_effect_target_and_verdict(planner, study):
    html = page(planner, study)

    assert "Three of five figures with a target came out well" in html
    assert "<script>alert" not in html
    rows = {
        row["figure"]: row
        for row in csv.DictReader(
            io.StringIO(
                planner.get(study.get_absolute_url(), {"format": "csv", "table": "study"})
                .content.decode()
                .lstrip("\ufeff")
            )
        )
    }
    assert rows["log file sync"]["verdict"] == "met"
    assert float(rows["log file sync"]["effect, %"]) == pytest.approx(100 * (2.13 - 26.45) / 26.45)
    assert rows["log buffer space"]["verdict"] == "eliminated"
    assert rows["db file sequential read"]["verdict"] == "worse"
    assert rows["db file sequential read"]["group"] == "With a target"


def test_a_thing_has_one_row_with_its_other_figures_folded_and_files_have_them_all(planner, study):
    other = instance("SPACE")
    story = Story(other)
    for number, on in enumerate(DAYS):
        size = 100.0 + 10 * (number > 7) + number % 2
        story.day(on, used={"DATA": size}, free={"DATA": 200 - size})
    other.reviewed_through = DAYS[14]
    other.save()
    planner.post("/studies/add", TYPED | {"target": str(other.pk)})
    made = ChangeStudy.objects.get(target=other)

    table = page(planner, made).partition('id="study"')[2].partition("</table>")[0]

    assert table.count('scope="row"') == 1
    assert "<summary>1 more, 1 worse</summary>" in table
    assert f'<a href="/targets/{other.pk}/statistics/x_free?component=DATA">free</a>' in table
    answer = planner.get(made.get_absolute_url(), {"format": "csv", "table": "study"})
    assert [row["unit"] for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))] == [
        "MB",
        "GB",
    ]


def test_a_cost_is_accepted_and_the_gain_shared_out(planner, study):
    until = (datetime.now(UTC).date() + timedelta(days=90)).isoformat()
    send(planner, study, "cost", figure="x_read_ms|db file sequential read", reason=NASTY, until=until)
    send(planner, study, "cause", text=NASTY, share="60")
    refused = send(planner, study, "cause", text="luck", share="41")

    html = page(planner, study)
    assert "worse, accepted" in html
    assert "60 = 60 % of 2.43 cs of log file sync; 40 % are not explained." in html
    assert "give a share from 1 to 40 %" in refused
    assert "<script>alert" not in html
    assert StudyAcceptance.objects.get().by is not None


def test_a_study_is_closed_with_the_next_thresholds(planner, study, target):
    html = send(planner, study, "close", conclusion="Commits are fast.")

    assert "Commits are fast." in html
    assert "profile of SCRIPT" in html
    assert (
        f"/thresholds/add?target={target.pk}&amp;metric=x_read_ms&amp;component=log+file+sync&amp;notation="
        in html
    )
    assert "Add figure" not in html
    assert "was closed on" not in html
    assert "was closed on" in send(planner, study, "aim", metric="redo", aim="")


def test_a_study_of_peak_hours_asks_for_them_and_rolls_up_past_days(planner, target, monkeypatch):
    queued: list[list[int]] = []
    monkeypatch.setattr(tasks.make_up_hours, "delay", queued.append)
    typed = TYPED | {"target": str(target.pk), "hours": "9-17"}

    form = planner.get("/studies/add?kind=hours").text
    refused = planner.post("/studies/add?kind=hours", typed).text
    Target.objects.filter(pk=target.pk).update(interval_minutes=60)
    planner.post("/studies/add?kind=hours", typed)

    assert 'name="hours"' in form
    assert 'name="hours"' not in planner.get("/studies/add").text
    assert "Peak hours need readings at least once an hour" in refused
    made = ChangeStudy.objects.get()
    assert (made.kind, made.windows) == ("hours", {"hours": "9-17"})
    html = send(planner, made, "aim", metric="redo", aim="<=100")
    assert "Past days of these hours of SCRIPT are being rolled up" in html
    assert queued == [[target.pk]]
    assert "9 to 17 h of each day; named figures are means of these hours" in html


def test_what_was_named_is_removed(planner, study):
    aim = study.aims.get(component="log file sync")

    send(planner, study, "remove", what="aim", pk=str(aim.pk))

    assert not study.aims.filter(component="log file sync").exists()
    assert "Nothing was removed" in send(planner, study, "remove", what="luck", pk="1")


def test_the_paper_has_two_pages_with_what_the_page_says(planner, study):
    send(planner, study, "cause", text="own LUNs", share="60")
    send(planner, study, "close", conclusion="Commits are fast.")

    response = planner.get(f"{study.get_absolute_url()}/paper")

    assert response["Content-Type"] == "application/pdf"
    paper = PdfDocument(response.content)
    texts = [leaf.get_textpage().get_text_range() for leaf in paper]
    assert len(texts) == 2
    for words in ("came out well", "log file sync", "eliminated", "own LUNs", "Welch"):
        assert words in texts[0]
    assert "Look at the profile again on" in texts[1]
    study.refresh_from_db()
    document = build_document(study)
    verdicts = {row["name"]: row["verdict"] for row in document["first_rows"]}
    assert verdicts["log file sync"] == "met"
    assert len(document["charts"]) == 2


def test_the_paper_has_two_pages_however_long_its_rows_are_and_says_what_is_left_out(study):
    document = legible(build_document(study))
    row = document["first_rows"][0] | {"name": "/u02/oradata/PAYPRD/" + "a_long_name_" * 6}
    document["more_rows"] = [row] * 22
    document["notes"] = [f"{22 - rows} more rows." for rows in range(23)]
    document["next"] = ["log file sync: ≤0.3 cs"] * 20

    paper = PdfDocument(compile_paper("study.typ", {"study": json.dumps(document)}))

    assert len(paper) == 2
    text = paper[1].get_textpage().get_text_range()
    (left_out,) = map(int, re.findall(r"(\d+) more rows\.", text))
    assert 0 < left_out < 22


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"question": ""}, "Question is missing."),
        ({"after_from": "soon"}, "“soon” is not a day; give one such as 2026-02-17."),
        ({"target": "999999"}, "is not one of those offered"),
        ({"before_to": DAYS[9].isoformat()}, "choose days that do not overlap"),
        ({"before_from": DAYS[6].isoformat()}, "The window before has 1 of the 3 days"),
        (
            {"before_from": "2025-06-01", "before_to": "2025-06-07"},
            "was read on 0 of the 7 days before the change",
        ),
    ],
)
def test_a_study_that_cannot_be_gets_a_sentence_and_nothing_is_stored(planner, target, typed, sentence):
    html = planner.post("/studies/add", TYPED | {"target": str(target.pk)} | typed).content.decode()

    assert sentence in html
    assert not ChangeStudy.objects.exists()


@pytest.mark.parametrize(
    ("deed", "typed", "sentence"),
    [
        ("aim", {"metric": "luck", "aim": ""}, "luck"),
        ("aim", {"metric": "redo", "aim": "soon"}, "A multiple such as"),
        ("cost", {"figure": "x_luck|", "reason": "x", "until": "2030-01-01"}, "is not one of those offered"),
        ("cause", {"text": "luck", "share": "0"}, "“0” is not a whole number from 1 to 100."),
        ("close", {"conclusion": " "}, "Conclusion is missing."),
    ],
)
def test_what_cannot_be_done_gets_a_sentence(planner, study, deed, typed, sentence):
    assert sentence in send(planner, study, deed, **typed)
    assert study.aims.count() == 5
    assert not study.causes.exists()


def test_the_list_says_how_many_and_what_is_due(planner, study):
    assert "One study" in planner.get("/studies").content.decode()
    study.closed_at, study.revisit_on = NOW, NOW.date()
    study.save()

    assert "the profiles of one target are to be looked at again" in planner.get("/studies").content.decode()


def test_without_a_study_the_page_says_what_one_is(planner):
    assert "No change was studied yet" in planner.get("/studies").content.decode()


def test_a_reader_reads_and_changes_nothing(target, study):
    reader = signed_in("reader", is_planner=False)

    assert "Add figure" not in page(reader, study)
    for deed in ("aim", "close", "remove"):
        assert reader.post(study.get_absolute_url(), {"deed": deed}).status_code == 403
    assert reader.get("/studies/add").status_code == 403


def test_two_runs_are_chosen_studied_and_printed(planner, target):
    runs = parse_runs(
        "size,repetition,commits\n4 GB,1,410\n4 GB,2,402\n4 GB,3,407\n8 GB,1,455\n8 GB,2,461\n8 GB,3,449\n"
    )
    benchmark = save_benchmark("Log files of two sizes", target, runs, by=None, now=NOW)
    asks = plain(planner.get("/studies/add?kind=runs").content.decode())
    assert "Log files of two sizes: 8 GB" in asks
    assert "before_from" not in asks
    typed = {"target": str(target.pk), "question": "Larger logs?", "change": "8 GB"}

    planner.post(
        "/studies/add?kind=runs",
        typed | {"run_before": f"{benchmark.pk}:0", "run_after": f"{benchmark.pk}:1"},
    )

    made = ChangeStudy.objects.get()
    html = page(planner, made)
    assert "Commits came out better" in html
    assert "8 GB (Log files of two sizes)" in html
    assert "Name a figure" not in html
    assert "/statistics/commits" not in html
    assert "8 GB (Log files of two sizes)" in plain(planner.get("/studies").content.decode())
    paper = PdfDocument(planner.get(f"/studies/{made.pk}/paper").content)
    assert "commits" in "".join(sheet.get_textpage().get_text_range() for sheet in paper)


def test_a_study_of_runs_that_chooses_none_says_so(planner, target):
    typed = {
        "target": str(target.pk),
        "question": "Larger logs?",
        "change": "8 GB",
        "run_before": "",
        "run_after": "7:7",
    }

    html = plain(planner.post("/studies/add?kind=runs", typed).content.decode())

    assert "Run before is missing" in html
    assert "is not one of those offered" in html
    assert not ChangeStudy.objects.exists()
