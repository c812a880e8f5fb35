"""The series of a page of metrics, as text has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from prometheus_client.parser import text_string_to_metric_families

from apps.collection.collector import CollectionError

Labels = Mapping[str, str]


@dataclass(frozen=True)
class MetricsPage:
    """What a page holds, by the names of series. What is no number is left out."""

    series: Mapping[str, Sequence[tuple[Labels, float]]]

    def value(self, name: str) -> float | None:
        """Of a series without labels; None where the page has none."""
        return next((value for _, value in self.series.get(name, ())), None)

    def by(self, label: str, name: str) -> dict[str, float]:
        """The values of a series by one of its labels."""
        return {labels[label]: value for labels, value in self.series.get(name, ()) if label in labels}

    def rows(self, label: str, names: Sequence[str]) -> dict[str, list[float]]:
        """The values of several series by one of their labels; of what has all of them."""
        columns = [self.by(label, name) for name in names]
        return {
            component: [column[component] for column in columns]
            for component in columns[0]
            if all(component in column for column in columns)
        }

    def labels(self, name: str) -> Sequence[Labels]:
        """The labels of each series of this name, for those that say something by their labels alone."""
        return [labels for labels, _ in self.series.get(name, ())]


def read_page(text: str) -> MetricsPage:
    """The series of node_exporter in a page. Raises CollectionError where it is no such page."""
    series: dict[str, list[tuple[Labels, float]]] = {}
    try:
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                if sample.name.startswith("node_") and isfinite(sample.value):
                    series.setdefault(sample.name, []).append((sample.labels, float(sample.value)))
    except (ValueError, LookupError):
        raise CollectionError("What answers there is not a page of metrics; look at port and path.") from None
    if not series:
        raise CollectionError(
            "What answers there is a page of metrics, but not of node_exporter: none of its series begins with node_."
        )
    return MetricsPage(series)
