"""
What users experience, as others measure it and people agree on it: whatever the technology of a target is.

Its figures are given day by day, never read; what a figure is of is its component, named as people call it.
"""

import re

from apps.catalog.metric import Display, Kind, Metric, Worse
from apps.catalog.section import Section

EXPERIENCE = 200  # the category of what is given
PROMISED = Section("What users were promised", "as it was given")
LATEST_END = 47  # the hour of the last moment that ends a day: 23:59 of the day after

RESPONSE = Metric(
    key="user_response_s",
    label="response that users have",
    help="How long users wait for a login or a transaction, as it was measured where they work.",
    section=PROMISED,
    kind=Kind.GAUGE,
    unit="s",
    worse=Worse.HIGHER,
    source="users",
    category=EXPERIENCE,
    component_kind="transaction",
    display=Display(rows=12, called="response of {}"),
)
BATCH_END = Metric(
    key="batch_end_h",
    label="end of the batch",
    help="When a batch was through, in hours after the midnight that begins its day: 5.5 is 05:30, and 25 is 01:00 of the day after.",
    section=PROMISED,
    kind=Kind.GAUGE,
    unit="h",
    worse=Worse.HIGHER,
    source="users",
    category=EXPERIENCE,
    component_kind="batch",
    display=Display(rows=12, called="end of {}"),
)
METRICS = (RESPONSE, BATCH_END)
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)")


def hours_of_clock(text: str) -> float | None:
    """“05:30” as hours after midnight, up to 47:59 for what ends on the day after; None where it is no time of the clock."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None or int(match[1]) > LATEST_END:
        return None
    return int(match[1]) + int(match[2]) / 60
