import signal
import threading
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.collection.collect import release_connection
from apps.demo.live_instances import PORT, has_server, is_wanted, serve, why_not_served

LOOK_AGAIN = 60.0  # seconds


class Command(BaseCommand):
    help = "Serve the demo's two live Oracle instances on the loopback until told to stop, and register them."
    requires_system_checks = ()  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help=f"where to listen (default: {PORT})")

    def handle(self, *args: Any, **options: Any) -> None:
        if not has_server():
            raise CommandError(why_not_served())
        end = threading.Event()

        def stop(number: int, frame: FrameType | None) -> None:
            end.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        while not end.is_set() and not is_wanted():
            release_connection()
            end.wait(LOOK_AGAIN)
        if end.is_set():
            return
        server = serve(timezone.now(), options["port"])
        release_connection()
        names = " and ".join(database.name for database in server.databases)
        self.stdout.write(f"{names} answer at 127.0.0.1:{server.port}.")
        end.wait()
        server.stop()
