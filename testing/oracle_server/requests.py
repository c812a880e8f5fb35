"""
What a client asks for: each request of the protocol, read into a small object.

A request is any number of piggybacks and then one call. Nothing says how long any of them is, so each must be
read to its last byte, whether the server has a use for it or not.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from .wire import BindType, Value, WireReader

PROTOCOL = 1
CALL = 3
PIGGYBACK = 17
ONE_WAY = 26
FAST_LOGON = 34

# Functions of a call.
REEXECUTE = 4
FETCH = 5
LOGOFF = 9
COMMIT = 14
ROLLBACK = 15
REEXECUTE_AND_FETCH = 78
EXECUTE = 94
CLOSE_CURSORS = 105
LOGON_SECOND = 115
LOGON_FIRST = 118
APPLICATION = 135
PING = 147
SET_SCHEMA = 152
CONTEXT = 154
RELEASE = 163
SESSION_STATE = 176
BEGIN_PIPELINE = 199
END_PIPELINE = 200

# Options of an execution.
BIND = 0x8
DEFINE = 0x10
RUN = 0x20
FETCH_ROWS = 0x40
DESCRIBE_ONLY = 0x20000


class UnknownRequest(Exception):
    """The client asks for something this server has never heard of."""


@dataclass
class Request:
    """One call: its function, and the token and sequence the answer must repeat."""

    function: int
    token: int = 0


@dataclass
class Logon(Request):
    """A step of the sign-in, with what the client tells of itself."""

    user: str = ""
    mode: int = 0
    pairs: dict[str, str] = field(default_factory=dict)


@dataclass
class Execution(Request):
    """A statement to run, or a known cursor to run again."""

    options: int = 0
    cursor: int = 0
    sql: str = ""
    rows: int = 0
    bind_types: list[BindType] | None = None
    binds: list[list[Value]] = field(default_factory=list)


@dataclass
class Fetching(Request):
    """More rows of an open cursor."""

    cursor: int = 0
    rows: int = 0


class Application(NamedTuple):
    """What a client says of itself while it works; None where it says nothing."""

    module: str | None
    action: str | None
    client_info: str | None


class RequestReader:
    """Reads the requests of one connection; remembers the bind types of its cursors."""

    def __init__(self) -> None:
        self.field_version = 13
        self.bind_types: dict[int, list[BindType]] = {}
        self.closed: list[int] = []
        self.application: Application | None = None

    def read(self, reader: WireReader) -> Request:
        """Read piggybacks up to a call, and the call; `Incomplete` leaves nothing half done."""
        closed: list[int] = []
        application = None
        while True:
            kind = reader.u8()
            if kind not in (CALL, PIGGYBACK, ONE_WAY):
                raise UnknownRequest(f"message {kind}")
            function = reader.u8()
            reader.u8()
            token = reader.uint() if self.field_version >= 18 else 0
            if kind == PIGGYBACK:
                piggyback = self._read_piggyback(function, reader)
                if isinstance(piggyback, Application):
                    application = piggyback
                elif piggyback:
                    closed += piggyback
                continue
            request = self._read_call(function, token, reader)
            self.closed += closed
            self.application = application or self.application
            return request

    def _read_piggyback(self, function: int, reader: WireReader) -> list[int] | Application | None:
        if function == CLOSE_CURSORS:
            reader.u8()
            return reader.uints(reader.uint())
        if function == APPLICATION:
            return read_application(reader)
        if function == CONTEXT:
            read_context(reader)
        elif function == SESSION_STATE:
            reader.uint()
        elif function == SET_SCHEMA:
            reader.u8()
            reader.string2()
        elif function == BEGIN_PIPELINE:
            reader.uint()
            reader.take(2)
        else:
            raise UnknownRequest(f"piggyback {function}")
        return None

    def _read_call(self, function: int, token: int, reader: WireReader) -> Request:
        calls: dict[int, Callable[[int, int, WireReader], Request]] = {
            EXECUTE: self._read_execution,
            REEXECUTE: self._read_reexecution,
            REEXECUTE_AND_FETCH: self._read_reexecution,
            FETCH: read_fetching,
            LOGON_FIRST: read_logon,
            LOGON_SECOND: read_logon,
            END_PIPELINE: read_end_of_pipeline,
            RELEASE: read_release,
        }
        if function in calls:
            return calls[function](function, token, reader)
        if function in (COMMIT, ROLLBACK, PING, LOGOFF):
            return Request(function, token)
        raise UnknownRequest(f"function {function}")

    def _read_execution(self, function: int, token: int, reader: WireReader) -> Execution:
        options, cursor = reader.uints(2)
        has_sql = reader.u8()
        reader.uint()
        reader.u8()
        reader.uint()
        reader.take(2)
        reader.uint()
        rows = reader.uint()
        reader.uint()
        reader.u8()
        bind_count = reader.uint()
        reader.take(6)
        define_count = reader.uint()
        reader.uint()
        reader.take(3)
        reader.uint()
        reader.u8()
        reader.uints(2)
        reader.u8()
        reader.uint()
        reader.take(2)
        reader.uint()
        reader.u8()
        reader.uint()
        reader.take(2)
        reader.uint()
        sql = reader.string().decode() if has_sql else ""
        more = reader.uints(13)
        request = Execution(function, token, options, cursor, sql, rows)
        if options & DEFINE:
            for _ in range(define_count):
                reader.bind_type()
        if bind_count and options & BIND:
            request.bind_types = [reader.bind_type() for _ in range(bind_count)]
            # For a query the number of executions is a number of rows.
            times = 1 if more[7] else more[1]
            request.binds = read_binds(reader, request.bind_types, times)
        return request

    def _read_reexecution(self, function: int, token: int, reader: WireReader) -> Execution:
        cursor, iterations, _, _ = reader.uints(4)
        options = RUN | (FETCH_ROWS if function == REEXECUTE_AND_FETCH else 0)
        types = self.bind_types.get(cursor, [])
        times = 1 if function == REEXECUTE_AND_FETCH else iterations
        binds = read_binds(reader, types, times) if types else []
        return Execution(function, token, options, cursor, "", iterations, None, binds)


def read_binds(reader: WireReader, types: list[BindType], times: int) -> list[list[Value]]:
    rows = []
    for _ in range(max(times, 1)):
        reader.u8()
        rows.append(reader.bind_row(types))
    return rows


def read_fetching(function: int, token: int, reader: WireReader) -> Fetching:
    cursor, rows = reader.uints(2)
    return Fetching(function, token, cursor, rows)


def read_end_of_pipeline(function: int, token: int, reader: WireReader) -> Request:
    reader.uint()
    return Request(function, token)


def read_release(function: int, token: int, reader: WireReader) -> Request:
    reader.take(2)
    reader.uint()
    return Request(function, token)


def read_logon(function: int, token: int, reader: WireReader) -> Logon:
    has_user = reader.u8()
    reader.uint()
    mode = reader.uint()
    reader.u8()
    count = reader.uint()
    reader.take(2)
    user = reader.string().decode() if has_user else ""
    pairs = {}
    for _ in range(count):
        key = reader.string2().decode()
        pairs[key] = reader.string2().decode()
        reader.uint()
    return Logon(function, token, user, mode, pairs)


def read_application(reader: WireReader) -> Application:
    reader.take(2)
    flags = reader.uint()
    lengths = []
    for is_used in (True, True, True, False, False, True, False, False, True):
        reader.u8()
        length = reader.uint()
        if is_used:
            lengths.append(length)
    words: list[str | None] = []
    for flag, length in zip((0x1, 0x8, 0x10, 0x100, 0x200), lengths, strict=True):
        if flags & flag:
            words.append(reader.string().decode() if length else "")
        else:
            words.append(None)
    _, module, action, client_info, _ = words
    return Application(module, action, client_info)


def read_context(reader: WireReader) -> None:
    reader.u8()
    reader.uint()
    reader.u8()
    count = reader.uint()
    reader.uint()
    reader.u8()
    reader.string()
    for _ in range(count):
        reader.string2()
        reader.string2()
        reader.uint()


def read_protocol(reader: WireReader) -> None:
    """Read the client's greeting."""
    reader.take(3)
    reader.until_zero()


def read_data_types(reader: WireReader) -> int:
    """Read what the client can do; return its field version."""
    reader.u8()
    reader.take(5)
    compile_time = reader.string()
    reader.string()
    while reader.u16():
        if reader.u16():
            reader.take(4)
    return compile_time[7]
