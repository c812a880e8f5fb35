"""Metric: the declaration of one statistic. A platform lists its metrics; everything else follows from them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from apps.catalog.probe import Ingredients, probe
from apps.catalog.section import NO_SECTION, Section
from apps.catalog.units import convert, dimension_of
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
class Origin:
    """
    How the source gives a statistic.

    What `is_sparse` lists only what occurred: absent means "not present", not "no data". What `is_seldom` has a rhythm
    of its own: its figure is that of the readings that bound the day. What `is_maximum` is, of a day read many times,
    the highest, where others are its mean. `renames` are components that a release renamed: old name, new name.
    """

    is_sparse: bool = False
    is_seldom: bool = False
    is_maximum: bool = False
    renames: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Display:
    """
    How people meet a statistic.

    `unit` is that of profile and thresholds; empty, it is the metric's own. The default profile has so many `rows` of
    it: none, 1 for itself, n for its largest components, and shows its `reduction` ("p95", "max") where one is named.
    `noun` says what a component is ("wait event") where its name alone says what is measured. `called` names a row of a
    component, `{}` in the place of its name ("disk group {}"); without it the label follows the name. What
    `is_shown_with_guests` stands, of a host, in the profile of the instances that run on it too. What `stands_in_for`
    another has that one's rows where it has none itself, because it cannot be measured there.
    """

    unit: str = ""
    rows: int = 0
    reduction: str = ""
    noun: str = ""
    called: str = ""
    is_shown_with_guests: bool = False
    stands_in_for: str = ""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """
    Which components are the largest.

    They are ranked `by` another metric where its key is given, else by themselves. `rivals` are keys of plain metrics
    that compete for the same rows, in the unit of what ranks. `hides` says of a component and its class that a ranking
    leaves it out.
    """

    by: str = ""
    rivals: tuple[str, ...] = ()
    hides: Callable[[str, str], bool] | None = None


@dataclass(frozen=True, kw_only=True)
class Judging:
    """
    What a limit on a statistic has to know.

    `weight` is the key of the count behind an average, which is not judged where that is less than `enough`. What takes
    no limit says so in a sentence, `no_limit`, and names the key of the statistic that takes one `instead`.
    `companions` (word, key) are what a limit may name as its second condition. `strain` is where a strain of a host
    begins, in the unit of the profile.
    """

    weight: str = ""
    enough: float = 0.0
    no_limit: str = ""
    instead: str = ""
    companions: tuple[tuple[str, str], ...] = ()
    strain: float = 0.0


def base_of(key: str) -> str:
    """The key of a statistic without its reduction or clock hours."""
    return key.partition(":")[0]


MetricOf = Callable[[str], "Metric | None"]


@dataclass(frozen=True, kw_only=True)
class Metric:
    """
    One statistic: what it measures, and in four parts how it is read, shown, ranked and judged.

    `name` is the statistic's own name at the source, in its own spelling, `aliases` those of other releases; `source`
    is the view, file or tool it is read from, or "derived". A `category` is where its rows are stored: it is read by one
    source of one platform, as a whole or not at all. `unit` is that of the stored daily figure, `reading_unit` that of
    the reading where it is another. A metric with `component_kind` ("event", "tablespace") has one series per
    component; else its only component is the empty string. Ratios have a `formula` over a Window. What is not
    `is_figure` is only read, as an ingredient of formulas.

    Of a day read many times it has `reductions` ("p95", "max", "busy"); of a database of several instances it is
    `over_instances` their "sum", "max", "min", the "ratio" of their sums, or nothing. Its `role` is "work", which grows
    with demand; "strain", which shows that a host runs out; "allocated" and "used", the size of each of the target's
    parts; "size" and "filled", that of the whole; "uptime", "cores" and "memory" what the head of its pages names.
    `same_as` is the key of a finer count of the very same thing, where a release may have both.
    """

    key: str
    label: str
    help: str = ""
    section: Section = NO_SECTION
    kind: Kind
    unit: str
    worse: Worse = Worse.NEITHER
    role: str = ""
    same_as: str = ""

    source: str
    category: int
    name: str = ""
    aliases: tuple[str, ...] = ()
    reading_unit: str = ""
    component_kind: str = ""
    is_figure: bool = True
    formula: Formula | None = None
    reductions: tuple[str, ...] = ()
    over_instances: str = ""

    origin: Origin = Origin()
    display: Display = Display()
    ranking: Ranking = Ranking()
    judging: Judging = Judging()

    def __post_init__(self) -> None:
        if (self.kind is Kind.RATIO) != (self.formula is not None):
            raise ValueError(f"{self.key}: a ratio has a formula, and nothing else has one.")

    @property
    def base(self) -> str:
        """The key of the statistic that it is, or that it is a reduction of."""
        return base_of(self.key)

    @property
    def reduction(self) -> str:
        """What reduces a day to one figure, "p95" or the clock hours "9-17"; empty for the statistic itself."""
        return self.key.partition(":")[2]

    @cached_property
    def _made_of(self) -> Ingredients:
        if self.formula is not None:
            return probe(self.formula)
        is_counter = self.kind is Kind.COUNTER
        return Ingredients(frozenset({self.base}), is_counter, is_counter)

    @property
    def ingredients(self) -> frozenset[str]:
        """The keys of the readings that a figure of it is made of."""
        return self._made_of.keys

    @property
    def is_difference(self) -> bool:
        """Whether it is told from two readings, or more; else it is read at a moment."""
        return self._made_of.has_differences

    @property
    def is_over_time(self) -> bool:
        """Whether a figure is measured over the hours of a day: a difference, or a reduction of many readings."""
        return bool(self.reduction) or self.is_difference

    @property
    def is_total(self) -> bool:
        """Whether figures add up over time (waits a day, share of the day), so that what did not occur is 0 of it."""
        return self._made_of.is_over_seconds

    @property
    def shown_key(self) -> str:
        """The key of the figure that a profile shows of it."""
        return f"{self.base}:{self.display.reduction}" if self.display.reduction else self.base

    @property
    def display_unit(self) -> str:
        return self.display.unit or self.unit

    @property
    def native_unit(self) -> str:
        """The unit of its readings."""
        return self.reading_unit or self.unit

    def called(self, component: str) -> str:
        """What a row of a component is called, so that no two look alike: "dm-2 read response", "disk group DATA"."""
        if not component:
            return self.label
        label, comma, reduced = self.label.rpartition(", ") if self.reduction else (self.label, "", "")
        if self.display.noun or self.display.called:
            name = (self.display.called or "{}").replace("{}", component)
        else:
            name = f"{component} {self._label_of_component(label)}"
        return f"{name}{comma}{reduced}"

    def _label_of_component(self, label: str) -> str:
        """The label beside the name of a component: "logical reads", not "logical reads of the segment"."""
        kind = re.escape(self.component_kind)
        return re.sub(rf" (?:of|on|in|to|by) (?:the|a) {kind}|^{kind} ", "", label) if kind else label

    @property
    def piles_up(self) -> bool:
        """Whether it is a size that grows by what is added: then the difference of two days says how much."""
        is_level = self.kind in (Kind.GAUGE, Kind.HIGH_WATER) and not self.reduction
        is_size = dimension_of(self.display_unit) == "information"
        return is_level and is_size and bool(self.component_kind or self.role in ("size", "filled"))

    @property
    def is_percent(self) -> bool:
        """Statistics in percent are compared in points."""
        return self.display_unit.startswith("%")

    def to_display_unit(self, figure: float) -> float:
        """A stored figure in the unit of the profile."""
        return convert(figure, self.unit, self.display_unit)

    def to_stored_unit(self, value: float) -> float:
        """A value in the unit of the profile as a stored figure."""
        return convert(value, self.display_unit, self.unit)
