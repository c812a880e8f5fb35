from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "apps.demo"

    def ready(self) -> None:
        from apps.collection.collector import add_collector_at
        from apps.inventory.example import add_example_at

        add_collector_at("demo", "apps.demo.collector.DemoCollector")
        add_example_at("apps.demo.example.DemoEstate")
