"""
YAML that people give: lists and mappings of texts, bounded while it is read (no Django).

Nothing is made of a file before all of its events were counted, so that no few bytes can stand for much. What YAML can do
beyond lists, mappings and texts is refused: anchors and aliases, tags, keys that are no text, several documents in one.
Numbers, days and yes or no stay the texts they were written as; who reads a field says what it takes.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import yaml

LONGEST = 200_000  # characters
MOST_NODES = 30_000  # texts, lists and mappings
DEEPEST = 8  # lists and mappings within each other
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})  # written without quotes: no text at all
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the one in C is ten times as fast

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"


class BadYaml(ValueError):
    """This cannot be read; the message says where and what is expected."""


def read_yaml(text: str) -> Plain:
    """The texts, lists and mappings of a file; an empty text where it says nothing. Raises BadYaml."""
    if len(text) > LONGEST:
        raise BadYaml(f"The file has {len(text):,} characters; give at most {LONGEST:,}.")
    try:
        events = list(_bounded(yaml.parse(text, Loader=_LOADER)))
    except yaml.MarkedYAMLError as error:
        raise BadYaml(
            f"This is not YAML{_line(error.problem_mark)}: {error.problem or 'it cannot be read'}."
        ) from None
    except (yaml.YAMLError, UnicodeError):
        raise BadYaml("This is not YAML: it has a character in it that nobody can type.") from None
    nodes = iter(events)
    return _value(next(nodes), nodes) if events else ""


def _bounded(events: Iterator[yaml.Event]) -> Iterator[yaml.NodeEvent | yaml.CollectionEndEvent]:
    """The events of the only document, each looked at before the next one is read."""
    depth = nodes = documents = 0
    for event in events:
        line = _line(event.start_mark)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise BadYaml(f"A second document begins{line}; give one file for each.")
        elif isinstance(event, yaml.NodeEvent):
            nodes += 1
            depth += isinstance(event, yaml.CollectionStartEvent)
            _refuse_more_than_texts(event, line)
            if depth > DEEPEST:
                raise BadYaml(f"The file nests too deep{line}; at most {DEEPEST} levels are read.")
            if nodes > MOST_NODES:
                raise BadYaml(f"The file has more than {MOST_NODES:,} values; give fewer at a time.")
            yield event
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            yield event


def _refuse_more_than_texts(event: yaml.NodeEvent, line: str) -> None:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise BadYaml(f"There is an anchor or an alias (& or *){line}; write the value itself.")
    if (tag := getattr(event, "tag", None)) is not None:
        raise BadYaml(f"There is a tag ({tag[:40]}){line}; write the value without it.")
    if isinstance(event, yaml.ScalarEvent) and "\0" in event.value:
        raise BadYaml(f"There is a character that nobody can type{line}; leave it out.")


def _value(event: yaml.Event, events: Iterator[yaml.Event]) -> Plain:
    match event:
        case yaml.ScalarEvent():
            return "" if not event.style and event.value in _NOTHING else event.value
        case yaml.SequenceStartEvent():
            return list(_items(events))
        case _:
            return _mapping(events)


def _items(events: Iterator[yaml.Event]) -> Iterator[Plain]:
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        yield _value(event, events)


def _mapping(events: Iterator[yaml.Event]) -> dict[str, Plain]:
    made: dict[str, Plain] = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        if not isinstance(key, yaml.ScalarEvent):
            raise BadYaml(f"There is a list or a mapping in place of a name{_line(key.start_mark)}.")
        if key.value in made:
            raise BadYaml(f"“{key.value[:40]}” stands twice{_line(key.start_mark)}; leave one of them out.")
        made[key.value] = _value(next(events), events)
    return made


def _line(mark: Any) -> str:
    """Where a mark of either parser is, in words; empty where there is none."""
    return f" at line {mark.line + 1}" if mark is not None else ""
