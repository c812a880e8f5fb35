"""What speaks of the cause of each case, in numbers: usual days before a change began, and now."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from apps.advisors.case_figures import (
    CaseFigures,
    averages_below,
    cause_behind,
    share_keys,
    strains_of,
    work_keys,
)
from apps.advisors.engine import diagnosis, windows
from apps.advisors.engine.diagnosis import Evidence, MachineUser, StatisticChange, Strain
from apps.advisors.growers import find_growers
from apps.catalog.causes import Driven, Service, Shared, Stored
from apps.catalog.metric import Worse
from apps.catalog.registry import get_metric, is_metric
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.thresholds.engine.notation import LimitSide
from apps.thresholds.models import Violation

SHIFT_BEFORE = timedelta(
    days=60
)  # a level that shifted so long before a limit broke is taken as the beginning
THINGS = 3  # largest growers that are named


def diagnose_violations(
    target: Target, violations: Sequence[Violation], on: date
) -> dict[int, tuple[str, list[Evidence]]]:
    """
    Performance problem, capacity constraint or undetermined, with the evidence in numbers, by the violation's id.

    The figures of the target are read once for all, and those of its host and of the instances on it.
    """
    cases = [violation for violation in violations if is_metric(violation.metric)]
    begins = _begins(target, cases, on)
    data = CaseFigures.read(target, cases, begins, on)
    by_case = {violation.pk: _evidence_of(data, violation, begins[violation.pk]) for violation in cases}
    return {pk: (diagnosis.conclude(evidence), evidence) for pk, evidence in by_case.items()}


def _begins(target: Target, violations: Iterable[Violation], on: date) -> dict[int, date]:
    """When the change of each began: when it opened or was predicted, or at a shift of its level shortly before."""
    shifts = list(
        TrendChange.objects.filter(target=target, on__lte=on).exclude(state=TrendChange.State.REJECTED)
    )
    begins = {}
    for violation in violations:
        starts = [day for day in (violation.opened_on, violation.predicted_on) if day is not None]
        begin = min([*starts, on])
        near = [
            shift.on
            for shift in shifts
            if (shift.metric, shift.component) == (violation.metric, violation.component)
            and begin - SHIFT_BEFORE <= shift.on < begin
            and (shift.size is None or shift.size * _sign(violation) > 0)
        ]
        begins[violation.pk] = max(near, default=begin)
    return begins


def _sign(violation: Violation) -> int:
    """1 where more is worse, -1 where less is."""
    side = violation.threshold.limit.side if violation.threshold else LimitSide.NONE
    is_lower = violation.about.worse is Worse.LOWER if side is LimitSide.NONE else side is LimitSide.LOWER
    return -1 if is_lower else 1


def _evidence_of(data: CaseFigures, violation: Violation, begin: date) -> list[Evidence]:
    own, cause = data.own, cause_behind(violation)
    figure = own.change(violation.metric, violation.component, begin, violation.what)
    row = own.measured.row_of[violation.metric, violation.component]
    chosen = own.chosen(row, begin)
    stated = _figure_evidence(figure, chosen, begin)
    rise = None if figure.percent is None else figure.percent * _sign(violation)
    match cause:
        case Stored():
            return [*stated, *_store_evidence(data, violation, cause, begin)]
        case Driven():
            changes = [
                (own.change(key, "", begin), speaks_for) for key, speaks_for in cause.drivers if own.has(key)
            ]
            return [*stated, *diagnosis.judge_drivers(changes)]
        case Service():
            pieces = _appearance_evidence(data, violation, cause, begin) or [
                *stated,
                *_service_evidence(data, violation, cause, begin),
            ]
            return [*pieces, *_strain_evidence(data, violation, begin)]
        case Shared():
            return [*stated, *diagnosis.judge_users(rise, _users(data, cause, begin))]
    work = _work(data, violation, begin)
    return [*stated, *diagnosis.judge_work(rise, work), *_strain_evidence(data, violation, begin)]


def _work(data: CaseFigures, violation: Violation, begin: date) -> list[StatisticChange]:
    """The work of the target, but for what is made of the same readings as the figure: none is a witness for itself."""
    mine = violation.about.ingredients
    keys = [key for key, _ in work_keys(data.target) if not mine & get_metric(key).ingredients]
    return [data.own.change(key, "", begin) for key in keys]


def _appearance_evidence(
    data: CaseFigures, violation: Violation, cause: Service, begin: date
) -> list[Evidence]:
    """What speaks of operations that did not occur before the change began; nothing where they did."""
    name = violation.component
    average, count = (data.own.change(key, name, begin) for key in (cause.average, cause.count))
    if count.before is None or count.before > 0:
        return []
    return diagnosis.judge_appeared(average, count, _work(data, violation, begin))


def _figure_evidence(figure: StatisticChange, chosen: windows.Windows, begin: date) -> list[Evidence]:
    """The figure itself with the days that are compared, or that there are none; it speaks for nothing."""
    numbers: dict[str, object] = {"begin": begin.isoformat(), "is_before": chosen.is_before}
    if not chosen.is_enough:
        return [Evidence("nothing_before", changes=(figure,), numbers=numbers)]
    for when, days in (("before", chosen.before), ("now", chosen.now)):
        numbers |= {
            f"{when}_days": len(days),
            f"{when}_first": days[0].isoformat(),
            f"{when}_last": days[-1].isoformat(),
        }
    return [Evidence("figure", changes=(figure,), numbers=numbers)]


def _store_evidence(data: CaseFigures, violation: Violation, cause: Stored, begin: date) -> list[Evidence]:
    own, metric = data.own, get_metric(cause.used)
    row = own.measured.row_of[cause.used, violation.component]
    sign = -1 if metric.worse is Worse.LOWER else 1
    values = sign * own.measured.values[row]
    usable = own.usable[row]
    growth = windows.compute_growth(own.days, metric.to_display_unit(1.0) * values, usable, begin, data.on)
    return diagnosis.judge_growth(growth, metric.display_unit, _growers(data, cause, violation.component))


def _growers(data: CaseFigures, cause: Stored, component: str) -> list[StatisticChange]:
    """What grew most of that which is stored there."""
    things = data.things.get(cause.things)
    if things is None:
        return []
    growers = find_growers(data.target, things, cause, component)
    return [
        StatisticChange(grower.name, grower.unit, grower.before, grower.now) for grower in growers[:THINGS]
    ]


def _service_evidence(data: CaseFigures, violation: Violation, cause: Service, begin: date) -> list[Evidence]:
    name = violation.component
    average, count = data.own.change(cause.average, name, begin), data.own.change(cause.count, name, begin)
    is_of_each = violation.about.base == cause.average
    pieces = diagnosis.judge_service(average, count, is_of_each=is_of_each)
    speaks_for = pieces[0].speaks_for if pieces else ""
    for metric in averages_below(violation):
        for figures, of in ((data.own, ""), (data.of_machine, f" of {data.machine.name}")):
            component = figures.busiest(metric.key)
            if component is not None:
                label = f"{metric.called(component)}{of}"
                device = figures.change(metric.key, component, begin, label)
                pieces += diagnosis.judge_device(average, device, speaks_for)
    return pieces


def _strain_evidence(data: CaseFigures, violation: Violation, begin: date) -> list[Evidence]:
    """Whether the machine ran out of something; of what the figure is made of itself nothing is said."""
    pieces = []
    for key, limit in strains_of(data.machine):
        is_itself = data.machine == data.target and bool(
            violation.about.ingredients & get_metric(key).ingredients
        )
        now = None if is_itself else data.of_machine.change(key, "", begin).now
        if now is not None:
            metric = get_metric(key)
            pieces.append(
                diagnosis.judge_strain(
                    Strain(f"{metric.label} of {data.machine.name}", now, limit, metric.display_unit)
                )
            )
    return pieces


def _users(data: CaseFigures, cause: Shared, begin: date) -> list[MachineUser]:
    users = []
    for guest in data.guests:
        figures = data.of_guests[guest.pk]
        users += [
            MachineUser(
                figures.change(key, "", begin, guest.name),
                [figures.change(work, "", begin) for work, _ in work_keys(guest)],
            )
            for key, _ in share_keys(guest, [cause])
        ]
    return users
