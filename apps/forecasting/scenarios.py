"""Scenarios side by side: every limited figure that they move, with the day of its breach in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.forecasting.ahead import Ahead, Planned, look_ahead
from apps.forecasting.breach import Breach
from apps.forecasting.changes import Change
from apps.forecasting.figures import Key
from apps.forecasting.foresee import Foreseen
from apps.forecasting.headroom import slack
from apps.forecasting.methods import LONGEST_HORIZON, Forecasts
from apps.forecasting.models import PlannedChange, Scenario
from apps.forecasting.planned import decided_changes, planned_for
from apps.forecasting.predict import wanted_figures
from apps.inventory.models import Target
from apps.thresholds.models import Threshold


@dataclass(frozen=True)
class Moved:
    """One figure under one limit: what is foreseen without the scenarios, and with each."""

    target: Target
    threshold: Threshold
    component: str
    on: date
    value: float | None  # in the unit the profile shows
    baseline: Breach
    outcomes: Sequence[Breach]

    def likely_on(self, told: Breach) -> date | None:
        return None if told.day is None else self.on + timedelta(days=told.day)

    def slack(self, told: Breach) -> int | None:
        return slack(told.day, self.threshold.lead_time_days)


def compare(scenarios: Sequence[Scenario], targets: Sequence[Target], today: date) -> list[Moved]:
    """
    Every limited figure that any of the scenarios moves within 180 days, the soonest breach first.

    The baseline has what was decided in it, as the nightly forecast has; a scenario has its own changes on top.
    """
    planned = [list(one.changes.select_related("target", "group")) for one in scenarios]
    found: list[Moved] = []
    for target in targets:
        if any(one.reaches(target) for changes in planned for one in changes):
            found += _moved(target, planned, target.reviewed_through or today - timedelta(days=1))
    far = LONGEST_HORIZON + 1
    return sorted(
        found,
        key=lambda one: (
            min(told.day or far for told in (one.baseline, *one.outcomes)),
            one.target.name,
            one.component,
        ),
    )


@dataclass(frozen=True)
class Course:
    """What is foreseen of one figure in a scenario: row 0 of the forecasts, and each of its limits."""

    scenario: Scenario
    forecasts: Forecasts
    breaches: Sequence[Breach]


def courses(told: Foreseen) -> list[Course]:
    """The scenarios that move a figure, or what a limit of it asks for besides, by name; each on top of what is decided."""
    ahead, limits = told.ahead, told.limits
    keys = list(dict.fromkeys(key for key, _ in ahead.rows))
    decided = decided_changes([told.target])
    every = Scenario.objects.filter(changes__decided_at=None, changes__on__gt=told.on).distinct()
    found = []
    for scenario in every.prefetch_related("changes__target", "changes__group"):
        own = [one for one in scenario.changes.all() if one.decided_at is None and one.reaches(told.target)]
        planned = planned_for(told.target, keys, told.on, [*decided, *own]) if own else ahead.decided
        if any(_within(planned, key, ahead) != _within(ahead.decided, key, ahead) for key in keys):
            forecasts = ahead.with_planned(planned)
            found.append(Course(scenario, forecasts, ahead.breaches(limits, forecasts)))
    return found


def _within(planned: Planned, key: Key, ahead: Ahead) -> list[tuple[int, Change]]:
    """The changes of a figure that come within the horizon."""
    return [(day, change) for day, change in planned.get(key, ()) if day <= ahead.plain.horizon]


def _moved(target: Target, planned: Sequence[Sequence[PlannedChange]], on: date) -> list[Moved]:
    wanted = wanted_figures(target, on)
    keys = list(dict.fromkeys(key for one in wanted for key in one.keys))
    decided = decided_changes([target])
    base = planned_for(target, keys, on, decided)
    known = {one.pk for one in decided}
    own = [[one for one in changes if one.pk not in known] for changes in planned]
    sets = [planned_for(target, keys, on, [*decided, *changes]) for changes in own]
    moved = {key for one in sets for key, changes in one.items() if changes != base.get(key)}
    limits = [one for one in wanted if moved.intersection(one.keys)]
    if not limits:
        return []
    ahead = look_ahead(target, limits, on, horizon=LONGEST_HORIZON)
    told = [ahead.breaches(limits, ahead.with_planned(one)) for one in (base, *sets)]
    found = []
    for number, one in enumerate(limits):
        value = ahead.shown(one, float(ahead.plain.last[ahead.row(one)]))
        found.append(
            Moved(
                target=target,
                threshold=one.threshold,
                component=one.component,
                on=on,
                value=None if value != value else value,
                baseline=told[0][number],
                outcomes=[each[number] for each in told[1:]],
            )
        )
    return found
