"""Texts and their patterns."""

import re
import zlib

from ..values import Cell, number_of, text_of
from ..wire import OracleType
from .register import Functions

NUMBER = OracleType.NUMBER
TEXT = OracleType.VARCHAR2

functions = Functions()


for name, change in {"upper": str.upper, "lower": str.lower, "initcap": str.title}.items():
    functions.add(name, TEXT)(lambda cell, change=change: change(text_of(cell)))


@functions.add("concat", TEXT, takes_null=True)
def concat(*cells: Cell) -> Cell:
    return "".join(text_of(cell) for cell in cells) or None


@functions.add("length", NUMBER)
def length(cell: Cell) -> Cell:
    return len(text_of(cell))


@functions.add("lengthb", NUMBER)
def lengthb(cell: Cell) -> Cell:
    return len(text_of(cell).encode())


@functions.add("substr", TEXT)
def substr(cell: Cell, start: Cell, count: Cell = 2**31) -> Cell:
    """Return a part of a text; the first character is 1, and a negative start counts from the end."""
    text, first, length = text_of(cell), int(number_of(start)), int(number_of(count))
    begin = first - 1 if first > 0 else (len(text) + first if first else 0)
    if begin < 0 or length < 1:
        return None
    return text[begin : begin + length] or None


@functions.add("instr", NUMBER)
def instr(cell: Cell, part: Cell, start: Cell = 1, occurrence: Cell = 1) -> Cell:
    text, pattern, first = text_of(cell), text_of(part), int(number_of(start))
    positions = [position + 1 for position in range(len(text)) if text.startswith(pattern, position)]
    if first < 0:
        positions = [position for position in reversed(positions) if position <= len(text) + first + 1]
    else:
        positions = [position for position in positions if position >= first]
    index = int(number_of(occurrence)) - 1
    return positions[index] if len(positions) > index else 0


@functions.add("replace", TEXT, takes_null=True)
def replace(cell: Cell, old: Cell, new: Cell = None) -> Cell:
    return text_of(cell).replace(text_of(old), text_of(new)) or None if old is not None else cell


@functions.add("translate", TEXT)
def translate(cell: Cell, old: Cell, new: Cell) -> Cell:
    replacements: dict[int, str | None] = {}
    for position, character in enumerate(text_of(old)):
        replacements.setdefault(ord(character), text_of(new)[position : position + 1] or None)
    return text_of(cell).translate(replacements) or None


@functions.add("lpad", TEXT)
def lpad(cell: Cell, size: Cell, filling: Cell = " ") -> Cell:
    text, width = text_of(cell), int(number_of(size))
    missing = max(width - len(text), 0)
    return ((text_of(filling) * missing)[:missing] + text)[:width] or None


@functions.add("rpad", TEXT)
def rpad(cell: Cell, size: Cell, filling: Cell = " ") -> Cell:
    text, width = text_of(cell), int(number_of(size))
    return (text + text_of(filling) * max(width - len(text), 0))[:width] or None


@functions.add("trim", TEXT)
def trim(cell: Cell, characters: Cell = " ") -> Cell:
    return text_of(cell).strip(text_of(characters)) or None


@functions.add("ltrim", TEXT)
def ltrim(cell: Cell, characters: Cell = " ") -> Cell:
    return text_of(cell).lstrip(text_of(characters)) or None


@functions.add("rtrim", TEXT)
def rtrim(cell: Cell, characters: Cell = " ") -> Cell:
    return text_of(cell).rstrip(text_of(characters)) or None


@functions.add("chr", TEXT)
def chr_(cell: Cell) -> Cell:
    return chr(int(number_of(cell)))


@functions.add("ascii", NUMBER)
def ascii_(cell: Cell) -> Cell:
    return ord(text_of(cell)[0])


@functions.add("regexp_like", NUMBER)
def regexp_like(cell: Cell, pattern: Cell, flags: Cell = "c") -> Cell:
    return int(bool(re.search(text_of(pattern), text_of(cell), regexp_flags(flags))))


@functions.add("regexp_replace", TEXT, takes_null=True)
def regexp_replace(cell: Cell, pattern: Cell, new: Cell = None) -> Cell:
    return None if cell is None else re.sub(text_of(pattern), text_of(new), text_of(cell)) or None


@functions.add("regexp_substr", TEXT)
def regexp_substr(cell: Cell, pattern: Cell, start: Cell = 1, occurrence: Cell = 1) -> Cell:
    text = text_of(cell)[int(number_of(start)) - 1 :]
    matches = [match[0] for match in re.finditer(text_of(pattern), text)]
    number = int(number_of(occurrence))
    return matches[number - 1] if len(matches) >= number else None


def regexp_flags(flags: Cell) -> re.RegexFlag:
    return re.IGNORECASE if "i" in text_of(flags) else re.NOFLAG


@functions.add("rawtohex", TEXT)
def rawtohex(cell: Cell) -> Cell:
    return (cell if isinstance(cell, bytes) else text_of(cell).encode()).hex().upper()


@functions.add("hextoraw", OracleType.RAW)
def hextoraw(cell: Cell) -> Cell:
    return bytes.fromhex(text_of(cell))


@functions.add("ora_hash", NUMBER)
def ora_hash(cell: Cell, buckets: Cell = 2**32 - 1) -> Cell:
    return zlib.crc32(text_of(cell).encode()) % (int(number_of(buckets)) + 1)


@functions.add("cast_text", TEXT)
def cast_text(cell: Cell, size: Cell) -> Cell:
    return text_of(cell)[: int(number_of(size))]
