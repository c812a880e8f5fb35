"""Platform: everything the core needs to know of one technology."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from apps.advisors.templates import Course, add_courses
from apps.catalog.beside import Beside, Source, add_beside
from apps.catalog.details import Detail, add_details
from apps.catalog.metric import Metric
from apps.catalog.registry import add_metrics
from apps.collection.collector import Collector, add_collector
from apps.thresholds.packs import add_packs


@dataclass(frozen=True, kw_only=True)
class Platform:
    """
    One technology: its metrics, its collectors by name, the names of its storage categories, its detail reports.

    `hides` says of a component kind which components a profile leaves out (idle waits), given name and class.
    """

    key: str
    label: str
    metrics: Sequence[Metric]
    collectors: Mapping[str, Collector]
    categories: Mapping[int, str]
    rules: Sequence[Callable[..., object]] = field(default_factory=tuple)
    details: Sequence[Detail] = ()
    beside: Sequence[Beside] = ()  # what is read together with its statistics
    sources: Mapping[str, Source] = field(
        default_factory=dict
    )  # what it has on the subjects of such readings
    courses: Sequence[Course] = ()
    packs: Path | None = None  # the folder of its packs of limits

    def register(self) -> None:
        """Put this platform into the core's registries."""
        add_metrics(self.key, self.metrics)
        add_details(self.key, self.details)
        add_beside(self.key, self.beside, self.sources)
        add_courses(self.courses)
        if self.packs is not None:
            add_packs(self.packs)
        for name, collector in self.collectors.items():
            add_collector(name, collector)
