"""A binary file of sysstat's, which sadf alone reads: through it where it is installed."""

import io
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from apps.collection.file_readers import UnreadableFile

MAGIC = b"\x96\xd5"  # of sysstat 9 and later, on processors that begin with the low byte
MOST_BYTES = 200_000_000
PATIENCE = 60  # seconds
_CONVERT = "Convert it on its host and give what it prints: sadf -j FILE -- -A > FILE.json"


def is_binary_records(head: bytes) -> bool:
    """Whether a file is one that sadc writes."""
    return head.startswith(MAGIC)


def printed_records(file: BinaryIO) -> BinaryIO:
    """The records of a binary file as `sadf -j` prints them. Raises UnreadableFile."""
    sadf = shutil.which("sadf")
    if sadf is None:
        raise UnreadableFile(
            f"This is a binary file of sysstat's, and sadf is not installed here. {_CONVERT}"
        )
    with TemporaryDirectory() as folder:
        path = Path(folder, "records")
        with path.open("wb") as copy:
            shutil.copyfileobj(file, copy)
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableFile(
                f"The file holds more than {MOST_BYTES // 1_000_000} MB; give a day in each."
            )
        printed = _run([sadf, "-j", str(path), "--", "-A"])
        if printed is None:
            converted = _run([sadf, "-c", str(path)])
            later = Path(folder, "converted")
            later.write_bytes(converted or b"")
            printed = _run([sadf, "-j", str(later), "--", "-A"]) if converted else None
    if printed is None:
        raise UnreadableFile(f"The sadf that is installed here cannot read this release's file. {_CONVERT}")
    return io.BytesIO(printed)


def _run(command: list[str]) -> bytes | None:
    """What a command prints; None where it fails."""
    environment = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, env=environment, check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    return done.stdout
