"""What speaks of the cause of each case, in numbers: usual days before a change began, and now."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from apps.advisors import diagnosis, windows
from apps.advisors.diagnosis import Change, Evidence, Strain, User
from apps.advisors.scene import (
    Scene,
    averages_below,
    cause_behind,
    share_keys,
    strains_of,
    work_keys,
)
from apps.catalog.causes import Driven, Service, Shared, Stored
from apps.catalog.metric import Worse
from apps.catalog.registry import get_metric, is_metric
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.snapshots.models import Fact
from apps.thresholds.models import Violation
from apps.thresholds.notation import LimitSide

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
    scene = Scene.read(target, cases, begins, on)
    found = {violation.pk: _evidence_of(scene, violation, begins[violation.pk]) for violation in cases}
    return {pk: (diagnosis.verdict_of(evidence), evidence) for pk, evidence in found.items()}


def _begins(target: Target, violations: Iterable[Violation], on: date) -> dict[int, date]:
    """When the change of each began: when it opened or was predicted, or at a shift of its level shortly before."""
    shifts = list(
        TrendChange.objects.filter(target=target, on__lte=on).exclude(state=TrendChange.State.REJECTED)
    )
    found = {}
    for violation in violations:
        known = [day for day in (violation.opened_on, violation.predicted_on) if day is not None]
        begin = min([*known, on])
        near = [
            shift.on
            for shift in shifts
            if (shift.metric, shift.component) == (violation.metric, violation.component)
            and begin - SHIFT_BEFORE <= shift.on < begin
            and (shift.size is None or shift.size * _sign(violation) > 0)
        ]
        found[violation.pk] = max(near, default=begin)
    return found


def _sign(violation: Violation) -> int:
    """1 where more is worse, -1 where less is."""
    side = violation.threshold.limit.side if violation.threshold else LimitSide.NONE
    is_lower = violation.about.worse is Worse.LOWER if side is LimitSide.NONE else side is LimitSide.LOWER
    return -1 if is_lower else 1


def _evidence_of(scene: Scene, violation: Violation, begin: date) -> list[Evidence]:
    own, cause = scene.own, cause_behind(violation)
    figure = own.change(violation.metric, violation.component, begin, violation.what)
    row = own.measured.row_of[violation.metric, violation.component]
    chosen = own.chosen(row, begin)
    stated = _stated(figure, chosen, begin)
    rise = None if figure.percent is None else figure.percent * _sign(violation)
    match cause:
        case Stored():
            return [*stated, *_of_store(scene, violation, cause, begin)]
        case Driven():
            changes = [
                (own.change(key, "", begin), speaks_for) for key, speaks_for in cause.drivers if own.has(key)
            ]
            return [*stated, *diagnosis.judge_drivers(changes)]
        case Service():
            found = _appeared(scene, violation, cause, begin) or [
                *stated,
                *_of_service(scene, violation, cause, begin),
            ]
            return [*found, *_of_strains(scene, violation, begin)]
        case Shared():
            return [*stated, *diagnosis.judge_users(rise, _users(scene, cause, begin))]
    work = _work(scene, violation, begin)
    return [*stated, *diagnosis.judge_work(rise, work), *_of_strains(scene, violation, begin)]


def _work(scene: Scene, violation: Violation, begin: date) -> list[Change]:
    """The work of the target, but for what is made of the same readings as the figure: none is a witness for itself."""
    mine = violation.about.ingredients
    keys = [key for key, _ in work_keys(scene.target) if not mine & get_metric(key).ingredients]
    return [scene.own.change(key, "", begin) for key in keys]


def _appeared(scene: Scene, violation: Violation, cause: Service, begin: date) -> list[Evidence]:
    """What speaks of operations that did not occur before the change began; nothing where they did."""
    name = violation.component
    average, count = (scene.own.change(key, name, begin) for key in (cause.average, cause.count))
    if count.before is None or count.before > 0:
        return []
    return diagnosis.judge_appeared(average, count, _work(scene, violation, begin))


def _stated(figure: Change, chosen: windows.Windows, begin: date) -> list[Evidence]:
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


def _of_store(scene: Scene, violation: Violation, cause: Stored, begin: date) -> list[Evidence]:
    own, metric = scene.own, get_metric(cause.used)
    row = own.measured.row_of[cause.used, violation.component]
    sign = -1 if metric.worse is Worse.LOWER else 1
    values = sign * own.measured.values[row]
    usable = own.usable[row]
    growth = windows.growth_of(own.days, metric.shown(1.0) * values, usable, begin, scene.on)
    return diagnosis.judge_growth(growth, metric.display_unit, _growers(scene, cause, violation.component))


def _growers(scene: Scene, cause: Stored, component: str) -> list[Change]:
    """What grew most of that which is stored there, between the first and the last time it was read in the last weeks."""
    measured = scene.things.get(cause.things)
    if measured is None:
        return []
    inside = _stored_in(scene.target, cause.stored_in, component) if cause.stored_in else None
    metric, changes = get_metric(cause.things), []
    for (key, name), row in measured.row_of.items():
        known = measured.values[row][measured.is_present[row]]
        if key != cause.things or len(known) < 2 or (inside is not None and name not in inside):
            continue
        first, last = metric.shown(float(known[0])), metric.shown(float(known[-1]))
        changes.append(Change(name, metric.display_unit, first, last))
    changes.sort(key=lambda change: (change.before or 0) - (change.now or 0))
    return changes[:THINGS]


def _stored_in(target: Target, fact: str, component: str) -> set[str]:
    """The things that lie in a component, by the newest that is known."""
    newest = (
        Fact.objects.filter(target=target, name=fact).order_by("component", "-since").distinct("component")
    )
    return {
        thing for thing, where in newest.values_list("component", "value") if component in where.split("\n")
    }


def _of_service(scene: Scene, violation: Violation, cause: Service, begin: date) -> list[Evidence]:
    name = violation.component
    average, count = scene.own.change(cause.average, name, begin), scene.own.change(cause.count, name, begin)
    is_of_each = violation.about.base == cause.average
    found = diagnosis.judge_service(average, count, is_of_each=is_of_each)
    speaks_for = found[0].speaks_for if found else ""
    for metric in averages_below(violation):
        for figures, of in ((scene.own, ""), (scene.of_machine, f" of {scene.machine.name}")):
            component = figures.busiest(metric.key)
            if component is not None:
                label = f"{component} {metric.label}{of}".strip()
                device = figures.change(metric.key, component, begin, label)
                found += diagnosis.judge_device(average, device, speaks_for)
    return found


def _of_strains(scene: Scene, violation: Violation, begin: date) -> list[Evidence]:
    """Whether the machine ran out of something; of what the figure is made of itself nothing is said."""
    found = []
    for key, limit in strains_of(scene.machine):
        is_itself = scene.machine == scene.target and bool(
            violation.about.ingredients & get_metric(key).ingredients
        )
        now = None if is_itself else scene.of_machine.change(key, "", begin).now
        if now is not None:
            metric = get_metric(key)
            found.append(
                diagnosis.judge_strain(
                    Strain(f"{metric.label} of {scene.machine.name}", now, limit, metric.display_unit)
                )
            )
    return found


def _users(scene: Scene, cause: Shared, begin: date) -> list[User]:
    users = []
    for guest in scene.guests:
        figures = scene.of_guests[guest.pk]
        users += [
            User(
                figures.change(key, "", begin, guest.name),
                [figures.change(work, "", begin) for work, _ in work_keys(guest)],
            )
            for key, _ in share_keys(guest, [cause])
        ]
    return users
