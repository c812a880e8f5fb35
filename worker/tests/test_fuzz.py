"""S11: a task that is given what nobody would give it ends with a word, not with a traceback, and saves nothing."""

import inspect
import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.collection.models import CollectionRun
from apps.collection.tests import scripted
from apps.snapshots import dictionary
from apps.snapshots.models import Figure, Snapshot
from worker.celery import app

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
EXAMPLES = int(os.environ.get("HEADROOM_TEST_FUZZ", "40"))
IDS = some.sampled_from([0, -1, 1, 2**31, 2**63 - 1, 2**63, 10**30]) | some.integers()
MOMENTS = some.sampled_from([
    "", "x", "2026-02-17", "2026-02-30", "0001-01-01", "9999-12-31", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00",
    "2026-02-17T00:05:00+00:00", "2026-02-17T00:05:00", "2026-02-17T00:05:00+99:99", "2500-01-01T00:05:00+00:00", "1" * 5000, "\0", f"{TODAY}", f"{TODAY - timedelta(days=1)}", f"{TODAY}T00:05:00+00:00",
]) | some.text(max_size=20)  # fmt: skip
STRATEGIES = {"int": IDS, "list[int]": some.lists(IDS, max_size=4), "str": MOMENTS}


def tasks() -> dict[str, Any]:
    """The tasks that are given something, found by themselves."""
    app.loader.import_default_modules()
    ours = {name: task for name, task in app.tasks.items() if name.startswith("worker.")}
    return {name: task for name, task in ours.items() if _parameters(task)}


def _parameters(task: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(task.run).parameters.values())


@pytest.fixture
def target(db: None) -> int:
    scripted.register()
    scripted.prepare(TODAY - timedelta(days=1), TODAY)
    dictionary.forget()
    return scripted.instance().pk


def rows() -> tuple[int, int, int]:
    return Snapshot.objects.count(), Figure.objects.count(), CollectionRun.objects.count()


TRIED = (
    "worker.tasks.collect",
    "worker.tasks.review",
    "worker.tasks.make_up_hours",
    "worker.tasks.look_for_past",
    "worker.tasks.read_past",
    "worker.tasks.read_all_past",
    "worker.tasks.read_lost_days",
    "worker.tasks.look_into_file",
    "worker.tasks.store_files",
    "worker.tasks.store_figure_file",
)


@pytest.mark.parametrize("name", TRIED)
def test_a_task_takes_any_ids_and_days(target: int, name: str):
    task = tasks()[name]
    strategies = [
        STRATEGIES[
            str(
                parameter.annotation if isinstance(parameter.annotation, str) else _name(parameter.annotation)
            )
        ]
        for parameter in _parameters(task)
    ]

    @settings(
        max_examples=EXAMPLES,
        derandomize=EXAMPLES <= 40,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(some.tuples(*strategies), some.booleans())
    def run(arguments: tuple[Any, ...], is_of_target: bool) -> None:
        if is_of_target:
            arguments = ([target] if isinstance(arguments[0], list) else target, *arguments[1:])
        with transaction.atomic():
            result = task.apply(arguments)
            connection.check_constraints()
            transaction.set_rollback(True)
        assert result.successful(), (arguments, result.traceback)

    run()


def _name(annotation: Any) -> str:
    return (
        annotation.__name__
        if isinstance(annotation, type) and not hasattr(annotation, "__args__")
        else str(annotation)
    )


def test_every_task_that_is_given_something_is_tried():
    assert tasks().keys() == set(TRIED)


@pytest.mark.parametrize(
    ("name", "arguments", "word"),
    [
        ("worker.tasks.collect", ["2500-01-01T00:05:00+00:00"], "no slot"),
        ("worker.tasks.collect", ["x"], "no slot"),
        ("worker.tasks.review", ["9999-12-31"], "no day"),
        ("worker.tasks.review", ["2026-02-30"], "no day"),
    ],
)
def test_what_is_no_slot_or_day_saves_nothing(target: int, name: str, arguments: list[str], word: str):
    before = rows()
    of = target if name.endswith("collect") else [target]

    result = tasks()[name].apply((of, *arguments))

    assert result.get() == word
    assert rows() == before
