"""FilesCollector: a host that is read from files alone."""

from datetime import datetime

from apps.collection.collector import Collected, CollectionError
from apps.inventory.models import Target


class FilesCollector:
    """Says what to do in the place of reading: such a host is never asked."""

    def collect(self, target: Target, slot: datetime) -> Collected:
        raise CollectionError(
            f"{target} is read from files alone: give them on its page, or to manage.py import_host."
        )
