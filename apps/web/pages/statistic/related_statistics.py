"""What moves with a statistic, and what the method reads beside it, as the page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse

from apps.advisors.observation import advise_on
from apps.catalog.metric import Metric
from apps.charts import figures
from apps.charts.rhobar import rhobar
from apps.inventory.models import Target
from apps.profiles.build import ProfileCell
from apps.profiles.correlation import Correlations
from apps.profiles.neighbours import StatisticNeighbours, read_neighbours
from apps.profiles.related_statistics import DAYS, RelatedSeries, RelatedStatistics, find_related
from apps.snapshots.presence import Presence
from apps.web.sentences import Part, capital, count

TOLD = (
    "Chance is how likely so strong a ρ is without any relation, after these comparisons (Benjamini-Hochberg), with"
    " days that resemble or undo earlier ones counted for less; up to 5 % is told."
)


@dataclass(frozen=True)
class MoverRow:
    name: str
    what: str
    where: str
    rho: str
    bar: str
    lag: str
    days: str
    chance: str
    url: str


@dataclass(frozen=True)
class NeighbourRow:
    subject: str
    name: str
    what: str
    where: str
    unit: str
    then: str
    lately: str
    today: str
    url: str


@dataclass(frozen=True)
class ShownRelated:
    """The section: its sentence, its two tables, and what was tried in words."""

    sentence: Sequence[Part]
    found: RelatedStatistics
    beside: StatisticNeighbours
    movers: Sequence[MoverRow]
    tried: Sequence[str]
    neighbours: Sequence[NeighbourRow]
    missing: Sequence[tuple[str, str]]
    advice: str
    until: date


def show_related(target: Target, metric: Metric, component: str, until: date) -> ShownRelated:
    """Everything the section says of one statistic."""
    found = find_related(target, metric, component, until)
    beside = read_neighbours(target, metric.key, component, until)
    return ShownRelated(
        _sentence(found, component or metric.label),
        found,
        beside,
        [_mover(one, target, metric, component, until) for one in found.movers],
        _tried(found),
        _neighbours(beside, target, metric, component, until),
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
        Part(f" {'moves' if len(found.movers) == 1 else 'move'} with it, {_name(first)}{where} most", True),
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


def _name(mover: RelatedSeries) -> str:
    return mover.component or mover.metric.label


def _mover(mover: RelatedSeries, target: Target, metric: Metric, component: str, until: date) -> MoverRow:
    what = mover.metric.label if mover.component else ""
    if mover.also:
        what = f"{what}{', ' if what else ''}{mover.also} more of the same readings"
    return MoverRow(
        _name(mover),
        what,
        mover.target.name,
        signed(mover.rho),
        rhobar(mover.rho),
        lag_in_words(mover.lag),
        f"{mover.days}",
        small_chance(mover.chance),
        pair_url(target, metric, component, mover.target, mover.metric, mover.component, until),
    )


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


def _neighbours(
    beside: StatisticNeighbours, target: Target, metric: Metric, component: str, until: date
) -> list[NeighbourRow]:
    return [
        NeighbourRow(
            capital(one.subject),
            one.row.component or one.row.metric.label,
            one.row.metric.label if one.row.component else "",
            one.target.name,
            one.row.unit,
            _text(one.row.then[30]),
            _text(one.row.then[7]),
            _text(one.row.today),
            pair_url(target, metric, component, one.target, one.row.metric, one.row.component, until),
        )
        for one in beside.neighbours
    ]


def _text(cell: ProfileCell) -> str:
    if cell.presence is Presence.NOT_PRESENT:
        return "Not present"
    return "No data" if cell.value is None else figures.figure(cell.value)


def signed(rho: float) -> str:
    """`+0.71`, `−0.12`: two places, with the sign."""
    text = figures.fixed(abs(rho), 2)
    return text if not round(abs(rho), 2) else f"{'+' if rho > 0 else figures.MINUS}{text}"


def lag_in_words(lag: int) -> str:
    """How long after the other a statistic follows."""
    return "same day" if lag == 0 else "1 day later" if lag == 1 else f"{lag} days later"


def small_chance(share: float) -> str:
    """A chance in percent; the smallest that is told apart is 0.1 %."""
    if share < 0.001:
        return f"<{figures.SPACE}{figures.fixed(0.1, 1)}{figures.SPACE}%"
    return f"{figures.figure(100 * share)}{figures.SPACE}%" if share < 0.995 else f"100{figures.SPACE}%"


@dataclass(frozen=True)
class LagRow:
    lag: str
    rho: str
    bar: str
    days: str
    chance: str
    is_best: bool


def lag_rows(found: Correlations) -> list[LagRow]:
    """The relation of two series at each lag; the one that chance explains least is marked."""
    best = int(found.best()[0])
    return [
        LagRow(
            lag_in_words(lag),
            "–" if rho != rho else signed(float(rho)),
            "" if rho != rho else rhobar(float(rho)),
            f"{found.days[0, lag]}",
            "–" if rho != rho else small_chance(float(found.chance[0, lag])),
            lag == best and rho == rho,
        )
        for lag, rho in enumerate(found.rho[0])
    ]
