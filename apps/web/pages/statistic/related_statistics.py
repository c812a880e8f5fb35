"""What moves with a statistic, and what the method reads beside it, as the page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse

from apps.advisors.observation import advise_on
from apps.catalog.metric import Metric
from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.neighbours import read_neighbours
from apps.profiles.related_statistics import DAYS, RelatedStatistics, find_related
from apps.web.date_range import file_name
from apps.web.pages.statistic.related_tables import (
    MOVERS,
    Companion,
    Mover,
    companions_table,
    lag_in_words,
    signed,
)
from apps.web.sentences import Part, capital, count
from apps.web.tables import FilledTable

TOLD = (
    "Chance is how likely so strong a ρ is without any relation, after these comparisons (Benjamini-Hochberg), with"
    " days that resemble or undo earlier ones counted for less; up to 5 % is told."
)


@dataclass(frozen=True)
class ShownRelated:
    """The section: its sentence, its two tables, and what was tried in words."""

    sentence: Sequence[Part]
    movers: FilledTable[Mover]
    tried: Sequence[str]
    neighbours: FilledTable[Companion]
    missing: Sequence[tuple[str, str]]
    advice: str
    until: date


def show_related(target: Target, metric: Metric, component: str, until: date) -> ShownRelated:
    """Everything the section says of one statistic."""
    found = find_related(target, metric, component, until)
    beside = read_neighbours(target, metric.key, component, until)

    def url(other: Target, other_metric: Metric, other_component: str) -> str:
        return pair_url(target, metric, component, other, other_metric, other_component, until)

    return ShownRelated(
        _sentence(found, component or metric.label),
        MOVERS.fill(
            (Mover(series, url(series.target, series.metric, series.component)) for series in found.movers),
            file_name=f"{file_name(metric.key)}-movers-{until}",
        ),
        _tried(found),
        companions_table(until).fill(
            (
                Companion(other, url(other.target, other.row.metric, other.row.component))
                for other in beside.neighbours
            ),
            file_name=f"{file_name(metric.key)}-beside-{until}",
        ),
        [(capital(subject), reason) for subject, reason in beside.missing],
        " ".join(str(advice) for advice in advise_on(target, metric.key, component, until, beside)),
        until,
    )


def _sentence(found: RelatedStatistics, name: str) -> list[Part]:
    if not found.is_enough:
        return [
            Part("Too few days to tell", True),
            Part(
                f": {found.known_days} day-to-day changes of {name} are known in the {DAYS} days to"
                f" {figures.long_day(found.last)}, 20 are needed."
            ),
        ]
    if not found.movers:
        return [
            Part("Nothing moves with it beyond coincidence", True),
            Part(f": {figures.whole(found.series)} series were tried over {found.known_days} days."),
        ]
    first = found.movers[0]
    where = "" if first.metric is None else f" on {first.target.name}"
    return [
        Part(f"{capital(count(len(found.movers), 'statistic'))}"),
        Part(
            f" {'moves' if len(found.movers) == 1 else 'move'} with it, {first.component or first.metric.label}{where} most",
            True,
        ),
        Part(f" (ρ {signed(first.rho)}, {lag_in_words(first.lag)})."),
    ]


def _tried(found: RelatedStatistics) -> list[str]:
    """How it was looked for, in numbers."""
    if not found.is_enough:
        return []
    stretch = f"{figures.short_day(found.first, found.last)} to {figures.short_day(found.last)}"
    said = [
        f"Spearman's ρ of day-to-day changes, {stretch}: {figures.whole(found.series)} series at 0 to 7 days.",
        f"{figures.whole(found.tried)} comparisons had at least 20 days that both were measured on.",
        TOLD,
    ]
    if found.left_out:
        said.append(
            f"{capital(count(found.left_out, 'figure'))} computed from the same readings as it"
            f" {'was' if found.left_out == 1 else 'were'} left out."
        )
    for other in found.elsewhere:
        said.append(
            f"{other.name} has days of {other.time_zone}, which are not the same hours; it was not compared."
        )
    if found.beyond_most:
        said.append(
            f"{capital(count(found.beyond_most, 'further related target'))} {'was' if found.beyond_most == 1 else 'were'} not looked at."
        )
    return said


def statistic_url(target: Target, metric: str, component: str, until: date) -> str:
    """The page of a statistic as of a day."""
    query = {"component": component, "on": until.isoformat()} if component else {"on": until.isoformat()}
    return f"{reverse('statistic', args=[target.pk, metric])}?{urlencode(query)}"


def pair_url(
    target: Target,
    metric: Metric,
    component: str,
    other: Target,
    other_metric: Metric,
    other_component: str,
    until: date,
) -> str:
    """The address of the two drawn together."""
    query = {
        "component": component,
        "with": other_metric.key,
        "of": other_component,
        "target": str(other.pk),
        "on": until.isoformat(),
    }
    return f"{reverse('statistic_pair', args=[target.pk, metric.key])}?{urlencode({k: v for k, v in query.items() if v})}"
