"""DemoEstate: the demo as the example that pages, worker and first start ask for (apps/inventory/example.py)."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings

from apps.demo.live_instances import has_server, why_not_served
from apps.demo.progress import demo_progress
from apps.inventory.example import Program, Progress

LIVE = Program("demo-oracle", "The demo's Oracle instances", ("django", "serve_demo_oracle"))


class DemoEstate:
    """What is heavy is loaded by the deed that needs it: pages ask for the progress alone."""

    def load(self, now: datetime) -> Progress:
        from apps.demo.load import load_demo

        return load_demo(now=now)

    def progress(self) -> Progress:
        return demo_progress()

    def remove(self) -> int:
        from apps.demo.remove import remove_demo

        return remove_demo()

    def programs(self) -> Sequence[Program]:
        return [LIVE] if settings.HEADROOM_DEMO and has_server() else []

    def missing(self) -> str:
        return why_not_served()
