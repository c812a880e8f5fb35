"""Past days of peak hours that a person has just put under a limit: rolled up behind the pages."""

from collections.abc import Iterable

from kombu.exceptions import OperationalError

from apps.thresholds.models import Threshold
from apps.thresholds.peak_hours import targets_of_hours
from apps.web.sentences import count
from worker.tasks import make_up_hours


def make_up(saved: Iterable[Threshold]) -> str:
    """Have past days rolled up where limits are on peak hours; what is being done, in a sentence, empty where nothing is."""
    targets = targets_of_hours(saved)
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
    return f"Past days of these hours of {of} are being rolled up from their readings; the dry run has them in a while."
