"""The inputs of rules, resolved: a value of each by component, or none where it is missing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import nan, nextafter

import numpy as np

from apps.advisors.engine.finding_rules import FindingRule, Values
from apps.advisors.engine.rule_inputs import (
    DayQuality,
    DerivedInput,
    DeviceInput,
    FactInput,
    FigureInput,
    GrowthInput,
    LimitInput,
    QualityInput,
    RuleInput,
    Whose,
    leaves_of,
)
from apps.advisors.rule_readings import RuleReadings, figures_of_formula
from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import find_metric, get_metric
from apps.catalog.units import convert
from apps.forecasting.engine.true_room import mount_of
from apps.profiles.engine.growth import DAYS, growth_a_day
from apps.snapshots.dictionary import keys_of
from apps.snapshots.measured import Measured
from apps.thresholds.engine.notation import Form, Limit, significant
from apps.thresholds.models import Threshold
from apps.thresholds.precedence import find_applicable

LEAST_OF_GROWTH = 7  # days that a growth is told from
LEAST_OF_BACK = 5  # days that a median of days long ago is told from
NOTHING: Mapping[str, float] = {}
ByComponent = Mapping[str, float]


@dataclass(frozen=True)
class RuleFigures:
    """The inputs of rules on the days that were read, each resolved once."""

    readings: RuleReadings
    resolved: dict[tuple[str, date], ByComponent] = field(default_factory=dict)

    def values(self, rule: FindingRule, day: date) -> Values:
        """The inputs of a rule on a day; one that is missing has no value."""
        return {
            declared.key: self.resolve(declared, day) for declared in (*rule.inputs, *rule.optional_inputs)
        }

    def resolve(self, declared: RuleInput, day: date) -> ByComponent:
        """The values of an input on a day, by component; empty where it is missing, NaN where nothing occurred."""
        key = (declared.key, day)
        if key not in self.resolved:
            self.resolved[key] = _RESOLVERS[type(declared)](self, declared, day)
        return self.resolved[key]


def _figure(figures: RuleFigures, declared: FigureInput, day: date) -> ByComponent:
    if declared.whose is Whose.INSTANCES:
        return _figures_of_instances(figures, declared, day)
    if declared.back is not None:
        return _median_back(figures, declared, day)
    measured = figures.readings.of(declared.whose)
    if measured is None:
        return NOTHING
    if declared.is_each:
        names = figures.readings.components.get(declared.metric, [])
        values = {name: _value(measured, declared, name, day) for name in names}
    else:
        values = {"": _value(measured, declared, declared.component, day)}
    return {name: value for name, value in values.items() if value is not None}


def _value(measured: Measured, declared: FigureInput, component: str, day: date) -> float | None:
    """The figure in the unit of the input; NaN where it did not occur or rests on too few, None where it is missing."""
    row = measured.row_of.get((declared.metric, component))
    if row is None or day not in measured.coverage:
        return None
    column = _column(measured, day)
    if not measured.counts[row, column]:
        return None
    value = float(measured.totals[row, column])
    if np.isnan(value):
        is_nothing = measured.is_absent[row, column] or _is_undefined(measured, row, column)
        return nan if is_nothing else None
    if measured.is_thin[row, column]:
        return nan
    if declared.is_record:
        return _record(measured, declared, row, column)
    return _in_unit(measured.metrics[row], declared.unit, value)


def _column(measured: Measured, day: date) -> int:
    first = measured.days[0]
    assert first is not None
    return (day - first).days


def _in_unit(metric: Metric, unit: str, value: float) -> float:
    return significant(convert(value, metric.unit, unit) if unit else value)


def _is_undefined(measured: Measured, row: int, column: int) -> bool:
    """Whether a quotient has no value although all that it is made of was measured: nothing happened to divide by."""
    _, component = measured.keys[row]
    parts = figures_of_formula(measured.metrics[row])
    rows = [measured.row_of.get((part, component)) for part in parts]
    return bool(rows) and all(part is not None and measured.is_present[part, column] for part in rows)


def _record(measured: Measured, declared: FigureInput, row: int, column: int) -> float | None:
    """A maximum since start-up on the day that it was made; NaN on a day on which the record stood."""
    value, before = measured.values[row, column], measured.values[row, column - 1]
    day = measured.days[column]
    is_new = value > before or (day is not None and measured.coverage[day].restarts > 0)
    if np.isnan(before) and not is_new:
        return None
    return _in_unit(measured.metrics[row], declared.unit, float(value)) if is_new else nan


def _figures_of_instances(figures: RuleFigures, declared: FigureInput, day: date) -> ByComponent:
    """Of each instance on the machine; nothing where one of them lacks it."""
    values = {}
    for instance in figures.readings.instances:
        value = _value(figures.readings.around[instance.pk], declared, declared.component, day)
        if value is None:
            return NOTHING
        values[instance.name] = value
    return values


def _median_back(figures: RuleFigures, declared: FigureInput, day: date) -> ByComponent:
    measured = figures.readings.before
    if measured is None or declared.back is None:
        return NOTHING
    furthest, nearest = declared.back
    since = max(0, _column(measured, day - timedelta(days=furthest)))
    until = _column(measured, day - timedelta(days=nearest)) + 1
    medians = {}
    for row, (_, component) in enumerate(measured.keys):
        window = measured.values[row, since:until]
        good = window[
            measured.counts[row, since:until] & ~measured.is_thin[row, since:until] & ~np.isnan(window)
        ]
        if len(good) >= LEAST_OF_BACK:
            medians[component] = _in_unit(measured.metrics[row], declared.unit, float(np.median(good)))
    return medians


def _fact(figures: RuleFigures, declared: FactInput, day: date) -> ByComponent:
    for whose, name in declared.facts:
        if text := figures.readings.text(whose, name, day):
            value = declared.read(text)
            return {} if value is None else {"": value}
    return NOTHING


def _quality(figures: RuleFigures, declared: QualityInput, day: date) -> ByComponent:
    cover = figures.readings.own.coverage.get(day)
    if cover is None:
        return NOTHING
    if declared.quality is DayQuality.RESTARTS:
        return {"": float(cover.restarts)}
    fallen = [find_metric(key) for _, key, _ in keys_of([int(pk) for pk in cover.marks])]
    return {"": float(sum(metric is not None and metric.kind is Kind.COUNTER for metric in fallen))}


def _limit(figures: RuleFigures, declared: LimitInput, day: date) -> ByComponent:
    limits = {}
    for component in figures.readings.components.get(declared.metric, []):
        applicable = find_applicable(
            figures.readings.thresholds, figures.readings.target, declared.metric, component
        )
        bounds = [
            convert(bound, threshold.unit or declared.unit, declared.unit)
            for threshold in (winner.threshold for winner in applicable)
            if threshold.figure == Threshold.FigureOf.VALUE
            and not figures.readings.excluded.reason(day, with_peaks=threshold.leaves_out_peaks)
            and (bound := highest_comfortable(threshold.limit)) is not None
        ]
        if bounds:
            limits[component] = min(bounds)
    return limits


def highest_comfortable(limit: Limit) -> float | None:
    """The highest value that does not break a limit; None where it is not bounded from above."""
    if limit.second is not None:
        return None
    if limit.form is Form.ELIMINATE:
        return 0.0
    if limit.high is None:
        return None
    return nextafter(limit.high, -np.inf) if limit.form is Form.BELOW else limit.high


def _growth(figures: RuleFigures, declared: GrowthInput, day: date) -> ByComponent:
    measured = figures.readings.growing
    if measured is None:
        return NOTHING
    until = _column(measured, day) + 1
    sizes = np.where(measured.counts, measured.values, np.nan)[:, max(0, until - DAYS - 1) : until]
    is_known = ~np.isnan(sizes)
    is_enough = is_known[:, -1] & (is_known.sum(axis=1) >= LEAST_OF_GROWTH)
    growths = {}
    for row in np.flatnonzero(is_enough).tolist():
        _, component = measured.keys[row]
        own = [
            size if is_there else None
            for size, is_there in zip(sizes[row].tolist(), is_known[row], strict=True)
        ]
        if (growth := growth_a_day(own)) is not None:
            unit = declared.unit.partition("/")[0]
            growths[component] = _in_unit(measured.metrics[row], unit, growth)
    return growths


def _device(figures: RuleFigures, declared: DeviceInput, day: date) -> ByComponent:
    measured = figures.readings.of(Whose.HOST)
    places = [
        place.strip() for place in figures.readings.text(Whose.TARGET, declared.places, day).splitlines()
    ]
    if measured is None or not all(place.startswith("/") for place in places):
        return NOTHING
    mounts = figures.readings.names_of_facts(declared.device_of)
    devices = {
        figures.readings.text(Whose.HOST, f"{declared.device_of}/{mount_of(place, mounts)}", day)
        for place in places
    }
    plain = FigureInput(key=declared.key, label=declared.label, unit=declared.unit, metric=declared.metric)
    values = [_value(measured, plain, device, day) for device in sorted(devices) if device]
    measured_values = [value for value in values if value is not None]
    is_whole = measured_values and len(measured_values) == len(devices)
    return {"": max(measured_values)} if is_whole else NOTHING


def _derived(figures: RuleFigures, declared: DerivedInput, day: date) -> ByComponent:
    parts = [figures.resolve(part, day) for part in declared.inputs]
    if not all(parts):
        return NOTHING
    if declared.is_total:
        value = declared.compute(tuple(parts[0].values()), *(part[""] for part in parts[1:]))
        return {} if value is None else {"": value}
    each = [values for part, values in zip(declared.inputs, parts, strict=True) if part.is_each]
    names = [name for name in each[0] if all(name in values for values in each)] if each else [""]
    results = {
        name: declared.compute(
            *(
                values[name if part.is_each else ""]
                for part, values in zip(declared.inputs, parts, strict=True)
            )
        )
        for name in names
    }
    return {name: value for name, value in results.items() if value is not None}


_RESOLVERS: Mapping[type[RuleInput], Callable[..., ByComponent]] = {
    FigureInput: _figure,
    FactInput: _fact,
    QualityInput: _quality,
    LimitInput: _limit,
    GrowthInput: _growth,
    DeviceInput: _device,
    DerivedInput: _derived,
}


def source_of(declared: RuleInput) -> str:
    """What would give an input that is missing, in a sentence."""
    for part in (declared, *leaves_of(declared)):
        if part.needs:
            return part.needs
    keys = [leaf.metric for leaf in leaves_of(declared) if isinstance(leaf, FigureInput)]
    sources = [get_metric(key).source for key in keys if find_metric(key) is not None]
    named = next((source for source in sources if source != "derived"), "")
    return f"It is read from {named}." if named else "It needs a whole day of readings."
