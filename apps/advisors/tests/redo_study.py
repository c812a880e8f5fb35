"""The redo study of the method as readings: seven days, the night of the change, seven days; the last one is today."""

from datetime import UTC, datetime, timedelta

from apps.advisors.engine.outcome import Outcome
from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.review.nightly import review_targets
from apps.thresholds.register import add_threshold

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
DAYS = days_before(TODAY, 15)
CHANGED = DAYS[7]
# the redo study: average waits in ms before and after, and what was aimed at
WAITS = {
    "log file sync": (26.45, 2.13, "<5 ms"),
    "log file parallel write": (11.8, 0.55, "<2 ms"),
    "log buffer space": (28.6, None, "eliminate"),
    "log file switch completion": (20.82, 31.5, ""),
    "db file sequential read": (7.02, 16.62, "<10 ms"),
}
EXPECTED = {
    "redo": Outcome.MET,
    "log file sync": Outcome.MET,
    "log file parallel write": Outcome.MET,
    "log buffer space": Outcome.ELIMINATED,
    "log file switch completion": Outcome.WORSE,
    "db file sequential read": Outcome.WORSE,
    "hits": Outcome.MET,
}


def tell_redo_study() -> Target:
    """Read and review its days."""
    prepare()
    target = instance()
    for event, limit in (("log file sync", "<5 ms"), ("db file sequential read", "<10 ms")):
        add_threshold(
            "x_read_ms", limit, now=BOOT, target=target, component=event, plan="Rebuild the redo path."
        )
    story = Story(target)
    for number, on in enumerate(DAYS):
        waits = {
            event: (1000.0, value)
            for event, (before, after, _) in WAITS.items()
            if (value := before if number < 8 else after) is not None
        }
        story.day(on, redo=72 if number < 8 else 520, calls=1000, waits=waits, hits=1.2)
        moment = datetime.combine(on + timedelta(days=1), NOW.time(), UTC)
        review_targets([target], on, moment, forecasts=False)
    return target
