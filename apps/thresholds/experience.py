"""What users were promised: the figures that are agreed on with their limits, and the values that people and programs give."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.catalog import experience
from apps.catalog.metric import Metric
from apps.collection.engine.user_days import BadUserDays, UserDays, read_user_days
from apps.collection.models import UserFigureToken
from apps.collection.sender_tokens import count_sending, issue_token, note_outcome
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.imported_days import oldest_kept
from apps.snapshots.user_figures import store_user_figures
from apps.thresholds.models import Threshold
from apps.thresholds.register import BadThreshold, add_threshold

LONGEST_NAME = 60
KEYS = tuple(metric.key for metric in experience.METRICS)


@dataclass(frozen=True)
class AgreedFigure:
    """A figure of user experience that is agreed on, and the limit that says what was promised."""

    metric: Metric
    name: str
    threshold: Threshold


def agreed_figures(target: Target) -> Sequence[AgreedFigure]:
    """What users of a target were promised: the limits that hold for it, of a figure each."""
    limits = Threshold.objects.touching([target]).filter(metric__in=KEYS).exclude(component="")
    return [
        AgreedFigure(threshold.about, threshold.component, threshold)
        for threshold in limits
        if threshold.reaches(target) and not threshold.is_pattern
    ]


def agree(target: Target, metric: Metric, name: str, most: float, *, by: User | None, now: datetime) -> None:
    """Agree on a figure: its limit is registered like any other. Raises BadThreshold for a name that is agreed on already."""
    name = " ".join(name.split())
    if any(figure.name.casefold() == name.casefold() for figure in agreed_figures(target)):
        raise BadThreshold(f"“{name}” is agreed on already; change its limit.")
    add_threshold(metric.key, f"<={most:g}", now=now, target=target, component=name, set_by=by)


def read_values(target: Target, content: bytes, now: datetime) -> UserDays:
    """Read values of what users of a target were promised. Raises BadUserDays."""
    agreed = {figure.name: figure.metric for figure in agreed_figures(target)}
    return read_user_days(content, agreed, oldest_kept(now), now.astimezone(target.zone).date())


def renew_user_figure_token(target: Target, person: User, now: datetime) -> str:
    """A new token for values of a target, shown once; the one before is good for nothing from now on."""
    UserFigureToken.objects.filter(target=target).delete()
    return issue_token(UserFigureToken(target=target), person, now)


def receive_values(token: str, content: bytes, now: datetime) -> UserDays:
    """Store the values that a program sends with a token. Raises UnknownToken, TooOften and BadUserDays."""
    tokens = UserFigureToken.objects.select_related("target")
    sender = count_sending(tokens, token, now, page="target, What users were promised,")
    try:
        values = read_values(sender.target, content, now)
    except BadUserDays as error:
        note_outcome(sender, now, f"Refused: {error}")
        raise
    store_user_figures(sender.target, values.days)
    note_outcome(sender, now, f"{len(values):,} {'value' if len(values) == 1 else 'values'} stored.")
    return values
