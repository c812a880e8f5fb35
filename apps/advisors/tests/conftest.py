"""The scripted platform, with nothing left of the test before."""

from apps.collection.tests.scripted import module_db as module_db
from apps.collection.tests.scripted import scripted_platform as scripted_platform
