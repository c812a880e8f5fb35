"""Several cases acknowledged at once from the list of violations."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from apps.people.models import User
from apps.thresholds.case_steps import last_step, take_step
from apps.thresholds.models import Step, Violation

pytestmark = pytest.mark.django_db
SOON = (datetime.now(UTC) + timedelta(days=20)).date()


def cases() -> list[Violation]:
    return list(Violation.objects.live().filter(state=Violation.State.OPEN).order_by("pk"))


def pick(case: Violation) -> str:
    return f"{case.pk}:{last_step(case)}"


def test_the_ticked_cases_are_acknowledged_with_one_reason(planner, measured):
    first, second = cases()[:2]
    page = planner.get(reverse("violations")).content.decode()
    assert f'value="{pick(first)}"' in page

    typed = {"pick": [pick(first), pick(second)], "why": "The array is moved.", "review_on": SOON.isoformat()}
    answer = planner.post(reverse("violations_acknowledge"), typed, follow=True).content.decode()

    assert "Two cases acknowledged." in answer
    first.refresh_from_db()
    assert (first.state, first.review_on) == ("acknowledged", SOON)
    assert Step.objects.filter(why="The array is moved.").count() == 2
    assert f'value="{pick(first)}"' not in answer  # nothing is left to acknowledge of it


def test_what_somebody_changed_meanwhile_is_left_and_said(planner, measured):
    first, second = cases()[:2]
    picks = [pick(first), pick(second)]
    take_step(first, "in_progress", by=User.objects.get(username="owner"), why="Mine.", now=datetime.now(UTC))

    answer = planner.post(reverse("violations_acknowledge"), {"pick": picks}, follow=True).content.decode()

    assert "One case acknowledged." in answer
    assert "changed this at" in answer
    first.refresh_from_db()
    assert first.state == "in_progress"


def test_a_day_gone_by_gets_a_sentence_and_the_ticks_stay(planner, measured):
    (first, *_) = cases()
    typed = {"pick": [pick(first)], "why": "Later.", "review_on": "2020-01-01"}

    answer = planner.post(reverse("violations_acknowledge"), typed).content.decode()

    assert "2020-01-01 has come already; give a day still to come." in answer
    assert "Later." in answer
    assert f'value="{pick(first)}"' in answer
    assert " checked>" in answer
    first.refresh_from_db()
    assert first.state == "open"


@pytest.mark.parametrize("picks", [[], ["x"], ["1:"], ["²:1"]])
def test_without_a_tick_nothing_happens(planner, measured, picks):
    answer = planner.post(reverse("violations_acknowledge"), {"pick": picks}, follow=True).content.decode()

    assert "No case is ticked" in answer


def test_a_reader_sees_no_box_and_acknowledges_nothing(reader, measured):
    assert 'name="pick"' not in reader.get(reverse("violations")).content.decode()
    assert reader.post(reverse("violations_acknowledge"), {"pick": ["1:1"]}).status_code == 403
