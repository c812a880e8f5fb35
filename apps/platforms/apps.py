"""Plugs the platforms into the registries of the core."""

from importlib import import_module

from django.apps import AppConfig

PLATFORMS = ("oracle", "linux")


class PlatformsConfig(AppConfig):
    name = "apps.platforms"

    def ready(self) -> None:
        for name in PLATFORMS:
            import_module(f"apps.platforms.{name}.platform").PLATFORM.register()
