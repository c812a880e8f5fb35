"""
A process of its own with a PostgreSQL of its own: it is killed while a target is read, and comes back a little later.

Prints one line of JSON: what became of the reading, of its lease and of its figures.
"""

import json
import os
import shutil
import signal
import tempfile
import threading
import time
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import django

from apps.config.embedded.child import Child
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres


def main() -> None:
    """Read one slot; PostgreSQL is killed once the reading began, and started again two seconds after."""
    folder = Folder(tempfile.mkdtemp(prefix="headroom-kill-"))
    folder.root.chmod(0o711)
    folder.make()
    postgres = Postgres(folder)
    postgres.prepare()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "apps.config.settings",
        "HEADROOM_DATA": str(folder.root),
        "HEADROOM_SECRET_KEY": "for tests alone",
        "HEADROOM_SECRET_KEYS": urlsafe_b64encode(b"for tests alone, 32 bytes long..").decode(),
        "HEADROOM_BROKER_URL": "memory://",
        "HEADROOM_DATABASE_URL": postgres.url,
    }
    servers = [start(postgres)]
    try:
        django.setup()
        print(json.dumps(read_while_killed(postgres, servers)))
    finally:
        servers[-1].stop()
        shutil.rmtree(folder.root, ignore_errors=True)


def start(postgres: Postgres) -> Child:
    server = postgres.start()
    server.wait_until(postgres.is_ready, "PostgreSQL", seconds=60)
    return server


def read_while_killed(postgres: Postgres, servers: list[Child]) -> dict[str, object]:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from apps.collection.collect import collect_target
    from apps.collection.collector import Collected
    from apps.collection.models import CollectionRun
    from apps.collection.tests.scripted import SCRIPT, instance, prepare, reading, register
    from apps.inventory.models import Target
    from apps.snapshots.models import Coverage, Snapshot

    register()
    slot = datetime(2026, 6, 30, 0, 5, tzinfo=UTC)
    prepare(slot.date())
    target = instance(interval_minutes=5)
    collect_target(target, slot - timedelta(days=1), slot - timedelta(days=1))
    is_over = threading.Event()  # the server ends with the thread that started it
    returns: list[threading.Thread] = []

    def come_back() -> None:
        time.sleep(2)
        servers.append(start(postgres))
        is_over.wait()
        servers[-1].stop()

    def kill(target: Target, slot: datetime) -> Collected:
        os.kill(servers[-1].pid, signal.SIGKILL)
        servers[-1].wait(10)
        returns.append(threading.Thread(target=come_back))
        returns[0].start()
        return reading(slot)

    SCRIPT.answers["SCRIPT"] = kill
    run = collect_target(target, slot, slot)
    target.refresh_from_db()
    outcome: dict[str, object] = {
        "state": CollectionRun.objects.get(slot=slot).state,
        "tries": run.tries,
        "snapshots": Snapshot.objects.filter(bucket=slot).count(),
        "days": [str(day) for day in Coverage.objects.order_by("day").values_list("day", flat=True)],
        "leased_by": target.leased_by,
        "waits_for_roll_up": CollectionRun.objects.filter(needs_roll_up=True).count(),
    }
    is_over.set()
    for thread in returns:
        thread.join()
    return outcome


if __name__ == "__main__":
    main()
