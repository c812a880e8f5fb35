"""Violations as reviews and people leave them, for tests of reports."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from apps.advisors.models import Action, ActionPlan
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.models import Step, Threshold, Violation
from apps.thresholds.register import add_threshold

State = Violation.State
MONDAY = date(2026, 6, 22)  # of the week that is reported
SUNDAY = date(2026, 6, 28)
NEXT_MORNING = datetime(2026, 6, 29, 7, tzinfo=UTC)


def night_after(day: date) -> datetime:
    """When a day is reviewed."""
    return datetime.combine(day + timedelta(days=1), time(0, 30), UTC)


def limit(target: Target, notation: str = "<100", *, component: str = "DATA", **fields: Any) -> Threshold:
    return add_threshold(
        "x_used", notation, target=target, component=component, now=night_after(date(2026, 1, 1)), **fields
    )[0]


def _violation(threshold: Threshold, component: str, **fields: Any) -> Violation:
    assert threshold.target is not None
    about = {
        name: getattr(threshold, name)
        for name in ("target", "metric", "notation", "unit", "severity", "owner")
    }
    return Violation.objects.create(threshold=threshold, component=component, **{**about, **fields})


def opened(
    threshold: Threshold, on: date, *, component: str = "DATA", value: float = 120, **fields: Any
) -> Violation:
    """A violation that a review opened."""
    due = on + timedelta(days=threshold.lead_time_days)
    defaults = {"opened_on": on, "due_on": due, "judged_on": on, "reviewed_on": on, "value": value}
    violation = _violation(threshold, component, **{**defaults, **fields})
    Step.objects.create(
        violation=violation, at=night_after(on), on=on, after=State.OPEN, why="Over its limit."
    )
    return violation


def ended(violation: Violation, on: date) -> None:
    """The review closed it."""
    violation.state, violation.closed_on = State.RESOLVED, on
    violation.save()
    Step.objects.create(
        violation=violation, at=night_after(on), on=on, before=State.OPEN, after=State.RESOLVED
    )


def came_back(violation: Violation, on: date) -> None:
    """It broke its limit again, soon after it was resolved."""
    violation.state, violation.closed_on = State.OPEN, None
    violation.save()
    Step.objects.create(
        violation=violation, at=night_after(on), on=on, before=State.RESOLVED, after=State.OPEN
    )


def foreseen(
    threshold: Threshold, on: date, likely: date, *, component: str = "DATA", **fields: Any
) -> Violation:
    """A violation that a review predicted, with its forecast."""
    defaults = {"state": State.PREDICTED, "predicted_on": on, "value": 80.0}
    violation = _violation(threshold, component, **{**defaults, **fields})
    Step.objects.create(violation=violation, at=night_after(on), on=on, after=State.PREDICTED)
    forecast(threshold, on, likely, component=component)
    return violation


def forecast(threshold: Threshold, on: date, likely: date | None, *, component: str = "DATA") -> Forecast:
    assert threshold.target is not None
    return Forecast.objects.create(
        target=threshold.target,
        metric=threshold.metric,
        component=component,
        threshold=threshold,
        notation=threshold.notation,
        unit=threshold.unit,
        made_on=on,
        method="weighted-3",
        horizon=90,
        value=80.0,
        chance=0.8 if likely else 0.1,
        is_likely=likely is not None,
        likely_on=likely,
        soonest_on=likely - timedelta(days=5) if likely else None,
        path={"7": [82, 80, 84], "30": [95, 90, 101], "90": [130, 110, 150]},
    )


def person(name: str = "ada", **fields: Any) -> User:
    return User.objects.create(username=name, first_name=name.capitalize(), last_name="Petrov", **fields)


def plan(violation: Violation, text: str, due_on: date | None = None) -> Action:
    made = ActionPlan.objects.create(violation=violation, made_at=night_after(MONDAY))
    return Action.objects.create(plan=made, text=text, owner=violation.owner, due_on=due_on)
