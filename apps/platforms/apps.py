"""Plugs the platforms into the registries of the core."""

from importlib import import_module

from django.apps import AppConfig

from apps.catalog import experience
from apps.catalog.registry import EVERY_PLATFORM, add_metrics

PLATFORMS = ("oracle", "linux")


class PlatformsConfig(AppConfig):
    name = "apps.platforms"

    def ready(self) -> None:
        add_metrics(EVERY_PLATFORM, experience.METRICS)
        for name in PLATFORMS:
            import_module(f"apps.platforms.{name}.platform").PLATFORM.register()
