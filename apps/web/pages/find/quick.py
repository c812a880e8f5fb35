"""The few answers that stand below the box while somebody types, the likeliest first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.thresholds.judge import FigureState
from apps.web.pages.find.search import FigureHit, SearchResults

MOST_TARGETS, MOST_PAGES, MOST_FIGURES = 5, 3, 4


@dataclass(frozen=True)
class QuickAnswer:
    """One line: a name, what it is, and where it leads."""

    name: str
    aside: str
    url: str
    state: FigureState | None = None


def quick_answers(results: SearchResults) -> list[QuickAnswer]:
    """Targets with their state, then pages, then things and statistics on the first target that has them."""
    targets = [
        QuickAnswer(hit.target.name, hit.target.get_kind_display(), hit.target.get_absolute_url(), hit.state)
        for hit in results.targets[:MOST_TARGETS]
    ]
    pages = [QuickAnswer(page.title, "page", page.url) for page in results.pages[:MOST_PAGES]]
    return [*targets, *pages, *_figures(results.components), *_figures(results.statistics)]


def _figures(hits: Sequence[FigureHit]) -> Iterator[QuickAnswer]:
    for hit in [hit for hit in hits if hit.places][:MOST_FIGURES]:
        (target, url), *others = hit.places
        more = len(others) + hit.more
        where = f"on {target}{f' and {more} more' if more else ''}"
        what = f"{hit.metric.label} " if hit.component else ""
        yield QuickAnswer(hit.component or hit.metric.label, f"{what}{where}", url)
