"""Where the packs lie that come with the program."""

from pathlib import Path

PACK_FOLDERS: list[Path] = []


def add_packs(folder: Path) -> None:
    """Make the packs of a folder known; platforms ship theirs."""
    if folder not in PACK_FOLDERS:
        PACK_FOLDERS.append(folder)
