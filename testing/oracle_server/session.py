"""
The conversation with one client, from its connect packet to its goodbye.

A statement runs at once and its rows wait in the cursor; time passes only where the server is told to be slow,
and there the session listens for a break.
"""

import asyncio
import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import packets, requests
from .engine import Result
from .errors import OraError
from .faults import FaultKind
from .logon import Exchange
from .packets import Packet
from .requests import Execution, Fetching, Logon, Request, RequestReader
from .responses import END, Response
from .wire import Incomplete, Value, WireColumn, WireReader

if TYPE_CHECKING:
    from .server import ListenerService, OracleServer

SHORTEST_SDU = 512
LONGEST_SDU = 2_097_152

numbers = itertools.count(101)


class Interrupted(Exception):
    """The client has sent a break."""


class Gone(Exception):
    """One side has closed the connection."""


class Severed(Exception):
    """The connection is to end in the middle of a response."""


@dataclass
class Cursor:
    """A statement the client keeps open, with the rows it has not fetched."""

    sql: str
    columns: Sequence[WireColumn] = ()
    rows: list[Sequence[Value]] = field(default_factory=list)
    sent: int = 0
    is_described: bool = False
    break_after: int | None = None


class WireSession:
    """A connected client."""

    def __init__(
        self, server: "OracleServer", reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.server = server
        self.sid = next(numbers)
        self.user = ""
        self.mode = 0
        self.service: ListenerService | None = None
        self._reader = reader
        self._writer = writer
        self._is_wide = False
        self._sdu = 8192
        self._packets: asyncio.Queue[Packet | None] = asyncio.Queue()
        self._early: deque[Packet] = deque()
        self._requests = RequestReader()
        self._unread = b""
        self._has_end_of_response = False
        self._token = 0
        self._cursors: dict[int, Cursor] = {}
        self._cursor_numbers = itertools.count(1)

    @property
    def application(self) -> requests.Application | None:
        return self._requests.application

    async def talk(self) -> None:
        """Serve the client until it leaves or is thrown out."""
        pump = asyncio.create_task(self._pump())
        try:
            await self._connect()
            await self._sign_in()
            while True:
                await self._serve()
        except (Gone, ConnectionError, requests.UnknownRequest):
            pass
        finally:
            pump.cancel()
            self.close()

    def close(self) -> None:
        """Drop the connection without a word."""
        if not self._writer.is_closing():
            self._writer.close()
        self._packets.put_nowait(None)

    # Packets

    async def _pump(self) -> None:
        """Read packets as they come, so that a break is seen while a statement runs."""
        try:
            while True:
                header = await packets.read_header(self._reader)
                self._packets.put_nowait(await packets.read_body(self._reader, header, self._is_wide))
        except (asyncio.IncompleteReadError, ConnectionError):
            self._packets.put_nowait(None)

    async def _next_packet(self) -> Packet:
        packet = self._early.popleft() if self._early else await self._packets.get()
        if packet is None:
            raise Gone
        return packet

    async def _next_payload(self) -> bytes:
        while True:
            packet = await self._next_packet()
            if packet.kind == packets.MARKER:
                await self._answer_break(packet)
            elif packet.kind == packets.DATA:
                if int.from_bytes(packet.body[:2], "big") & packets.END_OF_FILE:
                    raise Gone
                return packet.payload

    async def _send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def _send_response(self, response: Response) -> None:
        data = response.writer.data
        flags = 0
        if self._has_end_of_response:
            data.append(END)
            flags = packets.END_OF_RESPONSE
        await self._send(packets.pack_data(bytes(data), self._sdu, flags))

    async def _answer_break(self, packet: Packet) -> None:
        """Go through the exchange of markers that ends what was going on."""
        if packet.marker != packets.RESET:
            await self._send(packets.pack_marker(packets.BREAK))
            while packet.kind != packets.MARKER or packet.marker != packets.RESET:
                packet = await self._next_packet()
        await self._send(packets.pack_marker(packets.RESET))
        self._unread = b""
        response = self._response()
        response.error(OraError(1013))
        await self._send_response(response)

    async def wait(self, seconds: float | None) -> None:
        """Let time pass (None: without end), but not past a break or a goodbye."""
        loop = asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        while True:
            try:
                left = None if end is None else end - loop.time()
                packet = await asyncio.wait_for(self._packets.get(), left)
            except TimeoutError:
                return
            if packet is None:
                raise Gone
            if packet.kind == packets.MARKER:
                await self._answer_break(packet)
                raise Interrupted
            # A pipeline sends its next call before this one is answered.
            self._early.append(packet)

    # Connecting

    async def _connect(self) -> None:
        packet = await self._next_packet()
        if packet.kind != packets.CONNECT:
            raise Gone
        request = packets.parse_connect(packet.body)
        data = request.data or (await self._next_packet()).payload.decode()
        if self.server.faults.find(FaultKind.SILENCE):
            await self.wait(None)
        service = self.server.find_service(data)
        if isinstance(service, int):
            await self._send(packets.pack_refusal(service))
            raise Gone
        self.service = service
        self._sdu = min(max(request.sdu, SHORTEST_SDU), LONGEST_SDU)
        dialect = service.database.dialect
        flags = packets.FAST_LOGON | packets.END_OF_RESPONSES if dialect.has_fast_logon else 0
        await self._send(packets.pack_acceptance(dialect.protocol, self._sdu, flags))
        self._is_wide = True

    async def _sign_in(self) -> None:
        assert self.service is not None
        dialect = self.service.database.dialect
        payload = await self._next_payload()
        response = Response(13)
        if payload[0] == requests.FAST_LOGON:
            reader = WireReader(payload)
            reader.take(4)
            first = self._read_fast_logon(reader, response)
            self._has_end_of_response = True
        else:
            requests.read_protocol(WireReader(payload))
            response.greet(dialect.field_version, False)
            await self._send_response(response)
            client_version = requests.read_data_types(WireReader(await self._next_payload()))
            self._requests.field_version = min(client_version, dialect.field_version)
            response = Response(self._requests.field_version)
            response.agree_on_types()
            await self._send_response(response)
            first = await self._next_request()
            response = self._response()
        assert isinstance(first, Logon)
        exchange = await self._challenge(first, response)
        second = await self._next_request()
        assert isinstance(second, Logon)
        await self._admit(second, exchange)

    def _read_fast_logon(self, reader: WireReader, response: Response) -> Request:
        assert self.service is not None
        dialect = self.service.database.dialect
        requests.read_protocol(reader)
        reader.take(6)
        client_version = requests.read_data_types(reader)
        # The first step of the sign-in is still written the old way.
        first = self._requests.read(reader)
        self._requests.field_version = min(client_version, dialect.field_version)
        response.greet(dialect.field_version, True)
        response.agree_on_types()
        response.field_version = self._requests.field_version
        return first

    async def _challenge(self, first: Logon, response: Response) -> Exchange:
        assert self.service is not None
        self.user = first.user.strip('"').upper()
        self.mode = first.mode
        try:
            exchange = self.service.challenge(self.user, self.mode)
        except OraError as error:
            response.error(error)
            await self._send_response(response)
            raise Gone from None
        response.parameters(exchange.challenge)
        response.done()
        await self._send_response(response)
        return exchange

    async def _admit(self, second: Logon, exchange: Exchange) -> None:
        assert self.service is not None
        if delay := self.server.faults.find(FaultKind.DELAY_LOGON):
            await self.wait(delay.seconds)
        response = self._response()
        try:
            self.service.admit(self.user, self.mode, exchange.is_right(second.pairs))
        except OraError as error:
            response.error(error)
            await self._send_response(response)
            raise Gone from None
        parameters = {
            "AUTH_SVR_RESPONSE": exchange.proof,
            "AUTH_SESSION_ID": str(self.sid & 0xFFFF),
            "AUTH_SERIAL_NUM": "1",
            **self.service.parameters(),
        }
        response.parameters({key: (value, 0) for key, value in parameters.items()})
        response.done()
        await self._send_response(response)

    # Calls

    def _response(self) -> Response:
        return Response(self._requests.field_version, self._token)

    async def _next_request(self) -> Request:
        """Read one request, from as many packets as it takes."""
        data = self._unread or await self._next_payload()
        while True:
            reader = WireReader(data)
            try:
                request = self._requests.read(reader)
            except Incomplete:
                data += await self._next_payload()
                continue
            self._unread = data[reader.position :]
            self._token = request.token
            return request

    async def _serve(self) -> None:
        request = await self._next_request()
        for number in self._requests.closed:
            self._cursors.pop(number, None)
            self._requests.bind_types.pop(number, None)
        self._requests.closed.clear()
        response = self._response()
        try:
            match request:
                case Execution():
                    await self._execute(request, response)
                case Fetching():
                    self._fetch(self._cursor(request.cursor), request.cursor, request.rows, response)
                case Request(function=requests.END_PIPELINE):
                    response.done()
                case Request(function=requests.RELEASE):
                    return
                case _:
                    response.status()
        except OraError as error:
            response = self._response()
            response.error(error)
        except Interrupted:
            return
        except Severed:
            unfinished = bytes(response.writer.data[:-1])
            await self._send(packets.pack_data(unfinished, self._sdu, 0))
            raise Gone from None
        await self._send_response(response)

    def _cursor(self, number: int) -> Cursor:
        try:
            return self._cursors[number]
        except KeyError:
            raise OraError(1001) from None

    async def _execute(self, request: Execution, response: Response) -> None:
        number = request.cursor
        if number and not request.sql:
            cursor = self._cursor(number)
        else:
            number = number or next(self._cursor_numbers)
            cursor = Cursor(request.sql)
        if request.bind_types is not None:
            self._requests.bind_types[number] = request.bind_types
        result = await self.server.run(self, cursor.sql, request)
        drop = self.server.faults.find(FaultKind.DROP, cursor.sql)
        cursor.break_after = drop.after_rows if drop else None
        self._cursors[number] = cursor
        if result is None:
            response.done(cursor=number)
            return
        self._open(cursor, result, response)
        if request.options & requests.FETCH_ROWS:
            self._fetch(cursor, number, request.rows, response)
        else:
            response.done(cursor=number, is_query=True)

    def _open(self, cursor: Cursor, result: Result, response: Response) -> None:
        if not cursor.is_described or cursor.columns != result.columns:
            response.describe(result.columns)
        cursor.is_described = True
        cursor.columns = result.columns
        cursor.rows = result.rows
        cursor.sent = 0

    def _fetch(self, cursor: Cursor, number: int, count: int, response: Response) -> None:
        rows = cursor.rows[cursor.sent : cursor.sent + count]
        if cursor.break_after is not None and cursor.sent + len(rows) > cursor.break_after:
            response.rows(cursor.columns, rows[: cursor.break_after - cursor.sent + 1])
            raise Severed
        response.rows(cursor.columns, rows)
        cursor.sent += len(rows)
        if len(rows) < count:
            response.no_more_rows(number, cursor.sent)
        else:
            response.done(cursor=number, row_count=cursor.sent, is_query=True)
