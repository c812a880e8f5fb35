"""A page asks the database the same number of questions however many rows, limits and targets it shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import psycopg
import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import BOOT, Story, days_before, host, instance, prepare
from apps.inventory.models import Group, Target
from apps.review.nightly import review_targets
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
TODAY = NOW.date() - timedelta(days=2)
MOST = {"target": 27, "estate": 30, "statistic": 36}


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Everything that is sent to PostgreSQL, past Django too."""
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def counting(cursor: Any, query: Any, *rest: Any, **how: Any) -> Any:
        sent.append(str(query))
        return execute(cursor, query, *rest, **how)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", counting)
        yield sent


@pytest.fixture
def queries_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """The queries of a page that was opened before, so that the process has learned what never changes."""
    client = signed_in(is_planner=True)

    def ask(url: str) -> list[str]:
        assert client.get(url).status_code == 200
        with counted(monkeypatch) as sent:
            client.get(url)
        return sent

    return ask


def tell(name: str, components: int, limits: int, machine: Target | None = None) -> Target:
    """A target with figures of four days, open violations, forecasts, and its last run."""
    target = instance(name, registered_at=BOOT, runs_on=machine)
    names = [f"TS{number:02}" for number in range(components)]
    for component in names[:limits]:
        add_threshold("x_used", "10", now=BOOT, target=target, component=component)
        add_threshold("x_read_ms", "<1", now=BOOT, target=target, component=f"event {component}")
    story = Story(target)
    for number, on in enumerate([TODAY - timedelta(days=7), *days_before(TODAY, 3)]):
        waits = {f"event {component}": (1000, 20.0) for component in names}
        story.day(
            on, redo=5 + number, cpu=50, hits=90, waits=waits, used=dict.fromkeys(names, 8.0 + 2 * number)
        )
        slot = timetable_of(target).last_slot(datetime.combine(on + timedelta(days=1), time(1), UTC))
        CollectionRun.objects.create(
            target=target, slot=slot, began_at=slot, ended_at=slot, state="complete", series=9
        )
        review_targets([target], on, NOW)
    return target


@pytest.fixture
def days() -> list[date]:
    days = days_before(TODAY, 9)
    prepare(*days, NOW.date())
    return days


def test_the_page_of_a_target_asks_as_much_for_many_rows_as_for_few(days, queries_of):
    machine = host()
    small = queries_of(reverse("target", args=[tell("SMALL", 2, 1, machine).pk]))
    large = tell("LARGE", 25, 12, machine)

    assert Violation.objects.open().filter(target=large).count() > 12
    queries = queries_of(reverse("target", args=[large.pk]))

    assert len(queries) == len(small) <= MOST["target"], queries


def test_the_estate_asks_as_much_for_many_targets_as_for_few(days, queries_of):
    def add(number: int) -> None:
        """Two targets of a group, one of which was not read."""
        group = Group.objects.create(name=f"group {number}")
        Target.objects.filter(pk=tell(f"READ{number}", 3, 2).pk).update(group=group)
        unread = tell(f"UNREAD{number}", 3, 2)
        newest = CollectionRun.objects.filter(target=unread).values("pk")[:1]
        CollectionRun.objects.filter(pk__in=newest).update(state="failed", reason="Nothing answers.")

    add(1)
    small = queries_of(reverse("estate"))
    for number in (2, 3):
        add(number)

    queries = queries_of(reverse("estate"))

    assert len(queries) == len(small) <= MOST["estate"], queries


def test_a_statistic_asks_as_much_for_years_as_for_a_month(days, queries_of):
    target = tell("SCRIPT", 3, 3)
    url = reverse("statistic", args=[target.pk, "x_used"]) + "?component=TS00&days="

    short, long = queries_of(f"{url}30"), queries_of(f"{url}1000")

    assert len(long) == len(short) <= MOST["statistic"], long


def test_clients_are_counted_past_django(monkeypatch):
    with counted(monkeypatch) as sent:
        Client().get("/healthz")

    assert sent
