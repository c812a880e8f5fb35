"""A list of objects within a large text of JSON, one by one: the text is never held as a whole."""

import json
from collections.abc import Iterator
from typing import Any, TextIO

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import CHUNK

LARGEST = 16_000_000  # characters of one element, or of what stands before the first
_CUT_OFF = "The file ends in the middle of its records: it was cut off. Copy it again."


class JsonStream:
    """The list that follows `begin`: what stands before it, each of its elements, and what stands behind; `what` is what people are told it should be."""

    def __init__(self, text: TextIO, begin: str, what: str) -> None:
        self._text, self._begin, self._what = text, begin, what
        self._buffer, self._at = "", 0
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    def before(self) -> str:
        """What stands before the list. Raises UnreadableFile where there is none."""
        if not self.has_list():
            raise UnreadableFile(f"These are not {self._what}: there are no {self._begin.strip(chr(34))}.")
        begins = self._buffer.index(self._begin, self._at)
        before = self._buffer[:begins]
        self._at = self._find("[", begins)
        return before

    def has_list(self) -> bool:
        """Whether a list, or another one, follows."""
        while (begins := self._buffer.find(self._begin, self._at)) < 0:
            if len(self._buffer) - self._at > LARGEST or not self._more():
                return False
        return begins >= 0

    def elements(self) -> Iterator[dict[str, Any]]:
        """The elements of the list one by one. Raises UnreadableFile."""
        while True:
            self._skip(" \t\r\n,")
            if self._buffer[self._at] == "]":
                self._at += 1
                return
            yield self._decode()
            self._buffer, self._at = self._buffer[self._at :], 0

    def objects(self) -> Iterator[dict[str, Any]]:
        """Objects that stand one behind the other, without a list. Raises UnreadableFile."""
        while self._has_more():
            yield self._decode()
            self._buffer, self._at = self._buffer[self._at :], 0

    def _has_more(self) -> bool:
        """Whether anything but blanks follows."""
        while not (rest := self._buffer[self._at :].lstrip()):
            if not self._more():
                return False
        self._buffer, self._at = rest, 0
        return True

    def rest(self) -> dict[str, Any]:
        """What the object that has the list holds behind it."""
        self._skip(" \t\r\n")
        if self._buffer[self._at] != ",":
            return {}
        self._buffer, self._at = "{" + self._buffer[self._at + 1 :], 0
        return self._decode()

    def unreadable(self) -> UnreadableFile:
        """That this is something else."""
        return UnreadableFile(f"These are not {self._what}.")

    def _decode(self) -> dict[str, Any]:
        while True:
            try:
                element, self._at = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError:
                if len(self._buffer) - self._at > LARGEST or not self._more():
                    raise UnreadableFile(_CUT_OFF) from None
                continue
            except (ValueError, RecursionError):
                raise self.unreadable() from None
            if not isinstance(element, dict):
                raise self.unreadable()
            return element

    def _more(self) -> bool:
        chunk = self._text.read(CHUNK)
        self._buffer += chunk
        return bool(chunk)

    def _find(self, character: str, begins: int) -> int:
        while (place := self._buffer.find(character, begins)) < 0:
            if not self._more():
                raise UnreadableFile(_CUT_OFF)
        return place + 1

    def _skip(self, characters: str) -> None:
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in characters:
                self._at += 1
            if self._at < len(self._buffer):
                return
            if not self._more():
                raise UnreadableFile(_CUT_OFF)


def _refuse_constant(name: str) -> float:
    raise ValueError(name)
