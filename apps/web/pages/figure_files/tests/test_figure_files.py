"""Figures from CSV on their pages: given, put to our names, stored, taken back."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from apps.collection.history.models import FigureFile
from apps.inventory.models import Target
from apps.snapshots.models import Coverage
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

HEAD = "day,target,statistic,component,value,unit\n"
PAST = HEAD + "2026-02-01,PAYPRD,redo_size,,1,GB/day\n2026-02-02,PAYPRD,redo a day,,2,GB/day\n"


@pytest.fixture(autouse=True)
def _worker(settings):
    """Tasks are done at once, as by a worker that has nothing else to do."""
    from worker.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.fixture
def target() -> Target:
    return Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=timezone.now()
    )


@pytest.fixture
def planner():
    return signed_in(is_planner=True)


def text(response) -> str:
    words = html.unescape(re.sub(r"<[^>]+>", "", response.content.decode()))
    return re.sub(r"[\s\u202f]+", " ", words)


def give(client, content: str, name: str = "past.csv", **more):
    file = SimpleUploadedFile(name, content.encode())
    return client.post(reverse("figure_files"), {"file": file} | more, follow=True)


def act(client, **fields) -> str:
    file = FigureFile.objects.get()
    return text(client.post(file.get_absolute_url(), fields, follow=True))


def mapping(**fields: str) -> dict[str, str]:
    """What the form of columns has when nobody changes it, with these fields typed."""
    columns = {f"column_{name}": name for name in HEAD.strip().split(",")}
    rest = {"dates": "", "fixed_target": "", "fixed_statistic": "", "fixed_unit": ""}
    return columns | rest | {"map": "1"} | fields


def test_what_was_understood_and_what_not_is_shown_before_anything_is_stored(planner, target):
    page = text(give(planner, PAST))

    assert "One figure of one day can be stored; nothing is stored yet." in page
    assert "redo size" in page
    assert re.search(r"1(\.0*)? GB/day = ", page)
    assert "“redo a day” is not a statistic that is known here; choose one for it." in page
    assert not Coverage.objects.exists()


def test_a_name_is_put_to_a_statistic_stored_and_taken_back(planner, target):
    give(planner, PAST)

    page = act(planner, **mapping(statistic_0="redo_size"))
    assert "Two figures of two days can be stored" in page
    assert "Two figures of past.csv stored" in act(planner, store="1")
    assert Coverage.objects.filter(target=target, origin="CSV past.csv").count() == 2
    day = text(planner.get(f"{target.get_absolute_url()}?on=2026-02-02"))
    assert "figures from CSV past.csv" in day
    assert "Two days taken back; what Headroom measured itself stays." in act(planner, **{"take-back": "1"})
    assert not Coverage.objects.exists()
    act(planner, drop="1")
    assert not FigureFile.objects.exists()


def test_columns_of_another_head_are_chosen(planner, target):
    page = text(give(planner, "wann,wieviel\n2026-02-01,3\n", target=str(target.pk)))
    assert "it is open which column has day, statistic, value." in page
    assert "wieviel: 3" in page

    page = act(
        planner,
        map="1",
        column_day="wann",
        column_value="wieviel",
        fixed_target=str(target.pk),
        fixed_statistic="redo_size",
        fixed_unit="GB/day",
    )

    assert "One figure of one day can be stored" in page


def test_a_file_that_cannot_be_read_says_why_at_its_field(planner, target):
    assert "This is a packed file or a workbook" in text(give(planner, "PK\x03\x04"))
    assert not FigureFile.objects.exists()


def test_a_name_that_is_no_statistic_is_refused_at_its_field(planner, target):
    give(planner, PAST)

    assert "happiness" in act(planner, **mapping(statistic_0="happiness"))
    assert FigureFile.objects.get().report["figures"] == 1


def test_there_is_nothing_to_store_of_a_file_without_figures(planner, target):
    give(planner, HEAD + "2026-02-01,NOBODY,redo_size,,1,GB/day\n")

    assert "There is nothing to store of past.csv." in act(planner, store="1")


def test_who_only_reads_gives_no_file(target):
    assert signed_in(is_planner=False).get(reverse("figure_files")).status_code == 403
