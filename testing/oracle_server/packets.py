"""
The outer layer, Oracle Net (TNS): a stream of packets with an eight-byte header.

Lengths are 16 bits wide until the connection is accepted and 32 bits from then on.
"""

import asyncio
import struct
from typing import NamedTuple

CONNECT = 1
ACCEPT = 2
REFUSE = 4
DATA = 6
MARKER = 12

# Flags of a DATA packet.
END_OF_FILE = 0x0040
END_OF_RESPONSE = 0x2000

# Markers.
BREAK = 1
RESET = 2

FAST_LOGON = 0x10000000
END_OF_RESPONSES = 0x02000000

HEADER = struct.Struct(">HHBBH")
WIDE_HEADER = struct.Struct(">IBBH")

# Longer connect data follows the CONNECT packet in a packet of its own.
INLINE_CONNECT_DATA = 230


class Packet(NamedTuple):
    """One packet without its header."""

    kind: int
    body: bytes

    @property
    def payload(self) -> bytes:
        """What a DATA packet carries after its flags."""
        return self.body[2:]

    @property
    def marker(self) -> int:
        return self.body[2]


async def read_header(reader: asyncio.StreamReader) -> bytes:
    return await reader.readexactly(HEADER.size)


async def read_body(reader: asyncio.StreamReader, header: bytes, is_wide: bool) -> Packet:
    """Read the rest of the packet that `header` announces."""
    length = int.from_bytes(header[: 4 if is_wide else 2], "big")
    return Packet(header[4], await reader.readexactly(length - HEADER.size))


def pack(kind: int, body: bytes, is_wide: bool) -> bytes:
    """Return a packet as it goes on the wire."""
    length = len(body) + HEADER.size
    if is_wide:
        return WIDE_HEADER.pack(length, kind, 0, 0) + body
    return HEADER.pack(length, 0, kind, 0, 0) + body


def pack_data(payload: bytes, sdu: int, last_flags: int) -> bytes:
    """Cut a payload into DATA packets no longer than `sdu`; the last of them carries `last_flags`."""
    size = sdu - HEADER.size - 2
    pieces = [payload[start : start + size] for start in range(0, len(payload), size)]
    last = len(pieces) - 1
    return b"".join(
        pack(DATA, (last_flags if number == last else 0).to_bytes(2, "big") + piece, is_wide=True)
        for number, piece in enumerate(pieces)
    )


def pack_marker(marker: int) -> bytes:
    return pack(MARKER, bytes([1, 0, marker]), is_wide=True)


def pack_refusal(code: int) -> bytes:
    """Return what a listener answers when it will not connect: `code` is its TNS number."""
    text = f"(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR={code})(ERROR_STACK=(ERROR=(CODE={code})(EMFI=4))))"
    body = bytes([0x22, 0]) + len(text).to_bytes(2, "big") + text.encode()
    return pack(REFUSE, body, is_wide=False)


class ConnectRequest(NamedTuple):
    """What a client wants when it connects."""

    sdu: int
    data_length: int
    data: str


def parse_connect(body: bytes) -> ConnectRequest:
    """Read a CONNECT packet; `data` is empty if it follows in a packet of its own."""
    length, offset = struct.unpack(">HH", body[16:20])
    (sdu,) = struct.unpack(">I", body[50:54])
    start = offset - HEADER.size
    data = body[start : start + length].decode() if length <= INLINE_CONNECT_DATA else ""
    return ConnectRequest(sdu, length, data)


def pack_acceptance(version: int, sdu: int, flags: int) -> bytes:
    """Return an ACCEPT packet: the protocol version, the packet size and what the server can do."""
    body = struct.pack(
        ">HHHHHHHBB8xIIBI", version, 0, min(sdu, 0xFFFF), 0xFFFF, 0x0100, 0, 45, 4, 4, sdu, sdu, 0, flags
    )
    return pack(ACCEPT, body, is_wide=False)
