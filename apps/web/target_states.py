"""The state of each target: the worst of its cases, or that nothing is known."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from apps.collection.unread_targets import UnreadTarget
from apps.inventory.models import Target
from apps.outlook.case_text import state_of_case
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.thresholds.models import Threshold, Violation


def states(
    targets: QuerySet[Target], unread: Mapping[int, UnreadTarget], live: Iterable[Violation] | None = None
) -> dict[int, FigureState | None]:
    """
    The state of each target: nothing is known of the `unread` ones and before a first review, of others it is the worst of their cases.

    None for a target without any limit. The `live` cases of the targets are read where they are not at hand.
    """
    cases: dict[int, set[FigureState]] = {}
    if live is None:
        every = Violation.objects.live().filter(target__in=targets)
        live = every.only("target_id", "opened_on", "closed_on", "days_inside")
    for case in live:
        cases.setdefault(case.target_id, set()).add(state_of_case(case))
    limits = Threshold.objects.in_force().order_by()
    limited = set(limits.values_list("target_id", flat=True).distinct())
    groups = set(limits.exclude(group=None).values_list("group_id", flat=True).distinct())

    def state(target: Target) -> FigureState | None:
        if target.pk in unread:
            return FigureState.NO_DATA
        if target.pk in cases:
            return min(cases[target.pk], key=WORST_FIRST.index)
        if target.pk not in limited and target.group_id not in groups:
            return None
        return FigureState.COMFORTABLE if target.reviewed_through is not None else FigureState.NO_DATA

    return {target.pk: state(target) for target in targets}
