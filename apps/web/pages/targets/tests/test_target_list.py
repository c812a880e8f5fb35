"""Many targets changed at once, taken back, and never over somebody else's change; filters, and finding anything."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.snapshots.models import Fact
from apps.web.pages.targets.bulk_change import stamp_of
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db
NASTY = "<script>alert(1)</script>"


def ada() -> Client:
    return signed_in("ada", is_planner=True)


@pytest.fixture
def targets() -> list[Target]:
    group = Group.objects.create(name="Sales")
    return [
        instance(name, registered_at=BOOT, group=group, environment="production") for name in ("A", "B", "C")
    ]


def choices(*targets: Target) -> list[str]:
    return [f"{target.pk}:{stamp_of(Target.objects.get(pk=target.pk))}" for target in targets]


def change(client: Client, chosen: list[str], **typed: str) -> str:
    return client.post(reverse("targets_change"), {"target": chosen, **typed}, follow=True).content.decode()


def test_the_list_offers_what_is_sent(targets):
    html = ada().get(reverse("targets")).content.decode()

    assert re.findall(r'name="target"\s+value="([^"]+)"', html) == choices(*targets)


def test_what_is_typed_is_set_for_all_and_what_is_empty_stays(targets):
    User.objects.create(username="rita")

    html = change(ada(), choices(*targets[:2]), group="Warehouse", owner="rita", notes=NASTY)

    a, b, c = Target.objects.order_by("name")
    assert {
        (str(target.group), target.environment, str(target.owner), target.notes) for target in (a, b)
    } == {("Warehouse", "production", "rita", NASTY)}
    assert (str(c.group), c.owner, c.notes) == ("Sales", None, "")
    assert "Two targets changed: group Warehouse, owner rita, new notes." in html
    assert NASTY not in html


def test_a_dash_takes_away_what_is_there(targets):
    change(ada(), choices(targets[0]), group="-", environment="-")

    target = Target.objects.get(name="A")
    assert (target.group, target.environment) == (None, "")


def test_a_change_can_be_taken_back_once(targets):
    client = ada()
    change(client, choices(*targets), environment="test")

    first = client.post(reverse("targets_undo"), follow=True).content.decode()
    second = client.post(reverse("targets_undo"), follow=True).content.decode()

    assert set(Target.objects.values_list("environment", flat=True)) == {"production"}
    assert "Three targets put back to how it was before." in first
    assert "There is nothing left to undo." in second


def test_taking_back_leaves_what_somebody_changed_since(targets):
    client = ada()
    change(client, choices(*targets[:2]), environment="test")
    Target.objects.filter(name="A").update(notes="patched today")

    html = client.post(reverse("targets_undo"), follow=True).content.decode()

    assert Target.objects.get(name="A").environment == "test"
    assert Target.objects.get(name="B").environment == "production"
    assert "A changed again meanwhile and stays as it is." in html


def test_two_people_who_change_the_same_lose_nothing(targets):
    ada_browser, bob = ada(), signed_in("bob", is_planner=True)
    ticks = choices(*targets)
    change(bob, choices(targets[0]), owner="bob")

    refused = change(ada_browser, ticks, environment="test", notes="from Ada")
    ticked = re.findall(r'name="target"\s+value="([^"]+)"[^>]*checked', refused)
    change(ada_browser, ticked, environment="test", notes="from Ada")

    assert "Somebody changed A after you opened this list" in refused
    assert ">from Ada</textarea>" in refused
    assert 'value="test"' in refused
    target = Target.objects.get(name="A")
    assert (str(target.owner), target.environment, target.notes) == ("bob", "test", "from Ada")


BAD = [
    ({"target": [], "environment": "test"}, "No target is chosen"),
    ({"environment": ""}, "Nothing is typed"),
    ({"owner": "nobody-such"}, "Nobody who may sign in is called “nobody-such”"),
    ({"group": "x" * 81}, "Group has 81 letters; give at most 80."),
    ({"environment": "x" * 41}, "Environment has 41 letters; give at most 40."),
    ({"target": ["x:y"], "environment": "test"}, "No target is chosen"),
    ({"target": ["999999:y"], "environment": "test"}, "is not in the estate any more"),
    ({"target": ["9" * 40], "environment": "test"}, "No target is chosen"),
]


@pytest.mark.parametrize(("fields", "sentence"), BAD)
def test_what_cannot_be_changed_gets_a_sentence_and_nothing_is_saved(targets, fields, sentence):
    response = ada().post(reverse("targets_change"), {"target": choices(*targets)} | fields)

    assert response.status_code == 200
    assert sentence in response.content.decode()
    assert set(Target.objects.values_list("environment", flat=True)) == {"production"}
    assert not Group.objects.exclude(name="Sales").exists()


def test_who_may_only_read_changes_nothing(targets):
    reader = signed_in("reader", is_planner=False)

    assert (
        reader.post(reverse("targets_change"), {"target": choices(*targets), "environment": "x"}).status_code
        == 403
    )
    assert "bulk" not in re.findall(r'id="([^"]+)"', reader.get(reverse("targets")).content.decode())


def test_a_form_that_was_opened_before_somebody_saved_says_so_and_keeps_what_was_typed(targets):
    client, target = ada(), targets[0]
    address = reverse("target_edit", args=[target.pk])
    stands = re.search(r'name="stands"\s+value="([^"]+)"', client.get(address).content.decode())[1]  # type: ignore[index]
    Target.objects.filter(pk=target.pk).update(environment="test")
    typed = {
        "name": "A", "group_name": "Warehouse", "environment": "production", "notes": "mine", "time_zone": "UTC",
        "collect_at": "00:05", "interval_minutes": "1440",
    }  # fmt: skip

    refused = client.post(address, typed | {"stands": stands}).content.decode()
    fresh = re.search(r'name="stands"\s+value="([^"]+)"', refused)[1]  # type: ignore[index]

    assert (
        "Somebody changed A after you opened it: now group Sales, environment test, owner nobody." in refused
    )
    assert ">\nmine</textarea>" in refused
    assert Target.objects.get(name="A").notes == ""
    assert client.post(address, typed | {"stands": fresh}).status_code == 302
    assert Target.objects.get(name="A").notes == "mine"


# ── filters, and finding ────────────────────────────────────────────────────────────────────────────────────────────


def test_targets_are_filtered_by_version_and_by_words(targets):
    for target, version in zip(targets, ("19.24", "19.24", "23.4"), strict=True):
        Fact.objects.create(target=target, name="version", value="18.1", since=BOOT)
        Fact.objects.create(target=target, name="version", value=version, since=BOOT.replace(year=2027))
    Target.objects.filter(name="B").update(notes="month end close")
    client = ada()

    def names_on(query: str, page: str = "targets") -> list[str]:
        html = client.get(f"{reverse(page)}?{query}").content.decode()
        return re.findall(r'<th scope="row" class="first nowrap">\s*<a href="/targets/\d+">(\w)</a>', html)

    assert names_on("version=19.24") == ["A", "B"]
    assert names_on("version=18.1") == []
    assert names_on("q=MONTH END") == ["B"]
    assert names_on("q=sales&version=23.4") == ["C"]
    assert 'name="version"' in client.get(reverse("estate")).content.decode()


@pytest.fixture
def read() -> Target:
    prepare()
    target = instance("DWPRD", registered_at=BOOT)
    from datetime import UTC, datetime, timedelta

    today = datetime.now(UTC).date() - timedelta(days=1)
    prepare(*days_before(today, 3), today + timedelta(days=1))
    story = Story(target)
    for on in days_before(today, 2):
        story.day(on, redo=5, used={"DATA_2026": 5.0, NASTY: 1}, hits=90, waits={"log file sync": (1000, 5)})
    assert today > TODAY
    return target


def test_things_and_statistics_are_found_with_the_targets_that_have_them(read):
    other = instance("EMPTY", registered_at=BOOT)

    html = ada().get(reverse("find") + "?q=data_20").content.decode()

    address = f"{reverse('statistic', args=[read.pk, 'x_used'])}?component=DATA_2026"
    assert address in html
    assert f"/targets/{other.pk}/statistics" not in html
    assert "1 thing has “data_20” in the name" in re.sub(r"<[^>]+>", "", html)
    assert "redo per call" in ada().get(reverse("find") + "?q=per call").content.decode()


def test_a_target_that_is_called_exactly_so_is_opened(read):
    response = ada().get(reverse("find") + "?q=dwprd")

    assert response.status_code == 302
    assert response["Location"] == reverse("target", args=[read.pk])


@pytest.mark.parametrize(
    "words", ["", " ", "%00", "nothing such", "%", "_", "\\", NASTY, "x" * 5000, "[", "💩"]
)
def test_whatever_is_looked_for_gets_a_page(read, words):
    response = ada().get(reverse("find"), {"q": words})

    assert response.status_code == 200
    assert "<script>alert" not in response.content.decode()
