"""manage.py weekly_report."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.collection.tests import scripted
from apps.inventory.models import Group
from apps.reports.models import WeeklyReport
from apps.reports.tests.scenes import MONDAY, limit, opened

pytestmark = pytest.mark.django_db


def run_command(**options: Any) -> str:
    out = StringIO()
    call_command("weekly_report", stdout=out, **options)
    return out.getvalue()


def test_a_week_is_written_in_the_form_asked_for(tmp_path: Path):
    opened(limit(scripted.instance()), MONDAY)

    run_command(week="2026-W26", format="pdf", output=str(tmp_path / "report.pdf"))

    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    assert WeeklyReport.objects.get().week == "2026-W26"
    assert "One limit is broken" in run_command(week="2026-W26")
    assert json.loads(run_command(week="2026-W26", format="json"))["new"][0]["target"] == "SCRIPT"


def test_without_a_week_it_is_the_last_complete_one():
    assert run_command(format="html").startswith("<!DOCTYPE html>")


def test_a_group_is_found_by_its_name_in_any_case():
    group = Group.objects.create(name="Payments")

    run_command(week="2026-W26", group="payments")

    assert WeeklyReport.objects.get().group == group


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"week": "2026-27"}, "“2026-27” is not a week; write it like 2026-W47."),
        ({"week": "2999-W01"}, "Week 2999-W01 is not over yet"),
        ({"week": "2026-W26", "group": "nobody"}, "There is no group named nobody. There are: none yet."),
        ({"week": "2026-W26", "output": "/nowhere/at/all.txt"}, "/nowhere/at/all.txt cannot be written"),
    ],
)
def test_bad_input_is_answered_by_a_sentence(options: dict[str, str], sentence: str):
    with pytest.raises(CommandError) as refused:
        run_command(**options)

    assert sentence in str(refused.value)
