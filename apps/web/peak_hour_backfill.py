"""Past days of peak hours that a person has just put under a limit: rolled up behind the pages."""

from collections.abc import Iterable, Sequence

from kombu.exceptions import OperationalError

from apps.inventory.models import Target
from apps.thresholds.models import Threshold
from apps.thresholds.peak_hours import targets_of_hours
from apps.web.sentences import count
from worker.tasks import make_up_hours


def make_up(saved: Iterable[Threshold]) -> str:
    """Have past days rolled up where limits are on peak hours; what is being done, in a sentence, empty where nothing is."""
    return make_up_hours_of(targets_of_hours(saved))


def make_up_hours_of(targets: Sequence[Target]) -> str:
    """Have past days of targets rolled up; what is being done, in a sentence, empty where there are no targets."""
    if not targets:
        return ""
    try:
        make_up_hours.delay([target.pk for target in targets])
    except OperationalError as error:
        return (
            f"The queue does not answer ({error}), so past days have no figure of these hours yet;"
            " manage.py rebuild_figures rolls them up."
        )
    of = targets[0].name if len(targets) == 1 else count(len(targets), "target")
    return f"Past days of these hours of {of} are being rolled up from their readings; they are there in a while."
