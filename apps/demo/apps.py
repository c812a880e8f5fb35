from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "apps.demo"

    def ready(self) -> None:
        from apps.collection.collector import add_collector
        from apps.demo.collector import NAME, DemoCollector

        add_collector(NAME, DemoCollector())
