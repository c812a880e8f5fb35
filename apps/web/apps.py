from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "apps.web"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from apps.web.session_ends import begin_session

        user_logged_in.connect(begin_session)
