"""Detail reports: which statistics stand together on a tab of a target, and which things are listed there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.catalog.section import Section


@dataclass(frozen=True)
class ListingColumn:
    """One figure of a listing; without a head or a unit it has those of its metric."""

    metric: str
    head: str = ""
    unit: str = ""

    @property
    def is_of(self) -> Metric:
        return get_metric(self.metric)

    @property
    def label(self) -> str:
        return self.head or self.is_of.label

    @property
    def shown_in(self) -> str:
        return self.unit or self.is_of.display_unit


@dataclass(frozen=True, kw_only=True)
class Listing:
    """
    Things of one kind, such as tablespaces: a row each, largest first by the first column.

    `by_day` names the columns that are also told day by day; empty: all. `whole_target` names statistics of the whole
    target that stand among the things, as CPU time does among the wait events; they have the first column alone.
    """

    key: str
    title: str  # "Tablespaces"
    noun: str  # "tablespace"
    columns: tuple[ListingColumn, ...]
    by_day: tuple[str, ...] = ()
    whole_target: tuple[str, ...] = ()

    @property
    def daily(self) -> tuple[ListingColumn, ...]:
        return tuple(column for column in self.columns if not self.by_day or column.metric in self.by_day)


@dataclass(frozen=True, kw_only=True)
class Room:
    """
    What the true headroom of things is made of: the keys of their metrics, and of what they lie on.

    `fact` names the fact that says where a thing lies: places one a line, a disk group with `+` in front, else a directory.
    """

    used: str
    size: str
    most: str
    fact: str
    group_free: str
    filesystem_free: str
    filesystem_used: str

    def categories(self) -> set[int]:
        """Where the figures are stored, those of the host among them."""
        keys = (self.used, self.size, self.most, self.group_free, self.filesystem_free, self.filesystem_used)
        return {get_metric(key).category for key in keys}


@dataclass(frozen=True, kw_only=True)
class Detail:
    """A tab: every statistic of its sections by day, and its listings. `lead` names the statistic of its first line."""

    key: str
    title: str
    help: str = ""
    sections: tuple[Section, ...] = ()
    listings: tuple[Listing, ...] = ()
    lead: str = ""
    room: Room | None = None  # the true headroom of the things of its first listing
    beside_host: tuple[str, ...] = ()  # statistics of an instance that stand beside those of its host

    def statistics(self, platform: str) -> list[Metric]:
        """The statistics of the sections that are of the whole target, each followed by its reductions."""
        metrics = []
        for metric in metrics_of(platform):
            if metric.section in self.sections and metric.is_figure and not metric.component_kind:
                metrics.append(metric)
                metrics += [get_metric(f"{metric.key}:{reduction}") for reduction in metric.reductions]
        return metrics

    def categories(self, platform: str) -> Iterator[int]:
        """Where its figures are stored, one category as often as it has figures."""
        for metric in metrics_of(platform):
            if metric.section in self.sections and metric.is_figure and not metric.component_kind:
                yield metric.category
        for listing in self.listings:
            yield from (column.is_of.category for column in listing.columns)
            yield from (get_metric(key).category for key in listing.whole_target)


_declared: dict[str, Sequence[Detail]] = {}


def add_details(platform: str, details: Iterable[Detail]) -> None:
    """The detail reports of a platform, in the order of their tabs."""
    _declared[platform] = tuple(details)


def details_of(platform: str) -> Sequence[Detail]:
    """The detail reports of a platform: as declared, else one for each section of its metrics."""
    if _declared.get(platform):
        return _declared[platform]
    sections = dict.fromkeys(metric.section for metric in metrics_of(platform) if metric.section.title)
    return [_plain(platform, section) for section in sections]


def _plain(platform: str, section: Section) -> Detail:
    kinds: dict[str, list[Metric]] = {}
    for metric in metrics_of(platform):
        if metric.section == section and metric.component_kind and metric.is_figure:
            kinds.setdefault(metric.component_kind, []).append(metric)
    listings = tuple(
        Listing(
            key=_key(kind),
            title=f"{kind}s".capitalize(),
            noun=kind,
            columns=tuple(ListingColumn(metric.key) for metric in metrics),
        )
        for kind, metrics in kinds.items()
    )
    return Detail(key=_key(section.title), title=section.title, sections=(section,), listings=listings)


def _key(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text.lower())
