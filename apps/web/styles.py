"""
The style sheets of every page. They are written as parts, and sent as one: nothing is painted before the last has come.

Where the static files are collected, BundledStorage joins the parts; in development each is served from where it lies.
"""

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

STYLE_SHEETS = (
    "vendor/bootstrap/bootstrap.min.css",
    "css/names.css",
    "css/base.css",
    "css/components.css",
    "css/tables.css",
    "css/estate.css",
    "css/find.css",
    "css/registration.css",
    "css/details.css",
    "css/reading.css",
    "css/workbench.css",
    "css/print.css",
)
BUNDLE = "css/headroom.css"  # beside the parts, whose relative addresses then hold in it


class BundledStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Collected files: named by what is in them, compressed, and the style sheets of every page in one."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Join the style sheets, then name and compress all files."""
        if not dry_run:
            parts = [self._text(*paths[name]) for name in STYLE_SHEETS]
            self.delete(BUNDLE)
            self._save(BUNDLE, ContentFile("\n".join(parts).encode()))
            paths = {**paths, BUNDLE: (self, BUNDLE)}
        yield from super().post_process(paths, dry_run, **options)

    @staticmethod
    def _text(storage: Any, path: str) -> str:
        with storage.open(path) as file:
            return str(file.read().decode())
