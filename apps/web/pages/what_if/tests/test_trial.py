"""A change tried on one figure before anybody plans it."""

from html import unescape

import pytest
from django.urls import reverse

from apps.collection.tests.scripted import BOOT
from apps.forecasting.models import PlannedChange, Scenario
from apps.inventory.models import Target
from apps.snapshots.models import Fact
from apps.thresholds.models import Threshold
from apps.web.pages.what_if.forms import ChangeForm
from apps.web.pages.what_if.tests.test_what_if import ahead, change_of, growing
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db


def trial(client, growing_target, **fields):
    return unescape(client.get(reverse("what_if_try"), change_of(growing_target) | fields).content.decode())


def test_a_change_shows_both_courses_with_what_it_costs_and_keeps_nothing():
    target, client = growing(), signed_in(is_planner=False)

    html = trial(client, target).replace("\u00a0", " ")

    assert "+150 MB from" in html
    assert "DATA reaches ≤300 MB around" in html
    assert html.count('class="course-') >= 4
    assert "as it is" in html
    assert "with this change" in html
    assert "chance within up to 180 days; lists give the chance within 90" in html
    assert not PlannedChange.objects.exists()
    assert "Keep as a scenario" not in html


def test_a_change_wins_days_or_loses_them():
    target, client = growing(), signed_in(is_planner=True)
    Threshold.objects.update(notation="<=200", high=200.0)

    less = trial(client, target, change="-10 MB")

    assert "later than without" in less
    assert "over the limit, was" in less


def test_a_component_is_enough_to_name_a_figure():
    target, client = growing(), signed_in(is_planner=False)

    assert "DATA reaches" in trial(client, target, metric="DATA", component="")


def test_what_was_tried_is_kept_as_a_scenario_of_its_own():
    target, client = growing(), signed_in(is_planner=True)

    first, second = (client.post(reverse("what_if_try"), change_of(target)) for _ in range(2))

    names = list(Scenario.objects.order_by("pk").values_list("name", flat=True))
    assert names == ["DATA on SCRIPT: +150 MB", "DATA on SCRIPT: +150 MB (2)"]
    assert first["Location"] != second["Location"]
    assert PlannedChange.objects.filter(change="+150 MB", component="DATA", decided_at=None).count() == 2


def test_whoever_may_only_read_keeps_nothing():
    target = growing()

    assert signed_in().post(reverse("what_if_try"), change_of(target)).status_code == 403


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"target": ""}, "Choose the target whose figure changes."),
        ({"change": "150"}, "is not a change; expected"),
        ({"metric": "usd"}, "No statistic is called “usd”."),
        ({"component": "DAT*"}, "SCRIPT has no tablespace “DAT*”"),
    ],
)
def test_what_cannot_be_tried_gets_a_sentence(fields, words):
    assert words in trial(signed_in(), growing(), **fields)


def test_a_page_that_is_prefilled_asks_for_the_change_alone():
    target = growing()

    address = reverse("what_if_try", query={"target": target.pk, "metric": "x_used", "component": "DATA"})
    html = signed_in().get(address).content.decode()

    assert "What if it changes?" in html
    assert 'value="used"' in html
    assert "This field is required" not in html


@pytest.mark.parametrize(("change", "is_refused"), [("64 -> 128 GB", True), ("256 -> 512 GB", False)])
def test_a_change_of_memory_begins_with_what_the_host_has(change, is_refused):
    host = Target.objects.create(
        name="dbx-dw01", kind="host", platform="linux", collector="linux", registered_at=BOOT
    )
    Fact.objects.create(target=host, name="memory", component="", since=BOOT, value="251.6 GB")
    fields = {"target": host.pk, "metric": "host_mem_used_pct", "change": change, "on": ahead(20)}

    errors = list(ChangeForm(fields, today=ahead(0)).errors.get("change") or [])

    expected = (
        "“64 -> 128 GB” begins with 64 GB, and dbx-dw01 has 251.6: write for example 251.6 -> 503.2 GB."
    )
    assert errors == ([expected] if is_refused else [])


def test_removing_asks_first():
    target, client = growing(), signed_in(is_planner=True)
    client.post(reverse("what_if_try"), change_of(target))
    (scenario,), (change,) = Scenario.objects.all(), PlannedChange.objects.all()

    question = client.get(reverse("scenario_remove", args=[scenario.pk])).content.decode()
    assert "This cannot be undone." in question
    assert Scenario.objects.exists()
    client.post(reverse("change_remove", args=[change.pk]))
    assert not PlannedChange.objects.exists()
