"""The inputs of a calculator: as they are typed, and as a target has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max

from apps.advisors.calculators import Calculator, CalculatorInput
from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, is_of_platform
from apps.catalog.units import convert
from apps.charts import figures
from apps.inventory.models import Target
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage

NEWEST = 8  # days within which the newest figure counts


@dataclass(frozen=True)
class MeasuredInput:
    """What a target has of an input, in its unit, and where that is from: "SGA ceiling of DWPRD, MARTPRD on 21 Nov"."""

    values: tuple[float, ...]
    source: str


class BadInput(ValueError):
    """This cannot be an input; the message says what is expected."""


def _parse_number(text: str) -> float:
    """A number with a point, spaces or commas between thousands: "98,999,832". Raises BadInput."""
    plain = "".join(text.split()).replace(",", "").replace("\N{NARROW NO-BREAK SPACE}", "")
    try:
        value = float(plain)
    except ValueError:
        raise BadInput(f"“{text[:30]}” is no number; give one such as 35893 or 9.45.") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise BadInput(f"“{text[:30]}” is no number; give one such as 35893 or 9.45.")
    return value


def read_input(declared: CalculatorInput, text: str) -> tuple[float, ...]:
    """What was typed, inside its bounds; several numbers stand between semicolons or spaces. Raises BadInput."""
    parts = text.replace(";", " ").split() if declared.is_list else [text]
    values = tuple(_parse_number(part) for part in parts if part.strip())
    if not values and not declared.is_optional:
        raise BadInput(f"Give {declared.label.lower()}, for example {declared.example}.")
    for value in values:
        if not declared.least <= value <= declared.most:
            raise BadInput(f"Give {declared.label.lower()} from {declared.least:g} to {declared.most:g}.")
        if declared.is_whole and value != int(value):
            raise BadInput(f"{declared.label} is a whole number.")
    return values


def measured_inputs(calculator: Calculator, target: Target) -> Mapping[str, MeasuredInput]:
    """
    What a target, its machine or the instances on it have of the inputs, newest figures first; by input.

    Of a list all instances of the machine count, of the rest the target itself, else the machine that it runs on. As
    many queries for many instances as for one.
    """
    machine = target.runs_on or target
    around = [target, machine, *Target.objects.in_estate().filter(runs_on=machine).order_by("name")]
    members = list({member.pk: member for member in around}.values())
    last = Coverage.objects.filter(target__in=members).aggregate(last=Max("day"))["last"]
    metrics = {
        declared.key: metric for declared in calculator.inputs if (metric := find_metric(declared.metric))
    }
    if last is None or not metrics:
        return {}
    names = [(metric.key, "") for metric in metrics.values()]
    measured = read_series(members, names, last - timedelta(days=NEWEST - 1), last)
    filled = {}
    for declared in calculator.inputs:
        if declared.key not in metrics:
            continue
        metric = metrics[declared.key]
        newest = [
            (member, *figure)
            for member in members
            if is_of_platform(metric.key, member.platform)
            and (figure := measured[member.pk].newest((metric.key, ""))) is not None
        ]
        if newest:
            filled[declared.key] = _measured(declared, metric, newest if declared.is_list else newest[:1])
    return filled


def _measured(
    declared: CalculatorInput, metric: Metric, newest: Sequence[tuple[Target, float, date]]
) -> MeasuredInput:
    names_by_day: dict[date, list[str]] = {}
    for member, _, day in newest:
        names_by_day.setdefault(day, []).append(member.name)
    places = (f"{', '.join(names)} on {figures.short_day(day)}" for day, names in names_by_day.items())
    unit = declared.unit or metric.display_unit
    values = tuple(convert(value, metric.display_unit, unit) for _, value, _ in newest)
    return MeasuredInput(values, f"{metric.label} of {', '.join(places)}")
