"""What people do with a study: make it, name figures, accept costs, share out the gain, and close it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db import transaction

from apps.advisors.models import (
    ActionPlan,
    ChangeStudy,
    StudyAcceptance,
    StudyAim,
    StudyCause,
)
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_figures import aim_of
from apps.advisors.study_plan import list_figures, windows_of
from apps.advisors.study_registry import find_kind
from apps.advisors.study_releases import refuse_other_release
from apps.advisors.study_result import StudyResult
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, is_metric
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.engine.periods import LEAST_DAYS, BadPeriod, Period
from apps.snapshots.dictionary import series_ids
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage
from apps.thresholds.case_steps import Refusal
from apps.thresholds.engine.proposed_limit import ProposedLimit, propose_limit
from apps.thresholds.models import Threshold
from apps.thresholds.register import no_limit_because

MOST_AIMS, MOST_CAUSES = 30, 12
WHOLE = 100  # percent
REVISIT_AFTER = timedelta(days=30)  # a profile is looked at again a month after a study is closed


@dataclass(frozen=True, kw_only=True)
class StudyDraft:
    """A study as it was typed: a question, a change, two windows, both ends included, and what its kind asks for beside them."""

    target: Target
    question: str
    change: str
    before: tuple[date, date]
    after: tuple[date, date]
    is_of_release: bool = False
    kind: str = "days"
    fields: Mapping[str, str] = field(default_factory=dict)


def make_study(draft: StudyDraft, *, by: User | None, now: datetime) -> ChangeStudy:
    """
    Store a study. Raises Refusal, with a sentence, for windows that overlap, lack days or have another release each, and for
    what its kind refuses.
    """
    kind = find_kind(draft.kind)
    before, after = _windows(draft) if kind.is_of_days else (Period(*draft.before), Period(*draft.after))
    release = {"is_of_release": "yes"} if draft.is_of_release else {}
    fields = kind.read_fields(draft.target, {**draft.fields, **release})
    if kind.is_of_days:
        for window, name in ((before, "before"), (after, "after")):
            _refuse_without_days(draft.target, window, name, now)
        if not draft.is_of_release:
            refuse_other_release(draft.target, before.last, after.last)
    return ChangeStudy.objects.create(
        target=draft.target,
        question=draft.question.strip(),
        change=draft.change.strip(),
        before_from=before.first,
        before_to=before.last,
        after_from=after.first,
        after_to=after.last,
        is_of_release=draft.is_of_release,
        kind=kind.key,
        windows=fields,
        made_by=by,
        made_at=now,
    )


def study_from_plan(
    plan: ActionPlan, *, question: str, change: str, by: User | None, now: datetime
) -> ChangeStudy:
    """A study with the windows and the figures of a plan. Raises Refusal where the plan has no days after yet."""
    before, after = windows_of(plan)
    if before is None or after is None:
        raise Refusal("The plan has no days after its change yet.")
    draft = StudyDraft(
        target=plan.violation.target,
        question=question,
        change=change,
        before=(before.first, before.last),
        after=(after.first, after.last),
    )
    with transaction.atomic():
        study = make_study(draft, by=by, now=now)
        for figure in list_figures(plan):
            add_aim(study, figure.metric, figure.component, figure.aim)
    return study


def _windows(draft: StudyDraft) -> tuple[Period, Period]:
    try:
        before, after = Period(*draft.before), Period(*draft.after)
    except BadPeriod as error:
        raise Refusal(str(error)) from None
    if before.last >= after.first:
        raise Refusal(
            f"The window before ends on {before.last:%-d %B %Y}, not before the window after begins on"
            f" {after.first:%-d %B %Y}; choose days that do not overlap."
        )
    for window, name in ((before, "before"), (after, "after")):
        if len(window) < LEAST_DAYS:
            raise Refusal(
                f"The window {name} has {len(window)} of the {LEAST_DAYS} days that it needs to tell a change from noise."
            )
    return before, after


def _refuse_without_days(target: Target, window: Period, name: str, now: datetime) -> None:
    """Days that are still to come may lack."""
    if window.last >= now.astimezone(target.zone).date():
        if name == "after":
            return
        raise Refusal("The window before must be over; choose days that have gone by.")
    read = Coverage.objects.filter(target=target, day__range=(window.first, window.last)).count()
    if read < LEAST_DAYS:
        raise Refusal(
            f"{target.name} was read on {read} of the {len(window)} days {name} the change; {LEAST_DAYS} are needed."
        )


def add_aim(study: ChangeStudy, metric: str, component: str, aim: str) -> StudyAim:
    """
    Name a figure, or change what is aimed at. Raises Refusal for an aim that is none, one too many, a figure that the windows
    cannot have, and a closed study.
    """
    _refuse_closed(study)
    kind = find_kind(study.kind)
    if not kind.is_of_days:
        raise Refusal("This study shows every figure that both have; none is named.")
    metric = kind.statistic_of(metric, study.windows)
    if not is_metric(metric):
        raise Refusal(
            f"{metric} is no statistic that a study of {kind.title.lower()} can have; name another one."
        )
    aim_of(metric, aim)
    if study.aims.exclude(metric=metric, component=component).count() >= MOST_AIMS:
        raise Refusal(f"A study has at most {MOST_AIMS} figures; remove one first.")
    row, _ = StudyAim.objects.update_or_create(
        study=study, metric=metric, component=component, defaults={"aim": aim.strip()}
    )
    if kind.is_rolled_up:  # what has a series is rolled up
        series_ids([(get_metric(metric).category, metric, component)])
    return row


def accept_cost(
    study: ChangeStudy,
    metric: str,
    component: str,
    *,
    reason: str,
    until: date,
    by: User | None,
    now: datetime,
) -> StudyAcceptance:
    """Accept what got worse as the cost of the change. Raises Refusal without a reason, and for a day that has gone by."""
    if not reason.strip():
        raise Refusal("Say why it is accepted, for example: the array is replaced in May.")
    today = now.astimezone(study.target.zone).date()
    if until < today:
        raise Refusal(f"{until:%-d %B %Y} has gone by; give {today:%-d %B %Y} or a later day.")
    row, _ = StudyAcceptance.objects.update_or_create(
        study=study,
        metric=metric,
        component=component,
        defaults={"reason": reason.strip(), "until": until, "by": by, "at": now},
    )
    return row


def add_cause(study: ChangeStudy, text: str, share: int, *, by: User | None) -> StudyCause:
    """Put a share of the gain down to a part of the change. Raises Refusal where shares come to more than the whole."""
    _refuse_closed(study)
    with transaction.atomic():
        ChangeStudy.objects.select_for_update().get(pk=study.pk)
        shares = list(study.causes.values_list("share", flat=True))
        if len(shares) >= MOST_CAUSES:
            raise Refusal(f"A study has at most {MOST_CAUSES} causes; remove one first.")
        if not 1 <= share <= WHOLE - sum(shares):
            rest = WHOLE - sum(shares)
            raise Refusal(
                f"The causes have {sum(shares)} % of the gain; give a share from 1 to {rest} %."
                if rest
                else "The causes have all of the gain; remove one first."
            )
        return StudyCause.objects.create(study=study, text=text.strip(), share=share, by=by)


def close_study(study: ChangeStudy, conclusion: str, *, by: User | None, now: datetime) -> ChangeStudy:
    """
    Close a study with its conclusion; its profile is due to be looked at again a month later.

    Raises Refusal while days after the change are to come, without a conclusion, and where it is closed already.
    """
    _refuse_closed(study)
    if not conclusion.strip():
        raise Refusal("Say what came of it, in a sentence.")
    if not compare_study(study).is_over:
        raise Refusal(
            f"The window after ends on {study.after_to:%-d %B %Y}; close the study once that day was reviewed."
        )
    study.conclusion, study.closed_by, study.closed_at = conclusion.strip(), by, now
    study.revisit_on = now.astimezone(study.target.zone).date() + REVISIT_AFTER
    study.save()
    return study


def _refuse_closed(study: ChangeStudy) -> None:
    if study.closed_at is not None:
        raise Refusal(f"This study was closed on {study.closed_at:%-d %B %Y}; make another one.")


@dataclass(frozen=True)
class NextLimit:
    """The threshold that the days after a change suggest for a figure, beside the one it has."""

    metric: Metric
    component: str
    proposal: ProposedLimit
    existing: Threshold | None


def propose_next_limits(study: ChangeStudy, result: StudyResult) -> Iterator[NextLimit]:
    """A threshold for each figure with an aim, from the days after the change; none where a figure takes no limit."""
    figures = [figure for figure in result.aimed if not no_limit_because(figure.metric)]
    pairs = [(figure.metric.key, figure.component) for figure in figures]
    if not pairs:
        return
    measured = read_series([study.target], pairs, study.after_from, study.after_to)[study.target.pk]
    thresholds = list(Threshold.objects.touching([study.target]))
    for figure in figures:
        key = (figure.metric.key, figure.component)
        row = measured.row_of[key]
        values = measured.totals[row] * figure.metric.to_display_unit(1.0)
        proposal = propose_limit(values, figure.metric.worse, is_share=figure.metric.is_percent)
        existing = next(
            (
                each
                for each in thresholds
                if each.metric == key[0] and each.covers(key[1]) and each.reaches(study.target)
            ),
            None,
        )
        yield NextLimit(figure.metric, figure.component, proposal, existing)
