"""A file as text: unpacked where it is packed, and no more of it than a host's records can be."""

import io
import lzma
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from apps.collection.file_readers import UnreadableFile

MOST_BYTES = 1_000_000_000  # unpacked
MOST_RATIO = 250  # unpacked against packed: records of an idle host shrink to a fiftieth
FREE = 20_000_000  # unpacked bytes before the ratio is looked at
LONGEST_LINE = 64 * 1024
CHUNK = 1 << 18
MOST_VALUES = 6_000_000
LATEST = 4_102_444_800  # seconds since 1970: no record is of 2100 or later
_XZ_MEMORY = 1 << 27
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"


class UnpackedFile(io.RawIOBase):
    """Bytes of a plain, gzip or xz file, counted; raises UnreadableFile beyond the bounds."""

    def __init__(self, file: BinaryIO) -> None:
        head = file.read(6)
        self._file, self._pending = file, head
        self._is_gzip, self._is_xz = head.startswith(GZIP), head.startswith(XZ)
        self._packed, self._unpacked = len(head), 0
        self._unpacker = self._new_unpacker()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        data = self._read_some(len(buffer))
        self._unpacked += len(data)
        if self._unpacked > MOST_BYTES:
            raise UnreadableFile(
                f"The file holds more than {MOST_BYTES // 1_000_000:,} MB unpacked; give it in parts, a day in each."
            )
        if self._unpacked > FREE and self._unpacked > MOST_RATIO * self._packed:
            raise UnreadableFile(
                f"The file unpacks to more than {MOST_RATIO} times its size: these are no records of a host."
            )
        buffer[: len(data)] = data
        return len(data)

    def _new_unpacker(self) -> "_Gunzip | lzma.LZMADecompressor | None":
        if self._is_gzip:
            return _Gunzip()
        return lzma.LZMADecompressor(memlimit=_XZ_MEMORY) if self._is_xz else None

    def _read_some(self, length: int) -> bytes:
        if self._unpacker is None:
            data = self._pending[:length] + self._file.read(max(length - len(self._pending), 0))
            self._pending = self._pending[length:]
            self._packed += len(data)
            return data
        while True:
            if self._unpacker.eof:  # gzip files may be several, one behind the other
                self._pending = self._unpacker.unused_data or self._read_packed()
                if not self._pending:
                    return b""
                self._unpacker = self._new_unpacker() or self._unpacker
            if data := self._unpack(length):
                return data

    def _read_packed(self) -> bytes:
        packed = self._file.read(CHUNK)
        self._packed += len(packed)
        return packed

    def _unpack(self, length: int) -> bytes:
        unpacker = self._unpacker
        if unpacker is None:
            return b""
        packed, self._pending = self._pending, b""
        if not packed and unpacker.needs_input and not (packed := self._read_packed()):
            raise UnreadableFile("The packed file ends too early: it was cut off. Copy it again.")
        try:
            return unpacker.decompress(packed, length)
        except (EOFError, zlib.error, lzma.LZMAError) as error:
            raise UnreadableFile(f"The file cannot be unpacked: {error}.") from None


class _Gunzip:
    """zlib with the ways of lzma: what was not unpacked yet stays inside."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


class HostText:
    """The text of a file, with its beginning to recognise it by."""

    def __init__(self, file: BinaryIO) -> None:
        self.binary = io.BufferedReader(UnpackedFile(file), CHUNK)
        self.head = self.binary.peek(CHUNK)[:CHUNK]

    def open(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(self.binary, encoding="utf-8-sig", errors="replace", newline=None)

    def lines(self) -> Iterator[str]:
        """The lines, none too long. Raises UnreadableFile."""
        with self.open() as text:
            while line := text.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise UnreadableFile(
                        f"The file has a line of more than {LONGEST_LINE:,} characters: these are no records of a host."
                    )
                yield line
