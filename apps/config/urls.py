"""Where the pages are: the health check here, all others in apps.web."""

from django.urls import include, path

from apps.config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("", include("apps.web.urls")),
]
handler500 = "apps.web.failures.page_failed"
