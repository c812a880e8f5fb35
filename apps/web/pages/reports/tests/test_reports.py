"""A report is a module and its template: its page, its place in the menu and its command come with that."""

import json
from copy import deepcopy
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from apps.collection.tests import scripted
from apps.people.models import User
from apps.reports import registry
from apps.reports.tests import sketch

pytestmark = pytest.mark.django_db


@pytest.fixture
def sketched(monkeypatch: pytest.MonkeyPatch, settings) -> None:
    """The reports of a package with one module, whose template lies beside it."""
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"] = [*templates[0]["DIRS"], str(Path(sketch.__path__[0]) / "templates")]
    settings.TEMPLATES = templates
    monkeypatch.setattr(registry, "KINDS", sketch.__name__)


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(User.objects.create_user("reader"))
    return client


def written(*arguments: str, **options: str) -> str:
    out = StringIO()
    call_command("report", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.usefixtures("sketched")
def test_a_sketch_of_two_files_has_its_page_its_place_in_the_menu_and_its_command(reader):
    scripted.instance("LONELY")
    address = reverse("report", args=["quiet_targets"])

    page = reader.get(address).content.decode()

    assert "<strong>1 without a limit.</strong>" in page
    assert "<li>LONELY</li>" in page
    menu = " ".join(reader.get(reverse("targets")).text.split())
    assert f'href="{address}" data-place="quiet_targets" title="Quiet targets"' in menu
    assert json.loads(written("quiet_targets", week="2026-W26", format="json")) == {
        "week": "2026-W26",
        "sentence": "1 without a limit.",
        "names": ["LONELY"],
    }
    assert "<li>LONELY</li>" in written("quiet_targets")


def test_a_report_with_a_page_of_its_own_leads_there(reader):
    response = reader.get(reverse("report", args=["weekly"]))

    assert response.url == reverse("weekly_report")


def test_what_is_no_report_is_not_there(reader):
    assert reader.get(reverse("report", args=["monthly"])).status_code == 404
    with pytest.raises(
        CommandError, match=r"There is no report named monthly\. There are: processor_trends, weekly\."
    ):
        written("monthly")


def test_a_report_comes_in_its_own_forms_alone():
    with pytest.raises(CommandError, match=r"Weekly report comes as html, pdf, xlsx, text, json\."):
        written("weekly", format="docx")


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("query", ["week=yesterday", "group=99", "group=x"])
def test_a_week_or_a_group_that_is_none_is_not_there(reader, query):
    assert reader.get(f"{reverse('report', args=['quiet_targets'])}?{query}").status_code == 404
