"""Which characters the report's fonts can draw; a PDF for everybody refuses a character that it cannot."""

import struct
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
BOX = "\N{WHITE SQUARE}"  # stands for a character that none of the fonts has
_JOINERS = {"\n", "\u200c", "\u200d"}  # a line's end, and what joins or parts Arabic and Indic letters


def make_legible(text: str) -> str:
    """The text without what steers or hides it, each character that cannot be drawn as a box."""
    drawable = _drawable()
    legible = []
    for character in unicodedata.normalize("NFC", text):
        if character in _JOINERS or ord(character) in drawable:
            if unicodedata.category(character) not in ("Cc", "Cf", "Cs") or character in _JOINERS:
                legible.append(character)
        elif unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Mn"):
            legible.append(BOX)
    return "".join(legible)


@cache
def _drawable() -> frozenset[int]:
    """The characters that any of the fonts has."""
    characters: set[int] = set()
    for file in sorted(FONTS.glob("*.ttf")):
        characters.update(_characters(file.read_bytes()))
    return frozenset(characters)


def _characters(font: bytes) -> Iterator[int]:
    """The characters of a font, from the formats 4 and 12 of its table `cmap`."""
    count = struct.unpack_from(">H", font, 4)[0]
    tables = (struct.unpack_from(">4sIII", font, 12 + 16 * index) for index in range(count))
    start = next(offset for name, _, offset, _ in tables if name == b"cmap")
    for index in range(struct.unpack_from(">H", font, start + 2)[0]):
        at = start + struct.unpack_from(">I", font, start + 4 + 8 * index + 4)[0]
        kind = struct.unpack_from(">H", font, at)[0]
        if kind == 4:
            yield from _segments(font, at)
        elif kind == 12:
            for group in range(struct.unpack_from(">I", font, at + 12)[0]):
                first, last, _ = struct.unpack_from(">III", font, at + 16 + 12 * group)
                yield from range(first, last + 1)


def _segments(font: bytes, at: int) -> Iterator[int]:
    """Format 4: stretches of characters, some of whose members have no glyph after all."""
    count = struct.unpack_from(">H", font, at + 6)[0] // 2
    ends, starts, deltas, offsets = (
        struct.unpack_from(f">{count}H", font, at + 14 + part * 2 * count + (2 if part else 0))
        for part in range(4)
    )
    for index, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for character in range(first, min(last, 0xFFFE) + 1):
            if not offsets[index]:
                glyph = (character + deltas[index]) & 0xFFFF
            else:
                place = at + 16 + 6 * count + 2 * index + offsets[index] + 2 * (character - first)
                glyph = struct.unpack_from(">H", font, place)[0]
            if glyph:
                yield character
