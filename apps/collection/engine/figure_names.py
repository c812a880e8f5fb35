"""What others call statistics: told by our key, by our label, or by the name at the source."""

import re
from collections.abc import Mapping, Sequence

from apps.catalog.experience import EXPERIENCE
from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, is_of_platform, metrics_of
from apps.catalog.units import UnknownUnit, convert
from apps.collection.engine.figure_rows import BadFigures


class StatisticNames:
    """The statistics of platforms by what they are called; `chosen` are names that people have put to a key."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = {plain(name): key for name, key in chosen.items()}
        self._by_name: dict[str, dict[str, list[Metric]]] = {}
        self._known: dict[tuple[str, str, bool], Metric | BadFigures] = {}

    def metric(self, name: str, platform: str, component: str) -> Metric:
        """The statistic that a name means for targets of a platform. Raises BadFigures."""
        about = (name, platform, bool(component))
        if about not in self._known:
            try:
                self._known[about] = self._find(name, platform, has_component=bool(component))
            except BadFigures as problem:
                self._known[about] = problem
        answer = self._known[about]
        if isinstance(answer, BadFigures):
            raise answer
        return answer

    def _find(self, name: str, platform: str, *, has_component: bool) -> Metric:
        key = self._chosen.get(plain(name), name.strip())
        metric = find_metric(key)
        if metric is not None and metric.is_figure:
            if metric.category == EXPERIENCE:
                raise BadFigures(
                    f"“{name[:60]}” is given on the page of its target that says what users were promised."
                )
            if not is_of_platform(key, platform):
                raise BadFigures(f"“{name[:60]}” is a statistic of other targets than this one.")
            return metric
        able = self._named(platform).get(plain(name), [])
        if len(able) > 1:
            able = [metric for metric in able if bool(metric.component_kind) == has_component] or able
        if not able:
            raise BadFigures(f"“{name[:60]}” is not a statistic that is known here; choose one for it.")
        if len(able) > 1:
            others = " or ".join(metric.key for metric in able[:4])
            raise BadFigures(f"“{name[:60]}” can be {others}; choose one for it.")
        return able[0]

    def _named(self, platform: str) -> Mapping[str, Sequence[Metric]]:
        """The statistics of a platform by label; where no label says so, by the names at their source."""
        if platform not in self._by_name:
            labels: dict[str, list[Metric]] = {}
            names: dict[str, list[Metric]] = {}
            for metric in _figures_of(platform):
                labels.setdefault(plain(metric.label), []).append(metric)
                for name in dict.fromkeys(plain(name) for name in (metric.name, *metric.aliases) if name):
                    names.setdefault(name, []).append(metric)
            self._by_name[platform] = names | labels
        return self._by_name[platform]


def _figures_of(platform: str) -> Sequence[Metric]:
    return [metric for metric in metrics_of(platform) if metric.is_figure and metric.category != EXPERIENCE]


def plain(name: str) -> str:
    """A name without what people write differently: case, and how many blanks."""
    return re.sub(r"\s+", " ", name).strip().casefold()


def factor_of(unit: str, metric: Metric) -> float:
    """By what a value in a unit becomes a stored figure; without a unit it is in that of the profile. Raises BadFigures."""
    try:
        return convert(1.0, unit or metric.display_unit, metric.unit)
    except UnknownUnit:
        raise BadFigures(
            f"“{unit[:20]}” is not a unit of {metric.label}, which is in {metric.display_unit or 'no unit'}."
        ) from None


def check_component(metric: Metric, component: str) -> None:
    """Refuse a figure whose component is missing, or which has none. Raises BadFigures."""
    if metric.component_kind and not component:
        raise BadFigures(f"{metric.label} needs a component: which {metric.component_kind} it is of.")
    if component and not metric.component_kind:
        raise BadFigures(f"{metric.label} has no components, and this line names “{component[:40]}”.")
