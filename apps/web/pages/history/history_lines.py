"""Which days of a target are known, by what is measured: a time line of each, its best source, and the days that a profile compares with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.catalog.metric import Metric
from apps.catalog.registry import metrics_of
from apps.charts import figures
from apps.charts.timeline import timeline
from apps.inventory.models import Target
from apps.snapshots.measured import days_between
from apps.snapshots.models import Coverage
from apps.web.cells import drawing
from apps.web.pages.history.history_rows import HORIZONS
from apps.web.tables import Column, FigureColumn, RowHead, Table

LONGEST = 120  # days that a line shows
MOST_NAMES = 2
MEASURED, BROUGHT, BOUND = "measured", "brought", "bound"
IN_PART = "in part"  # some of the statistics alone
WORDS = {MEASURED: "measured", BROUGHT: "filled", BOUND: "at most", "": ""}


@dataclass(frozen=True)
class KnownDays:
    """What is read together: its section, its statistics in a few words, and what is known of each day."""

    section: str
    what: str
    days: Sequence[date]
    kinds: Sequence[str]
    sources: Sequence[str]  # of each day that was brought
    restarts: Sequence[int] = ()
    parts: frozenset[int] = frozenset()  # places of days of which some statistics alone are known

    @property
    def count(self) -> int:
        return sum(map(bool, self.kinds))

    @property
    def best_source(self) -> str:
        """Where the newest of the days comes from that were not measured here."""
        return next((source for source in reversed(self.sources) if source), "")

    @property
    def first(self) -> date | None:
        return next((day for day, kind in zip(self.days, self.kinds, strict=True) if kind), None)

    def at(self, back: int) -> str:
        """What is known of the day so many days before the one that is running, in a word."""
        place = len(self.kinds) - back
        return IN_PART if place in self.parts else WORDS[self.kinds[place]]

    def line(self) -> str:
        label = f"{self.what}: {self.count} of {len(self.days)} days"
        horizons = [len(self.days) - back for back in HORIZONS]
        return drawing(timeline(self.kinds, label, marked=self.restarts, horizons=horizons))


def _horizon(back: int) -> Column[KnownDays]:
    return Column(
        f"−{back}",
        lambda row: row.at(back),
        lambda row: row.at(back) or "–",
        css="num",
        head_css="num",
    )


LINES: Table[KnownDays] = Table(
    "lines",
    f"What is known of the last {LONGEST} days",
    (
        RowHead("section", lambda row: row.section),
        Column("what", lambda row: row.what),
        Column("history from", lambda row: row.best_source, lambda row: row.best_source or "–"),
        FigureColumn("days", lambda row: row.count),
        Column("first day", lambda row: row.first, in_file_only=True),
        Column("time line", None, lambda row: row.line(), sorts=False),
        *(_horizon(back) for back in HORIZONS),
    ),
    title="By statistic",
    css="",
    region="lines-title",
    empty="Nothing is known of these days yet.",
)


def known_days(target: Target, today: date) -> list[KnownDays]:
    """One query: of everything that has a day, what is known of each."""
    days = days_between(today - timedelta(days=LONGEST), today - timedelta(days=1))
    covers = {cover.day: cover for cover in Coverage.objects.filter(target=target, day__in=days)}
    rows = []
    for section, category, metrics in _read_together(target.platform):
        kinds, sources, parts = [], [], set()
        keys = {metric.key for metric in metrics}
        for place, day in enumerate(days):
            kind, source, is_part = _of_day(covers.get(day), category, keys)
            kinds.append(kind)
            sources.append(source)
            if is_part:
                parts.add(place)
        if any(kinds):
            restarts = [place for place, day in enumerate(days) if day in covers and covers[day].restarts]
            rows.append(KnownDays(section, _names(metrics), days, kinds, sources, restarts, frozenset(parts)))
    return rows


def _of_day(cover: Coverage | None, category: int, keys: set[str]) -> tuple[str, str, bool]:
    """What is known of these statistics on a day, from where if not measured here, and whether of some of them alone."""
    about = cover.categories.get(str(category), {}) if cover else {}
    present = keys.intersection(about.get("statistics", keys))
    if cover is None or not about or "missing" in about or not present:
        return "", "", False
    source = cover.source_of(category)
    return BOUND if cover.is_at_most(category) else BROUGHT if source else MEASURED, source, present != keys


def _read_together(platform: str) -> Iterable[tuple[str, int, list[Metric]]]:
    """The statistics of each section that are read together, in the order in which they were declared."""
    groups: dict[tuple[str, int], list[Metric]] = {}
    for metric in metrics_of(platform):
        if metric.is_figure and not metric.section.is_rest and metric.section.title:
            groups.setdefault((metric.section.title, metric.category), []).append(metric)
    sections = list(dict.fromkeys(section for section, _ in groups))
    rows = [(section, category, metrics) for (section, category), metrics in groups.items()]
    return sorted(rows, key=lambda row: sections.index(row[0]))


def _names(metrics: Sequence[Metric]) -> str:
    """The first statistics by name, and how many more there are."""
    names = ", ".join(metric.label for metric in metrics[:MOST_NAMES])
    more = len(metrics) - MOST_NAMES
    return f"{names} and {figures.whole(more)} more" if more > 0 else names
