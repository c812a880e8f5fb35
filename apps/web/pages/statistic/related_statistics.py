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
from apps.profiles.neighbours import StatisticNeighbours, read_neighbours
from apps.profiles.related_statistics import DAYS, RelatedStatistics, find_related
from apps.profiles.verdicts import hold_against_verdicts
from apps.web.common_window import window_sentence
from apps.web.date_range import file_name
from apps.web.pages.statistic.related_tables import (
    MOVERS,
    Mover,
    ReadBeside,
    companions_table,
    lag_in_words,
    signed,
)
from apps.web.sentences import Part, capital, count
from apps.web.tables import FilledTable

CHANCE_NOTE = (
    "Chance is how likely so strong a ρ is without any relation, after these comparisons (Benjamini-Hochberg), with"
    " days that resemble or undo earlier ones counted for less; up to 5 % are listed."
)


@dataclass(frozen=True)
class RelatedSection:
    """The section: its sentence, its two tables, and what was tried in words."""

    sentence: Sequence[Part]
    movers: FilledTable[Mover]
    all_movers: int
    tried: Sequence[str]
    neighbours: FilledTable[ReadBeside]
    missing: Sequence[tuple[str, str]]
    advice: str
    verdicts: str  # the figure on days that users called slow, beside the others
    window: (
        str  # how much of the day each was measured over, where something of another target is read beside it
    )
    until: date


def show_related(
    target: Target, metric: Metric, component: str, until: date, most: int | None = None
) -> RelatedSection:
    """Everything the section says of one statistic; on a page of other things `most` of its rows."""
    related = find_related(target, metric, component, until)
    neighbours = read_neighbours(target, metric.key, component, until)

    def url(other: Target, other_metric: Metric, other_component: str) -> str:
        return pair_url(target, metric, component, other, other_metric, other_component, until)

    movers = [Mover(series, url(series.target, series.metric, series.component)) for series in related.movers]
    return RelatedSection(
        _sentence(related, metric.called(component)),
        MOVERS.fill(
            movers[:most],
            all_rows=lambda: movers,
            file_name=f"{file_name(metric.key)}-movers-{until}",
        ),
        len(movers),
        _tried(related),
        companions_table(until).fill(
            (
                ReadBeside(other, url(other.target, other.row.metric, other.row.component))
                for other in neighbours.neighbours
            ),
            file_name=f"{file_name(metric.key)}-beside-{until}",
        ),
        [(capital(subject), reason) for subject, reason in neighbours.missing],
        " ".join(str(advice) for advice in advise_on(target, metric.key, component, until, neighbours)),
        _verdicts(target, metric, component, until),
        _window(target, neighbours, until),
        until,
    )


def _verdicts(target: Target, metric: Metric, component: str, until: date) -> str:
    held = hold_against_verdicts(target, metric, component, until, DAYS)
    if held is None:
        return ""
    unit = f"{figures.SPACE}{metric.display_unit}" if metric.display_unit else ""
    of_days = "called fine" if held.is_against_fine else "that they did not"
    return (
        f"On {count(held.slow_days, 'day')} that users called slow it is {figures.figure(held.slow)}{unit} in the middle,"
        f" on {count(held.other_days, 'day')} {of_days} {figures.figure(held.other)}{unit}."
    )


def _window(target: Target, neighbours: StatisticNeighbours, until: date) -> str:
    others = dict.fromkeys(
        neighbour.target for neighbour in neighbours.neighbours if neighbour.target != target
    )
    return " ".join(window_sentence(target, other, [until]) for other in others)


def _sentence(related: RelatedStatistics, name: str) -> list[Part]:
    if not related.is_enough:
        return [
            Part("Too few days to tell", True),
            Part(
                f": {related.known_days} day-to-day changes of {name} are known in the {DAYS} days to"
                f" {figures.long_day(related.last)}, 20 are needed."
            ),
        ]
    if not related.movers:
        return [
            Part("Nothing moves with it beyond coincidence", True),
            Part(f": {figures.whole(related.series)} series were tried over {related.known_days} days."),
        ]
    first = related.movers[0]
    where = "" if first.metric is None else f" on {first.target.name}"
    return [
        Part(f"{capital(count(len(related.movers), 'statistic'))}"),
        Part(
            f" {'moves' if len(related.movers) == 1 else 'move'} with it, {first.metric.called(first.component)}{where} most",
            True,
        ),
        Part(f" (ρ {signed(first.rho)}, {lag_in_words(first.lag)})."),
    ]


def _tried(related: RelatedStatistics) -> list[str]:
    """How it was looked for, in numbers."""
    if not related.is_enough:
        return []
    stretch = f"{figures.short_day(related.first, related.last)} to {figures.short_day(related.last)}"
    sentences = [
        f"Spearman's ρ of day-to-day changes, {stretch}: {figures.whole(related.series)} series at 0 to 7 days.",
        f"{figures.whole(related.tried)} comparisons had at least 20 days that both were measured on.",
        CHANCE_NOTE,
    ]
    if related.left_out:
        sentences.append(
            f"{capital(count(related.left_out, 'figure'))} computed from the same readings as it"
            f" {'was' if related.left_out == 1 else 'were'} left out."
        )
    for other in related.elsewhere:
        sentences.append(
            f"{other.name} has days of {other.time_zone}, which are not the same hours; it was not compared."
        )
    if related.beyond_most:
        sentences.append(
            f"{capital(count(related.beyond_most, 'further related target'))} {'was' if related.beyond_most == 1 else 'were'} not looked at."
        )
    return sentences


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
