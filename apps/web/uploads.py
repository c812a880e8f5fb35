"""Files that are too large for any form are not kept while they arrive."""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

LARGEST = 16 * 1024 * 1024  # bytes of a whole request; forms allow less, each with a sentence of its own


class Bounded(FileUploadHandler):
    """The first of the handlers: of a request that is too large, every file is read past and left out."""

    is_too_large = False

    def handle_raw_input(
        self, input_data: Any, META: Any, content_length: int, boundary: Any, encoding: Any = None
    ) -> None:
        self.is_too_large = content_length > LARGEST

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.is_too_large:
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def bytes_sent(request: HttpRequest) -> int:
    """How many bytes a request brought, where it says so."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
