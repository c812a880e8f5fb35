"""What grew in a space that fills: a row for each thing, the others together, and the space itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.advisors.growers import Grower, SpaceGrowth
from apps.catalog.units import convert, readable_unit
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.web.cells import drawing
from apps.web.tables import Column, DrawingColumn, FigureColumn, FilledTable, RowHead, Table

LISTED = 5  # things that have a row of their own


@dataclass(frozen=True)
class GrowthRow:
    """A thing, all others together, or the whole space, then and now."""

    name: str
    before: float
    now: float
    share: float | None  # percent of the growth of the space; None where it did not grow
    spark: str = ""
    is_whole: bool = False


def tell_growth(growth: SpaceGrowth) -> str:
    """The unit and the days of the table: "GB, 21 Oct to 21 Nov, 31 days"."""
    used = in_readable_unit(growth).used
    first, last = used.sizes[0][0], used.sizes[-1][0]
    return f"{used.unit}, {figures.short_day(first)} to {figures.short_day(last)}, {(last - first).days} days"


def in_readable_unit(growth: SpaceGrowth) -> SpaceGrowth:
    """The same in the unit in which its sizes have at most four digits."""
    unit = readable_unit(growth.used.unit, growth.used.now)
    return SpaceGrowth(_in_unit(growth.used, unit), [_in_unit(thing, unit) for thing in growth.things])


def _in_unit(thing: Grower, unit: str) -> Grower:
    return Grower(thing.name, unit, [(day, convert(size, thing.unit, unit)) for day, size in thing.sizes])


def growth_table(growth: SpaceGrowth) -> FilledTable[GrowthRow]:
    """The things that grew most, in the order of their growth; the rows come to the growth of the space."""
    growth = in_readable_unit(growth)
    first, last = growth.used.sizes[0][0], growth.used.sizes[-1][0]
    return Table(
        "what-grew",
        f"What grew in {growth.used.name}",
        _columns(first, last),
        title="What grew",
        css="folds two-facts",
        row_css=lambda row: "is-whole" if row.is_whole else "",
    ).fill(growth_rows(growth))


def growth_rows(growth: SpaceGrowth) -> list[GrowthRow]:
    """A row for each of the largest growers, one for the rest, one for the space."""
    used, listed = growth.used, [thing for thing in growth.things if thing.growth > 0][:LISTED]
    rows = [_row(thing, used) for thing in listed]
    before, now = (
        getattr(used, when) - sum(getattr(thing, when) for thing in listed) for when in ("before", "now")
    )
    rows.append(GrowthRow("everything else", before, now, _share(now - before, used)))
    return [
        *rows,
        GrowthRow(used.name, used.before, used.now, _share(used.growth, used), _spark(used), is_whole=True),
    ]


def _row(thing: Grower, used: Grower) -> GrowthRow:
    return GrowthRow(thing.name, thing.before, thing.now, _share(thing.growth, used), _spark(thing))


def _share(growth: float, used: Grower) -> float | None:
    return 100 * growth / used.growth if used.growth > 0 else None


def _spark(thing: Grower) -> str:
    sizes = [size for _, size in thing.sizes]
    label = f"{thing.name}, {figures.figure(sizes[0])} to {figures.figure(sizes[-1])} {thing.unit}"
    return sparkline(sizes, None, "above", label, width=92)


def _columns(first: date, last: date) -> Sequence[Column[GrowthRow]]:
    return (
        RowHead("what", lambda row: row.name, css=lambda row: "strong" if row.is_whole else ""),
        FigureColumn(
            figures.short_day(first),
            lambda row: row.before,
            lambda row: figures.figure(row.before),
            label="before",
        ),
        FigureColumn(
            figures.short_day(last),
            lambda row: row.now,
            lambda row: figures.figure(row.now),
            css="strong",
            label="now",
        ),
        FigureColumn("grew", lambda row: row.now - row.before, lambda row: _signed(row.now - row.before)),
        FigureColumn("share", lambda row: row.share, lambda row: _percent(row.share)),
        DrawingColumn("course", show=lambda row: drawing(row.spark), css="drawn"),
    )


def _signed(growth: float) -> str:
    return f"+{figures.figure(growth)}" if growth > 0 else figures.figure(growth)


def _percent(share: float | None) -> str:
    return figures.MISSING if share is None else f"{figures.whole(share)}{figures.SPACE}%"
