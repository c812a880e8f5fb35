"""
What can be studied, found by its place: each kind of study is one module of `study_kinds/`, and its template.

The module declares a StudyKind. The form of a new study, its page and its paper come with that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from apps.catalog.declarations import find_declarations
from apps.inventory.models import Target

if TYPE_CHECKING:  # knowing the kinds takes no frames
    from apps.profiles.differences import Comparison

KINDS = "apps.advisors.study_kinds"  # the package whose modules declare kinds
Fields = Mapping[str, str]


@dataclass(frozen=True)
class KindField:
    """What a kind asks for: a text, or one of its `choices`, each with what it is called."""

    name: str
    label: str
    help: str
    longest: int = 40
    is_optional: bool = False
    choices: Callable[[], Sequence[tuple[str, str]]] | None = None


@dataclass(frozen=True, kw_only=True)
class StudyKind:
    """
    A kind of study: an example of what it asks, what its windows are of the days before and after, and its rows.

    `read_fields` takes what was typed of its fields for a target, with `is_of_release` where the release is the change itself,
    and raises Refusal; it gives what is stored.
    `statistic_of` gives the statistic that stands for one within its windows, `has_row` says which of them are rows.
    One that does not study days has its own `compare`, and `windows`, which says what both are called.
    One that `is_rolled_up` has figures only once past days were rolled up for it. Its template says on the page of a
    study what its windows are, with the fields as `study.windows`; `describe` says the same in a few words.
    """

    key: str
    title: str
    question: str
    template: str
    fields: Sequence[KindField] = ()
    read_fields: Callable[[Target, Fields], Fields] = lambda target, fields: {}
    statistic_of: Callable[[str, Fields], str] = lambda metric, fields: metric
    has_row: Callable[[str, Fields], bool] = lambda metric, fields: True
    describe: Callable[[Fields], str] = lambda fields: ""
    is_rolled_up: bool = False
    compare: Callable[[Target, Fields], "Comparison"] | None = None
    windows: Callable[[Fields], tuple[str, str]] | None = None
    test: str = ""  # how differences are told from noise, where it is not as for days

    @property
    def is_of_days(self) -> bool:
        return self.compare is None


def all_kinds() -> Sequence[StudyKind]:
    """Every kind, that of whole days first."""
    return _declared_in(KINDS)


def find_kind(key: str) -> StudyKind:
    """The kind of this key; that of whole days where there is none."""
    return next((kind for kind in all_kinds() if kind.key == key), all_kinds()[0])


@cache
def _declared_in(package: str) -> Sequence[StudyKind]:
    return sorted(find_declarations(package, StudyKind), key=lambda kind: len(kind.fields))
