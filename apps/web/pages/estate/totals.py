"""What the estate has in all: allocated, used, growth, and the instances that are largest and grow fastest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.charts import figures
from apps.charts.words import count
from apps.web.pages.estate.size_map import Tile

LISTED = 5
BAR = 60.0  # the longest bar, in pixels


@dataclass(frozen=True)
class SizeBar:
    """One instance of a short list: its figure and its bar."""

    name: str
    url: str
    text: str
    length: str  # in pixels


@dataclass(frozen=True)
class EstateTotals:
    """Sums over the instances whose size is known, as texts, and the five that lead."""

    allocated: str
    used: str
    used_share: str
    growth: str
    growth_share: str
    members: str
    largest: Sequence[SizeBar]
    fastest: Sequence[SizeBar]


def totals_of(tiles: Sequence[Tile]) -> EstateTotals | None:
    """The totals of these instances; none where no size is known."""
    if not tiles:
        return None
    allocated, used = sum(tile.size for tile in tiles), sum(tile.used for tile in tiles)
    grown = [tile for tile in tiles if tile.growth is not None]
    growth = sum(tile.growth or 0.0 for tile in grown)
    before = sum(tile.used for tile in grown) - growth
    return EstateTotals(
        allocated=figures.bytes_text(allocated),
        used=figures.bytes_text(used),
        used_share=f"{figures.percent(100 * used / allocated)}, {figures.bytes_text(allocated - used)} left",
        growth=growth_text(growth if grown else None),
        growth_share=f"{figures.percent(100 * growth / before)} of used" if before > 0 else "",
        members=f"in {count(len(tiles), 'database')}",
        largest=_bars(tiles, lambda tile: tile.size, figures.bytes_text),
        fastest=_bars([tile for tile in grown if (tile.growth or 0.0) > 0], _growth, growth_text),
    )


def growth_text(count: float | None) -> str:
    """What was added or freed, with its sign."""
    return f"{'+' if count is not None and count > 0 else ''}{figures.bytes_text(count)}"


def _growth(tile: Tile) -> float:
    return tile.growth or 0.0


def _bars(
    tiles: Sequence[Tile], value: Callable[[Tile], float], text: Callable[[float], str]
) -> list[SizeBar]:
    ordered = sorted(tiles, key=lambda tile: (-value(tile), tile.target))[:LISTED]
    most = max((value(tile) for tile in ordered), default=0.0)
    return [
        SizeBar(tile.target, tile.url, text(value(tile)), f"{BAR * value(tile) / most:.1f}")
        for tile in ordered
        if most > 0
    ]
