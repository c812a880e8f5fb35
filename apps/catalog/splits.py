"""Statistics that measure the parts of one thing: reads and writes of a device. A limit may name them in brackets."""

from collections.abc import Iterable, Mapping

from apps.catalog.metric import base_of

Split = Mapping[str, str]  # the word of each part -> the key of its statistic

_splits: dict[str, tuple[Split, ...]] = {}


def add_splits(platform: str, splits: Iterable[Split]) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _splits[platform] = tuple(splits)


def part_of(key: str, word: str) -> str | None:
    """
    The statistic of a part, `word` being its name or how that begins; None where the statistic has no such part.

    `key` is that of any of the parts; a reduction of one gives the same reduction of the other.
    """
    base = base_of(key)
    named = word.strip().lower()[:1]
    for split in (split for splits in _splits.values() for split in splits if base in split.values()):
        for name, part in split.items():
            if named and name.startswith(named):
                return part + key.removeprefix(base)
    return None
