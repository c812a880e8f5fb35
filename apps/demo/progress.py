"""demo_progress(): how far the loading of the estate has come, told from what its targets keep of themselves."""

from collections.abc import Mapping
from datetime import date

from apps.demo.collector import NAME
from apps.inventory.example import Progress
from apps.inventory.models import Target


def demo_progress() -> Progress:
    """How far the loading has come; complete, with nothing to do, where there is no estate."""
    done = total = 0
    for address in Target.objects.demo().filter(collector=NAME).values_list("address", flat=True):
        first_day, last_day = loaded_days(address)
        total += (last_day - first_day).days + 1
        if address.get("loaded_through"):
            done += (date.fromisoformat(address["loaded_through"]) - first_day).days + address.get(
                "is_loaded", 0
            )
    return Progress(done, total)


def loaded_days(address: Mapping[str, str]) -> tuple[date, date]:
    """The first and the last day that a target of this address is loaded with."""
    return date.fromisoformat(address["first_day"]), date.fromisoformat(address["last_day"])
