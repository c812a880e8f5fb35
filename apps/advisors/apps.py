from django.apps import AppConfig


class AdvisorsConfig(AppConfig):
    name = "apps.advisors"
