"""/healthz needs no sign-in and says which part does not answer."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from apps.config import health

pytestmark = pytest.mark.django_db


def test_all_is_well_without_a_sign_in(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "_began_at", timezone.now())  # this process may run tests for long

    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {"healthy": True, "database": "ok", "broker": "ok", "beat": "ok"}


def test_a_broker_that_does_not_answer_is_told(client: Client, settings, tmp_path):
    settings.CELERY_BROKER_URL = f"redis+socket://{tmp_path}/nothing.sock"

    answer = client.get("/healthz")

    assert answer.status_code == 503
    assert answer.json()["broker"] == "does not answer"
    assert client.get("/healthz?part=database").status_code == 200


def test_a_real_broker_answers(settings, broker):
    settings.CELERY_BROKER_URL = broker

    assert health.broker_health() == "ok"


@pytest.mark.parametrize(
    ("silent_for", "state"), [(timedelta(minutes=9), "ok"), (timedelta(minutes=31), "silent for 31 minutes")]
)
def test_beat_may_not_be_silent_for_long(silent_for, state):
    now = timezone.now()
    every_minute = IntervalSchedule.objects.create(every=1, period=IntervalSchedule.MINUTES)
    PeriodicTask.objects.update(last_run_at=None)
    PeriodicTask.objects.create(name="a test", task="t", interval=every_minute, last_run_at=now - silent_for)

    assert health.beat_health(now) == state
    assert health.beat_health(now, not_before=now) == "ok"


def test_a_beat_that_never_ran_has_not_begun():
    PeriodicTask.objects.update(last_run_at=None)

    assert health.beat_health(timezone.now()) == "has not begun"
