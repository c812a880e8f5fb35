"""The method's golden case: ten wait events of a data warehouse, told as readings."""

from datetime import timedelta

from apps.collection.tests.scripted import TODAY, Story
from apps.inventory.models import Target

ABSENT = None
SLIDE = {  # event: its class; average wait in centiseconds 90, 30 and 7 days ago and today; limit; state
    "read by other session": ("User I/O", 2, 2.1, 3, 2, "2", "comfortable"),
    "db file sequential read": ("User I/O", 0.6, 0.5, 0.5, 0.6, "0.5", "violated"),
    "db file scattered read": ("User I/O", 0.8, 0.76, 0.81, 0.8, "<1", "comfortable"),
    "direct path read temp": ("User I/O", 1.56, 1.8, 1.6, 1.6, "<1.5", "violated"),
    "log file sync": ("Commit", ABSENT, ABSENT, 0.5, 1, "0", "violated"),
    "log file parallel write": ("System I/O", ABSENT, ABSENT, 0.12, 0.2, "0", "violated"),
    "direct path write temp": ("User I/O", 1.73, 1.5, 1.32, 1.7, "<1", "violated"),
    "db file parallel write": ("System I/O", 0.16, 0.12, 0.15, 0.15, "<0.1", "violated"),
    "control file parallel write": ("System I/O", ABSENT, ABSENT, 0.98, 1, "0", "violated"),
    "os thread startup": ("Concurrency", 18, 14, 18, 18, "<12", "violated"),
}
WAITED = 10_000  # times, each event on each day


def tell_slide(target: Target) -> Story:
    """The four days of the slide; further days may be told after them."""
    story = Story(target, classes={event: columns[0] for event, columns in SLIDE.items()})
    for column, back in enumerate((90, 30, 7, 0), start=1):
        averages = {event: columns[column] for event, columns in SLIDE.items()}
        story.day(
            TODAY - timedelta(days=back),
            waits={
                event: (WAITED, 10 * float(average))
                for event, average in averages.items()
                if isinstance(average, int | float)
            },
        )
    return story
