"""The demo's two live instances: registered, served, read through the driver."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.collection.collect import collect_target
from apps.demo.live_instances import MEMBERS, database_of, is_wanted, register_live, serve
from apps.demo.load import set_up_demo
from apps.demo.remove import remove_demo
from apps.inventory.models import Target
from apps.snapshots import dictionary
from apps.snapshots.retention import ensure_partitions

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def now():
    dictionary.forget()
    moment = datetime.now(UTC).replace(microsecond=0)
    ensure_partitions([(moment + timedelta(days=offset)).date() for offset in (-9, 0, 9)])
    yield moment
    dictionary.forget()


def test_both_are_read_through_the_driver_and_have_figures_with_their_second_reading(now):
    server = serve(now, port=0)
    try:
        for name in [member.name for member in MEMBERS]:
            target = Target.objects.get(name=name)
            runs = [collect_target(target, now + timedelta(minutes=5 * at), now) for at in (0, 1)]

            assert [(run.state, run.failed_sources) for run in runs] == [("complete", []), ("complete", [])]
            assert target.is_demo
            assert target.interval_minutes == 5
            assert target.address["port"] == server.port
    finally:
        server.stop()


def test_a_server_that_was_stopped_goes_on_counting(now):
    targets = register_live(now - timedelta(hours=3))
    counted = []
    for moment in (now - timedelta(hours=1), now):
        database = database_of(MEMBERS[0], targets["LIVEPRD"])
        source = database.instances[0].source("v$sysstat")
        assert callable(source)
        counted.append(float(str({row["name"]: row["value"] for row in source(moment)}["redo size"])))
        assert database.instances[0].started_at == now - timedelta(hours=3) - timedelta(days=9)

    assert counted[1] > counted[0]


def test_they_are_registered_once_and_keep_their_account(now):
    first = {name: target.pk for name, target in register_live(now).items()}

    again = register_live(now + timedelta(days=1))

    assert {name: target.pk for name, target in again.items()} == first


def test_they_do_not_keep_the_estate_from_being_loaded_and_go_with_it(now):
    register_live(now)

    loaded = set_up_demo(3, now)

    assert len(loaded) > len(MEMBERS)
    assert not [target for target in loaded if target.collector == "oracle"]
    remove_demo()
    assert not Target.objects.demo().exists()


class StoppedOnceItServes(StringIO):
    """Takes what the command says, and has it stop when it says something."""

    def write(self, text: str) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return super().write(text)


def test_the_command_serves_until_it_is_told_to_stop(now):
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    out = StoppedOnceItServes()
    try:
        call_command("serve_demo_oracle", "--port", "0", stdout=out)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

    assert out.getvalue().startswith("LIVEPRD and LIVEREP answer at 127.0.0.1:")


def test_they_do_not_come_back_after_the_demo_was_removed(now):
    assert is_wanted()
    register_live(now)
    Target.objects.create(
        name="PAYPRD", kind=Target.Kind.INSTANCE, platform="oracle", collector="oracle", registered_at=now
    )
    assert is_wanted()

    remove_demo()

    assert not is_wanted()


def test_without_the_server_it_is_said_that_they_are_not_served(tmp_path):
    for name in ("apps", "worker"):  # an image has these and not testing/
        (tmp_path / name).symlink_to(ROOT / name)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "apps.config.settings"}
    done = subprocess.run(
        [sys.executable, "-m", "django", "serve_demo_oracle"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip

    assert done.returncode == 1
    assert "two live instances are not served" in done.stderr
    assert "Traceback" not in done.stderr
