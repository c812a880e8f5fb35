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
from apps.web.menu import MenuItem
from apps.web.target_states import states

MOST = 30  # of each kind
PLACES = 6  # targets named beside a statistic
LATELY = timedelta(days=9)  # segments are read once a week


@dataclass(frozen=True)
class TargetHit:
    target: Target
    state: FigureState | None


@dataclass
class FigureHit:
    """A statistic, or a thing of one, with the targets that have it."""

    metric: Metric
    component: str = ""
    places: list[tuple[str, str]] = field(
        default_factory=list
    )  # name of the target, address of the statistic
    more: int = 0


@dataclass(frozen=True)
class SearchResults:
    words: str
    pages: Sequence[MenuItem] = ()
    targets: Sequence[TargetHit] = ()
    statistics: Sequence[FigureHit] = ()
    components: Sequence[FigureHit] = ()

    @property
    def total(self) -> int:
        return len(self.pages) + len(self.targets) + len(self.statistics) + len(self.components)


def find_anything(words: str, pages: Sequence[MenuItem]) -> SearchResults:
    """Whatever has the words in its name beside these pages, worst targets first; a constant number of queries."""
    words = words.strip()
    if not words:
        return SearchResults("")
    every = {target.pk: target for target in Target.objects.in_estate().select_related("group")}
    return SearchResults(words, pages, _targets(words), _statistics(words, every), _components(words, every))


def find_exactly(words: str) -> Target | None:
    """The target that is called exactly this, in whatever case."""
    return Target.objects.in_estate().filter(name__iexact=words.strip()).first() if words.strip() else None


def _targets(words: str) -> list[TargetHit]:
    condition = Q(name__icontains=words) | Q(group__name__icontains=words) | Q(notes__icontains=words)
    targets = Target.objects.in_estate().filter(condition).select_related("group", "owner")
    state = states(targets, unread_targets([target.pk for target in targets], timezone.now()))
    order = {state_key: at for at, state_key in enumerate((*WORST_FIRST, None))}
    rows = [TargetHit(target, state[target.pk]) for target in targets]
    return sorted(rows, key=lambda row: (order[row.state], row.target.name.lower()))[:MOST]


def _statistics(words: str, every: dict[int, Target]) -> list[FigureHit]:
    """Statistics of the whole target; those of things are found by the thing or on its report."""
    metrics = [metric for metric in search_metrics(words) if metric.is_figure and not metric.component_kind]
    metrics.sort(key=lambda metric: (not metric.display.rows, metric.label.lower()))
    of = {
        platform: {metric.key for metric in metrics_of(platform)}
        for platform in {target.platform for target in every.values()}
    }
    rows = []
    for metric in metrics[:MOST]:
        named = [target for target in every.values() if metric.key in of[target.platform]]
        rows.append(_place(FigureHit(metric), named))
    return rows


def _components(words: str, every: dict[int, Target]) -> list[FigureHit]:
    """Things whose name has the words, each with its most telling statistic, and the targets that had it lately."""
    rows = Series.objects.filter(component__icontains=words).order_by("component", "pk")[: 40 * MOST]
    best: dict[tuple[str, str], tuple[int, Metric]] = {}
    for pk, key, component in rows.values_list("pk", "metric", "component"):
        metric = find_metric(key)
        if metric is None or not metric.is_figure or metric.section.is_rest:
            continue
        so_far = best.get((metric.component_kind, component))
        if so_far is None or bool(metric.display.rows) > bool(so_far[1].display.rows):
            best[metric.component_kind, component] = (pk, metric)
    wording = words.casefold()

    def place(item: tuple[tuple[str, str], tuple[int, Metric]]) -> tuple[bool, bool]:
        """What is called exactly so comes first, then what begins so."""
        name = item[0][1].casefold()
        return name != wording, not name.startswith(wording)

    chosen = sorted(best.items(), key=place)[:MOST]
    having = _targets_with([pk for _, (pk, _) in chosen])
    hits = []
    for (_, component), (pk, metric) in chosen:
        named = [every[pk_of_target] for pk_of_target in having.get(pk, ()) if pk_of_target in every]
        if named:
            hits.append(_place(FigureHit(metric, component), named))
    return hits


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
        targets_of: dict[int, list[int]] = {}
        for target, pk in cursor.fetchall():
            targets_of.setdefault(pk, []).append(target)
    return targets_of


def _place(hit: FigureHit, targets: Sequence[Target]) -> FigureHit:
    query = f"?{urlencode({'component': hit.component})}" if hit.component else ""
    hit.places = [
        (target.name, reverse("statistic", args=[target.pk, hit.metric.key]) + query)
        for target in targets[:PLACES]
    ]
    hit.more = max(0, len(targets) - PLACES)
    return hit
