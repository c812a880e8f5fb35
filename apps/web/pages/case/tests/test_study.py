"""The study of a case file."""

import re
from datetime import timedelta

import pytest

from apps.advisors.models import StudyFigure
from apps.web.pages.case.tests.scenes import page, post

pytestmark = pytest.mark.django_db


def test_a_study_is_set_up_and_shown(planner, violation):
    assert "The study begins once a step of the plan is done" in page(planner, violation)
    last = violation.reviewed_on
    assert last is not None
    days = dict(zip(("before_from", "before_to", "after_from", "after_to"), (2, 2, 1, 0), strict=True))
    typed = {name: (last - timedelta(days=back)).isoformat() for name, back in days.items()}

    post(planner, violation, "study/windows", typed)
    wrong = post(planner, violation, "study/figures", {"figure": "x_used|DATA", "aim": "2 parsecs"})
    post(planner, violation, "study/figures", {"figure": "x_used|DATA", "aim": "<5"})

    assert "A multiple such as &gt;=4x is one too." in wrong
    assert 'value="2 parsecs"' in wrong
    html = " ".join(page(planner, violation).split())
    assert re.search(
        r"before [^;]*: 1 of 1 days count; after [^;]*: 2 of 2 days count; means of these days", html
    )
    figure = StudyFigure.objects.get()
    assert figure.aim == "<5"
    post(planner, violation, f"study/figures/{figure.pk}/remove", {})
    assert not StudyFigure.objects.exists()
    post(planner, violation, "study/windows", {"by_steps": "1"})
    assert "The study begins once a step of the plan is done" in page(planner, violation)


def test_windows_that_cannot_be_get_a_sentence(planner, violation):
    typed = {
        "before_from": "2026-01-09",
        "before_to": "2026-01-02",
        "after_from": "2026-01-10",
        "after_to": "",
    }

    assert "This field is required" in post(planner, violation, "study/windows", typed)
    answer = post(planner, violation, "study/windows", typed | {"after_to": "2026-01-12"})
    assert "2026-01-02 lies before 2026-01-09; exchange them." in answer
    assert 'value="2026-01-02"' in answer
