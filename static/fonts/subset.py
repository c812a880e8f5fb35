"""
Makes "Headroom Sans" of IBM Plex Sans: a subset, under another name as the licence asks ("Plex" is reserved).

    python subset.py FOLDER_OF_THE_COMPLETE_WOFF2 FOLDER_TO_WRITE_TO
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

NAME = "Headroom Sans"
WEIGHTS = {"Regular": "headroom-sans-400", "SemiBold": "headroom-sans-600"}
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180)]
MARKS = [ord(mark) for mark in "‐‑–—‘’‚“”„•…‰′″−×≈≠≤≥←↑→↓∞Δρσ€·\u2007\u2009\u202f"]


def make(source: Path, style: str, target: Path) -> None:
    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=["kern", "mark", "ccmp", "locl"],
        name_IDs=[0, 1, 2, 4, 6, 13, 14],
    )
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*LATIN, *MARKS])
    subsetter.subset(font)
    words = {
        1: NAME,
        2: style,
        4: f"{NAME} {style}",
        6: f"{NAME.replace(' ', '')}-{style}",
        16: NAME,
        17: style,
    }
    for record in font["name"].names:
        if record.nameID in words:
            record.string = words[record.nameID]
    for number in (3, 5, 7, 8, 9, 10, 11, 12, 18, 25):
        font["name"].removeNames(nameID=number)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    for style, name in WEIGHTS.items():
        make(source / f"IBMPlexSans-{style}.woff2", style, target / f"{name}.woff2")
