"""Metric: the declaration of one statistic. A platform lists its metrics; everything else follows from them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from apps.catalog.units import convert
from apps.catalog.window import Window

if TYPE_CHECKING:  # what is declared is known without loading numpy
    from numpy.typing import NDArray

Formula = Callable[[Window], "NDArray[Any]"]


class Kind(StrEnum):
    """How a reading becomes a figure."""

    COUNTER = "counter"  # grows from start-up; its figure is a difference over time
    GAUGE = "gauge"  # the value read, for a day that of the reading which ends it
    HIGH_WATER = "high-water"  # only rises until a restart; read like a gauge
    RATIO = "ratio"  # computed by a formula, from differences of one interval
    SETTING = "setting"  # a number somebody chose; read like a gauge


class Worse(StrEnum):
    """Which way a change is bad news."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, kw_only=True)
class Metric:
    """
    One statistic: what it is called, where it is read, in which unit people meet it.

    `unit` is the unit of the stored daily figure, `shown_in` that of profile and thresholds (same dimension), and
    `reading_unit` the native unit of the reading. A metric with `component_kind` ("event", "tablespace") has one
    series per component; else its only component is the empty string. Ratios have a `formula` over a Window.
    """

    key: str
    label: str
    unit: str
    kind: Kind
    source: str  # the view, file or tool it is read from, or "derived"
    category: int  # where its rows are stored; a category is read by one source, as a whole or not at all
    name: str = ""  # the statistic's own name at the source, in its own spelling
    aliases: tuple[str, ...] = ()  # names other releases use for the same statistic
    reading_unit: str = ""  # empty: the same as `unit`
    shown_in: str = ""  # empty: the same as `unit`
    worse: Worse = Worse.NEITHER
    help: str = ""
    section: str = ""  # section of the profile, or of the full list
    component_kind: str = ""
    names_itself: str = ""  # what a component is, where its name says what is measured: "wait event"
    formula: Formula | None = None
    renames: tuple[tuple[str, str], ...] = ()  # components that a release renamed: old name, new name
    over_instances: str = (
        ""  # of a database of several instances: "sum", "max", "min", "ratio" (of sums), "" not at all
    )
    is_sparse: bool = False  # the source lists only what occurred: absent means "not present", not "no data"
    is_seldom_read: bool = (
        False  # on a rhythm of its own: its figure is that of the readings that bound the day
    )
    is_figure: bool = True  # False: only read, as an ingredient of formulas
    is_maximum_of_day: bool = False  # of a day read many times the highest, where others are its mean
    reductions: tuple[str, ...] = ()  # of figures read many times a day: "p95", "max", "busy"
    profile_rows: int = 0  # rows in the default profile: 0 none, 1 itself, n the n largest components
    profile_reduction: str = ""  # which reduction the profile shows: "" (mean or value), "p95", "max"
    ranked_by: str = ""  # key of the metric by which the largest components are chosen; empty: by itself
    ranked_with: tuple[
        str, ...
    ] = ()  # keys of plain metrics that compete for the same rows, in the unit of `ranked_by`
    hides: Callable[[str, str], bool] | None = None  # (component, its class) that a ranking leaves out
    role: str = ""  # "work" grows with demand, "strain" shows that a host runs out; "allocated" and "used" are the size of
    # each of its parts, "size" and "filled" that of the whole target
    strain_limit: float = 0.0  # of a strain, in the unit of the profile
    is_shown_with_guests: bool = False  # of a host: also in the profile of the instances that run on it
    weight: str = ""  # key of the count behind an average; with fewer than `enough` it is not judged
    enough: float = 0
    no_limit: str = ""  # why it takes no limit, as a sentence
    limit_instead: str = ""  # key of the statistic that takes one in its place
    companions: tuple[tuple[str, str], ...] = ()  # (word, key): what a limit may name as its second condition

    def __post_init__(self) -> None:
        if (self.kind is Kind.RATIO) != (self.formula is not None):
            raise ValueError(f"{self.key}: a ratio has a formula, and nothing else has one.")

    @property
    def display_unit(self) -> str:
        return self.shown_in or self.unit

    def called(self, component: str) -> str:
        """A component of it in words: "DATA, used"; the name alone where that says what is measured."""
        if not component:
            return self.label
        return component if self.names_itself else f"{component}, {self.label}"

    @property
    def is_percent(self) -> bool:
        """Statistics in percent are compared in points."""
        return self.display_unit.startswith("%")

    def shown(self, figure: float) -> float:
        """A stored figure in the unit of the profile."""
        return convert(figure, self.unit, self.display_unit)

    def stored(self, value: float) -> float:
        """A value in the unit of the profile as a stored figure."""
        return convert(value, self.display_unit, self.unit)
