"""
The web application, as gunicorn loads it. Only the web keeps a pool of connections.

Everything is loaded before gunicorn forks, and frozen: the garbage collector need not walk what stays anyway (a full
collection of it lasts a tenth of a second, within somebody's page), and the processes go on sharing its memory.
"""

import gc
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
os.environ.setdefault("HEADROOM_DATABASE_POOL", "8")

application = get_wsgi_application()

import_module(settings.ROOT_URLCONF)  # with the pages, which Django would load at the first request only
import_module("apps.platforms.registration").load_forms()  # with their drivers
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 20)  # about a page: it makes as many objects and hardly a cycle
