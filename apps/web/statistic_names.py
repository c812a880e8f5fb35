"""Statistics by the names people know: their label, the source's own name, the thing they are of, or their key."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from apps.catalog.metric import Metric
from apps.catalog.registry import all_metrics, find_metric, metrics_of
from apps.inventory.models import Target
from apps.snapshots.models import Series
from apps.web.address import number_in

MOST = 12  # offered at once
NEAREST = 3
_WITH_KEY = re.compile(r"\(([a-z][\w:.-]*)\)$")


class UnknownStatistic(LookupError):
    """No statistic goes by these words, or several do; the message names the nearest."""


@dataclass(frozen=True)
class NamedStatistic:
    """A statistic, or one component of it, by the words that find it again."""

    metric: Metric
    component: str = ""
    name: str = ""

    @property
    def own_name(self) -> str:
        """The source's own name where it is another, and where it is read."""
        own = self.metric.label if self.component else self.metric.name
        names = [own] if own.casefold() != self.name.casefold() else []
        return " · ".join(filter(None, [*names, self.metric.source]))


def find_target(pk: object) -> Target | None:
    """The target of a key that an address or a form gave along; None where there is none."""
    return Target.objects.in_estate().filter(pk=number_in(str(pk)) or 0).first()


def write_name(key: str, target: Target | None = None) -> str:
    """The label of a statistic where it is the only one of that label, else with its key; an unknown key as it is."""
    metric = find_metric(key)
    if metric is None:
        return key
    alike = [other for other in _candidates(target) if other.label.casefold() == metric.label.casefold()]
    return metric.label if len(alike) <= 1 else f"{metric.label} ({metric.key})"


def find_statistic(words: str, target: Target | None = None) -> NamedStatistic:
    """
    The one statistic that people mean: by its key, its label, the source's own name, or the name of a component.

    Of a target its own statistics are looked at first. Raises UnknownStatistic.
    """
    words = _without_gaps(words)
    with_key = _WITH_KEY.search(words)
    for key in (words, with_key[1] if with_key else ""):
        metric = find_metric(key)
        if metric is not None and metric.is_figure:
            return NamedStatistic(metric, name=metric.label)
    metrics = _called(words, _candidates(target)) or _called(words, _candidates(None))
    if len(metrics) == 1:
        return NamedStatistic(metrics[0], name=metrics[0].label)
    if metrics:
        names = ", ".join(f"{metric.label} ({metric.key})" for metric in metrics[:NEAREST])
        raise UnknownStatistic(f"Several statistics are called “{words}”: write one of {names}.")
    component = _component_called(words, target)
    if component is None:
        raise UnknownStatistic(f"No statistic is called “{words}”.{_nearest(words, target)}")
    return component


def _without_gaps(words: str) -> str:
    """Words with one space between them; a character that no database takes is none of them."""
    return " ".join(words.replace("\0", " ").split())


def search_statistics(words: str, target: Target | None = None) -> list[NamedStatistic]:
    """What has the words in its label, its own name, its key or its component, what begins with them first."""
    sought = _without_gaps(words).casefold()
    metrics = [
        metric
        for metric in _candidates(target)
        if sought in f"{metric.label} {metric.name} {metric.key}".casefold()
    ]
    metrics.sort(key=lambda metric: _distance(sought, metric))
    named = [NamedStatistic(metric, name=write_name(metric.key, target)) for metric in metrics[:MOST]]
    return [*named, *_components_like(sought, target)][:MOST] if sought else named


def _distance(sought: str, metric: Metric) -> tuple[bool, bool, bool, int, str]:
    label = metric.label.casefold()
    is_begun = label.startswith(sought) or metric.name.casefold().startswith(sought)
    return not is_begun, bool(metric.reduction), not metric.display.rows, len(label), label


def _candidates(target: Target | None) -> list[Metric]:
    """Every statistic that has figures, with its reductions."""
    metrics = all_metrics() if target is None else metrics_of(target.platform)
    return [
        statistic
        for metric in metrics
        if metric.is_figure
        for key in (metric.key, *(f"{metric.key}:{reduction}" for reduction in metric.reductions))
        if (statistic := find_metric(key)) is not None
    ]


def _called(words: str, metrics: Sequence[Metric]) -> list[Metric]:
    """Those of exactly this label; else those whose source calls them so, the statistic itself before its reductions."""
    sought = words.casefold()
    labelled = [metric for metric in metrics if metric.label.casefold() == sought]
    if labelled:
        return labelled
    named = [
        metric
        for metric in metrics
        if not metric.reduction and sought in {name.casefold() for name in (metric.name, *metric.aliases)}
    ]
    return [metric for metric in named if metric.display.rows] or named


def _component_called(words: str, target: Target | None) -> NamedStatistic | None:
    """The thing of exactly this name, with the statistic that profiles show of it."""
    return next(
        iter(
            _told_by(
                Series.objects.filter(component__iexact=words).values_list("metric", "component"), target
            )
        ),
        None,
    )


def _components_like(sought: str, target: Target | None) -> list[NamedStatistic]:
    rows = Series.objects.filter(component__icontains=sought).order_by("component")[: 40 * MOST]
    return _told_by(rows.values_list("metric", "component"), target)


def _told_by(pairs: Iterable[tuple[str, str]], target: Target | None) -> list[NamedStatistic]:
    """Each thing once, by its most telling statistic: what a profile shows before what it does not."""
    own = {metric.key for metric in _candidates(target)}
    best: dict[tuple[str, str], Metric] = {}
    for key, component in pairs:
        metric = find_metric(key)
        if metric is None or not component or key not in own or metric.section.is_rest:
            continue
        place = (metric.component_kind, component)
        if place not in best or (metric.display.rows and not best[place].display.rows):
            best[place] = metric
    return [NamedStatistic(metric, component, component) for (_, component), metric in best.items()]


def _nearest(words: str, target: Target | None) -> str:
    """The names that come nearest, in a sentence; empty where nothing is near."""
    labels = {metric.label.casefold(): metric.label for metric in _candidates(target) if not metric.reduction}
    inside = [label for folded, label in labels.items() if words.casefold() in folded][:NEAREST]
    near = inside or [labels[folded] for folded in get_close_matches(words.casefold(), labels, NEAREST)]
    return f" The nearest are {', '.join(near)}." if near else ""
