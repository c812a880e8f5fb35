from django.apps import AppConfig


class ThresholdsConfig(AppConfig):
    name = "apps.thresholds"
