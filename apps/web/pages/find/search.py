"""Find anything: targets, statistics, and the things that statistics are of, with the pages they are on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, metrics_of, search_metrics
from apps.collection.unread_targets import unread_targets
from apps.inventory.models import Target
from apps.snapshots.models import Series
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.web.target_states import states

MOST = 30  # of each kind
PLACES = 6  # targets named beside a statistic
LATELY = timedelta(days=9)  # segments are read once a week


@dataclass(frozen=True)
class FoundTarget:
    target: Target
    state: FigureState | None


@dataclass
class FoundFigure:
    """A statistic, or a thing of one, with the targets that have it."""

    metric: Metric
    component: str = ""
    places: list[tuple[str, str]] = field(
        default_factory=list
    )  # name of the target, address of the statistic
    more: int = 0


@dataclass(frozen=True)
class Found:
    words: str
    targets: Sequence[FoundTarget] = ()
    statistics: Sequence[FoundFigure] = ()
    components: Sequence[FoundFigure] = ()

    @property
    def total(self) -> int:
        return len(self.targets) + len(self.statistics) + len(self.components)


def find_anything(words: str) -> Found:
    """Whatever has the words in its name, worst targets first; a constant number of queries."""
    words = words.strip()
    if not words:
        return Found("")
    every = {one.pk: one for one in Target.objects.in_estate().select_related("group")}
    return Found(words, _targets(words), _statistics(words, every), _components(words, every))


def exactly(words: str) -> Target | None:
    """The target that is called exactly this, in whatever case."""
    return Target.objects.in_estate().filter(name__iexact=words.strip()).first() if words.strip() else None


def _targets(words: str) -> list[FoundTarget]:
    said = Q(name__icontains=words) | Q(group__name__icontains=words) | Q(notes__icontains=words)
    targets = Target.objects.in_estate().filter(said).select_related("group", "owner")
    state = states(targets, unread_targets(targets, timezone.now()))
    order = {one: at for at, one in enumerate((*WORST_FIRST, None))}
    found = [FoundTarget(one, state[one.pk]) for one in targets]
    return sorted(found, key=lambda one: (order[one.state], one.target.name.lower()))[:MOST]


def _statistics(words: str, every: dict[int, Target]) -> list[FoundFigure]:
    """Statistics of the whole target; those of things are found by the thing or on its report."""
    metrics = [one for one in search_metrics(words) if one.is_figure and not one.component_kind]
    metrics.sort(key=lambda one: (not one.display.rows, one.label.lower()))
    of = {
        platform: {one.key for one in metrics_of(platform)}
        for platform in {one.platform for one in every.values()}
    }
    found = []
    for metric in metrics[:MOST]:
        named = [one for one in every.values() if metric.key in of[one.platform]]
        found.append(_placed(FoundFigure(metric), named))
    return found


def _components(words: str, every: dict[int, Target]) -> list[FoundFigure]:
    """Things whose name has the words, each with its most telling statistic, and the targets that had it lately."""
    rows = Series.objects.filter(component__icontains=words).order_by("component", "pk")[: 40 * MOST]
    best: dict[tuple[str, str], tuple[int, Metric]] = {}
    for pk, key, component in rows.values_list("pk", "metric", "component"):
        metric = find_metric(key)
        if metric is None or not metric.is_figure or metric.section.is_rest:
            continue
        known = best.get((metric.component_kind, component))
        if known is None or bool(metric.display.rows) > bool(known[1].display.rows):
            best[metric.component_kind, component] = (pk, metric)
    asked = words.casefold()

    def place(item: tuple[tuple[str, str], tuple[int, Metric]]) -> tuple[bool, bool]:
        """What is called exactly so comes first, then what begins so."""
        name = item[0][1].casefold()
        return name != asked, not name.startswith(asked)

    chosen = sorted(best.items(), key=place)[:MOST]
    having = _targets_with([pk for _, (pk, _) in chosen])
    found = []
    for (_, component), (pk, metric) in chosen:
        named = [every[one] for one in having.get(pk, ()) if one in every]
        if named:
            found.append(_placed(FoundFigure(metric, component), named))
    return found


def _targets_with(series: Sequence[int]) -> dict[int, list[int]]:
    """The targets whose figures of the last days hold each of these series; one query."""
    if not series:
        return {}
    since = timezone.now().date() - LATELY
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT f.target_id, s.id FROM layout l"
            " JOIN LATERAL unnest(%s::int[]) AS s(id) ON s.id = ANY(l.series_ids)"
            " JOIN figure f ON f.layout_id = l.id AND f.day >= %s"
            " WHERE l.series_ids && %s::int[] ORDER BY 1",
            [list(series), since, list(series)],
        )
        found: dict[int, list[int]] = {}
        for target, pk in cursor.fetchall():
            found.setdefault(pk, []).append(target)
    return found


def _placed(found: FoundFigure, targets: Sequence[Target]) -> FoundFigure:
    query = f"?{urlencode({'component': found.component})}" if found.component else ""
    found.places = [
        (one.name, reverse("statistic", args=[one.pk, found.metric.key]) + query) for one in targets[:PLACES]
    ]
    found.more = max(0, len(targets) - PLACES)
    return found
