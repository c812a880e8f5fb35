"""What a figure does at the limit that it comes to, said once for pages, reports and commands."""

from apps.outlook.figure import Outlook
from apps.outlook.room import is_full_at_limit
from apps.thresholds.judge import FigureState


def crossing_words(outlook: Outlook) -> str:
    """
    "is full" of what can grow no further than its limit, "reaches 50 GB/day" of everything else.

    What the last review forecast and is comfortable all the same, because its day is only just likelier than not,
    "may reach" it.
    """
    is_likely = outlook.forecast is None or outlook.state is not FigureState.COMFORTABLE
    if is_full_at_limit(outlook):
        return "is full" if is_likely else "may be full"
    return f"{'reaches' if is_likely else 'may reach'} {outlook.edge_words}"
