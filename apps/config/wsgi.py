"""The web application, as gunicorn loads it. Only the web keeps a pool of connections."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
os.environ.setdefault("HEADROOM_DATABASE_POOL", "8")

application = get_wsgi_application()
