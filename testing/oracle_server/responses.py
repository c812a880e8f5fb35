"""What the server answers: greetings, sign-in parameters, descriptions, rows, errors, and how a response ends."""

from collections.abc import Mapping, Sequence

from .errors import TEXTS, OraError
from .wire import UTF8, OracleType, Value, WireColumn, WireWriter, encode

ERROR = 4
ROW_HEADER = 6
ROW = 7
PARAMETERS = 8
STATUS = 9
DESCRIBE = 16
END = 29
TOKEN = 33

NO_MORE_ROWS = 1403

BANNER = b"Linux x86_64 19.0.0.0.0"

# The national character set (2000, AL16UTF16) is all that a client looks for in this block.
NATIONAL_BLOCK = bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0x07, 0xD0])


class Response:
    """One response in the making, for one negotiated field version."""

    def __init__(self, field_version: int, token: int = 0) -> None:
        self.field_version = field_version
        self.writer = WireWriter()
        if token:
            self.writer.u8(TOKEN)
            self.writer.uint(token)

    def greet(self, field_version: int, has_end_of_response: bool) -> None:
        """Answer the client's greeting with what this server can do."""
        compile_time = bytearray(55)
        compile_time[7] = field_version
        compile_time[40] = 0x20 if has_end_of_response else 0
        compile_time[44] = 0x14 if has_end_of_response else 0
        runtime = bytearray(11)
        runtime[6] = 0x04
        writer = self.writer
        writer.u8(1, 6, 0)
        writer.data += BANNER + b"\0"
        writer.u16_little(UTF8)
        writer.u8(0)
        writer.u16_little(0)
        writer.u16(len(NATIONAL_BLOCK))
        writer.data += NATIONAL_BLOCK
        writer.string(bytes(compile_time))
        writer.string(bytes(runtime))

    def agree_on_types(self) -> None:
        self.writer.u8(2)
        self.writer.u16(0)

    def parameters(self, pairs: Mapping[str, tuple[str, int]]) -> None:
        self.writer.u8(PARAMETERS)
        self.writer.uint(len(pairs))
        for key, (value, flags) in pairs.items():
            self.writer.string2(key.encode())
            self.writer.string2(value.encode())
            self.writer.uint(flags)

    def describe(self, columns: Sequence[WireColumn]) -> None:
        writer = self.writer
        writer.u8(DESCRIBE)
        writer.string(b"")
        writer.uint(sum(column.size for column in columns), len(columns))
        if columns:
            writer.u8(0)
        for position, column in enumerate(columns, start=1):
            writer.column(column, position, self.field_version)
        writer.string2(b"")
        writer.uint(0, 0, 0, 0)
        writer.string2(b"")

    def rows(self, columns: Sequence[WireColumn], rows: Sequence[Sequence[Value]]) -> None:
        writer = self.writer
        writer.u8(ROW_HEADER, 0)
        writer.uint(0, 0, 0, 0, 0)
        writer.string2(b"")
        types = [column.type for column in columns]
        for row in rows:
            writer.u8(ROW)
            for value, kind in zip(row, types, strict=True):
                writer.string(encode_or_complain(value, kind))

    def done(self, *, cursor: int = 0, row_count: int = 0, is_query: bool = False) -> None:
        """End a call that went well."""
        self._error_info(0, "", 0, cursor, row_count, is_query)

    def no_more_rows(self, cursor: int, row_count: int) -> None:
        text = f"ORA-01403: {TEXTS[NO_MORE_ROWS]}\n"
        self._error_info(NO_MORE_ROWS, text, 0, cursor, row_count, is_query=True)

    def error(self, error: OraError) -> None:
        self._error_info(error.code, error.text + "\n", error.offset, 0, 0, is_query=False)

    def status(self) -> None:
        self.writer.u8(STATUS)
        self.writer.uint(0, 0)

    def _error_info(
        self, code: int, text: str, offset: int, cursor: int, row_count: int, is_query: bool
    ) -> None:
        writer = self.writer
        writer.u8(ERROR)
        writer.uint(0, 0, row_count, min(code, 0xFFFF), 0, 0, cursor, offset)
        writer.u8(3 if is_query else 0, 0, 0, 0, 0, 0)
        writer.uint(0, 0)
        writer.u8(0)
        writer.uint(0, 0, 0)
        writer.u8(0, 0)
        writer.uint(0, 0, 0, 0, 0, 0)
        writer.uint(code, row_count)
        if self.field_version >= 14:
            writer.uint(0, 0)
        if code:
            writer.string(text.encode())


def encode_or_complain(value: Value, kind: OracleType) -> bytes:
    try:
        return encode(value, kind)
    except ValueError:
        raise OraError(1722) from None
