"""Collect the static files into a folder, compressed and named by what is in them, once for each version of them."""

import hashlib
import shutil
from pathlib import Path

from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = "collected-from"  # the digest of what the folder was collected from, written when it is whole


def collect_static(folder: Path) -> bool:
    """Collect the static files into a folder of their own, unless it has them; return whether it had to be done."""
    digest = digest_of_sources()
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_text() == digest:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(digest)
    return True


def digest_of_sources() -> str:
    """What the files are called and what is in them, as one digest."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list(None), key=lambda each: each[0]):
            content = Path(storage.path(path)).read_bytes()
            digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
